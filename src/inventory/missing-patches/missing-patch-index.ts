/**
 * Which devices lack which packages. A question about many devices is read in the background, stored, and continued
 * when somebody asks again: from the list of all devices where the service has it ({@link createFleetWideList}), else device
 * by device, because the interface document has no other list (§4.7). Only devices that the service lists with missing
 * patches are read at all: one request returns 500 of them.
 *
 * The cost of the second way: little more than one request per device and hour, and only while people ask. Three reads
 * at a time, at 0.8 s per call ("management API in practice" 2.3), read some 220 devices a minute, a twelfth of the rate
 * limit: a thousand devices take about five minutes, ten thousand take ten questions.
 */

import type { FleetReader } from '../../fleet/fleet.ts';
import type { FleetEvent, Package } from '../../fleet/model/resources.ts';
import { type Clock, HOUR, type Instant, MINUTE, waitOn } from '../../lib/clock.ts';
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import { oneAtATime } from '../../lib/lists.ts';
import { type Log, silentLog } from '../../lib/log.ts';
import type { InventoryStore } from '../../store/port/store.ts';
import type { IndexedDevice } from '../device-index/indexed-device.ts';
import {
  createKnownPackages,
  createMissingPatchPersistence,
  createMissingPatchState,
  type MissingPatchesEntry,
  type MissingPatchState,
  type PackageChange,
  type SeenPackages,
} from './known-packages.ts';
import {
  createFleetWideList,
  createPackageReads,
  createPatchCandidates,
  createStaleReads,
  type PatchCandidate,
} from './package-reads.ts';

export type { MissingPatchesEntry, MissingPatchFacts } from './known-packages.ts';
export type { PatchCandidate } from './package-reads.ts';

type MissingPatchQuery = {
  /** Only devices directly in these groups; null: all devices. */
  readonly groups: ReadonlySet<GroupId> | null;
  /** How long the answer waits (clock, milliseconds) for devices that are being read. */
  readonly waitMs: number;
  /** Lists the devices with missing patches again. */
  readonly refresh?: boolean;
};
export type MissingPatchAnswer = {
  readonly devices: readonly PatchCandidate[];
  /** What is known about them. Devices that turned out to be deleted are in neither list. */
  readonly known: ReadonlyMap<DeviceId, MissingPatchesEntry>;
  /** How many devices could not be read just now. */
  readonly unread: number;
  readonly isReading: boolean;
  readonly seen: SeenPackages;
  /** Whether `seen` has every package of the known devices, including installed ones. */
  readonly isSeenComplete: boolean;
};

export type MissingPatchIndex = {
  /** Throws FleetFailure when the devices with missing patches can't be listed. */
  readonly query: (query: MissingPatchQuery) => Promise<MissingPatchAnswer>;
  /** Takes packages of a device that were read for another purpose; `asOf`: when that read began. */
  readonly learnPackages: (id: DeviceId, packages: readonly Package[], asOf: Instant) => void;
  /** The packages of a device changed: earlier reads of it are no longer used. */
  readonly packagesChanged: (change: PackageChange) => void;
  /** Takes events of the log: new ones, and some that were passed before. */
  readonly noteEvents: (events: readonly FleetEvent[]) => void;
  /** Starts to load what was saved; questions wait for it. */
  readonly start: () => void;
  /** Stops the background reads, and waits until everything known is saved. */
  readonly stop: () => Promise<void>;
};
export type MissingPatchService = MissingPatchIndex & {
  /** Loads what other replicas have read since; never throws. */
  readonly followReplicas: () => Promise<void>;
};

export type MissingPatchOptions = {
  readonly fleet: Pick<FleetReader, 'devices' | 'device' | 'packages' | 'missingPackages'>;
  readonly deviceRows?: () => Promise<readonly IndexedDevice[]>;
  readonly clock: Clock;
  /** Changes since `since` that another process may have made or verified. */
  readonly changesSince: (since: Instant) => Promise<readonly PackageChange[]>;
  readonly onNames: (names: Iterable<string>) => void;
  readonly store: Pick<InventoryStore, 'missingPatches' | 'revisions'>;
  readonly log?: Log;
};

/** How long the packages of a device count as current. */
export const PACKAGES_FRESH_MS = HOUR;
/** No answer waits longer, whatever was asked for. */
const MAX_WAIT_MS = MINUTE;

/** The missing patches of one fleet; nothing is read before the first question. */
export function createMissingPatchIndex(options: MissingPatchOptions): MissingPatchService {
  const { fleet, clock, store, log = silentLog } = options;
  const shutdown = new AbortController();
  const { signal } = shutdown;
  const state = createMissingPatchState();
  const persistence = createMissingPatchPersistence({ store, clock, log });
  const candidatesIn = createPatchCandidates({ ...options, signal });
  const packages = createKnownPackages({ ...options, state, persistence });
  const { learn, markGone: onGone, packagesChanged, noteEvents } = packages;
  const reads = createPackageReads({ fleet, clock, signal, learn, onGone });
  const list = createFleetWideList({ fleet, clock, signal, log });
  const { onNames } = options;
  const staleReads = createStaleReads({ list, reads, state, packages, onNames, clock, signal });
  let loaded: Promise<void> = Promise.resolve();
  const followReplicas = oneAtATime(() =>
    loaded.then(packages.followReplicas).catch((error: unknown) => {
      log.warn(
        { event: 'inventory.not-followed', err: error },
        'could not load missing patches from other replicas',
      );
    }),
  );

  return {
    followReplicas,
    async query({ groups, waitMs, refresh = false }) {
      await loaded;
      const listed = await candidatesIn(groups, refresh);
      await packages.applyStoredChanges(listed.map(({ id }) => id));
      const reading = staleReads.read(staleDevices(listed, state, clock.now()));
      if (reading !== null) await waitOn(clock, Math.min(waitMs, MAX_WAIT_MS), reading);
      const here = listed.filter(({ id }) => !state.isGone(id));
      const known = state.of(here.map(({ id }) => id));
      return {
        devices: here,
        known,
        seen: state.seen,
        isSeenComplete: state.isSeenComplete(known.keys()),
        unread: here.filter(({ id }) => reads.isUnread(id)).length,
        isReading: staleReads.isReading(),
      };
    },
    learnPackages(id, rows, asOf) {
      if (learn(id, rows, asOf)) reads.done(id);
    },
    packagesChanged,
    noteEvents,
    start() {
      loaded = packages.load();
    },
    async stop() {
      shutdown.abort(new Error('stopped'));
      await Promise.all([loaded, staleReads.stop(), followReplicas.running()]);
      await persistence.flush();
    },
  };
}

/** Devices that were never read come first, then those read longest ago. */
function staleDevices(
  all: readonly PatchCandidate[],
  state: MissingPatchState,
  now: Instant,
): readonly DeviceId[] {
  return all
    .map(({ id }) => ({ id, asOf: state.asOf(id) }))
    .filter(({ asOf }) => asOf === null || now - asOf > PACKAGES_FRESH_MS || asOf > now)
    .toSorted((a, b) => (a.asOf ?? 0) - (b.asOf ?? 0))
    .map(({ id }) => id);
}
