/**
 * Which devices lack which packages. The interface has no list of packages across devices, only one per device
 * (§4.7). A question about many devices is therefore read device by device in the background, stored, and continued
 * when somebody asks again. Only devices that the service lists with missing patches are read at all: one request
 * returns 500 of them.
 *
 * The cost: little more than one request per device and hour, and only while people ask. Three reads at a time, at
 * 0.8 s per call ("management API in practice" 2.3), read some 220 devices a minute, a twelfth of the rate limit: a
 * thousand devices take about five minutes, ten thousand take ten questions.
 */

import { FleetFailure, type FleetPage, type FleetReader } from '../../fleet/fleet.ts';
import type { FleetEvent, Package } from '../../fleet/model/resources.ts';
import { type Clock, HOUR, type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import { type Log, silentLog } from '../../lib/log.ts';
import type { DeviceTextStore } from '../../store/port/store.ts';
import { createMissingPatchPersistence, noMissingPatchPersistence } from './missing-patch-persistence.ts';
import { createMissingPatchState, type MissingPatchesEntry } from './missing-patch-state.ts';
import { createPackageChangeLog, type PackageChange } from './package-changes.ts';
import { createPatchCandidates, type PatchCandidate } from './patch-candidates.ts';
import type { SeenPackages } from './seen-packages.ts';

export type { MissingPatchesEntry, MissingPatchFacts } from './missing-patch-state.ts';
export type { PackageChange } from './package-changes.ts';
export type { PatchCandidate } from './patch-candidates.ts';

export type MissingPatchQuery = {
  /** Only devices directly in these groups; null: all devices. */
  readonly groups: ReadonlySet<GroupId> | null;
  /** How long the answer waits (clock, milliseconds) for devices that are being read. */
  readonly waitMs: number;
  /** Lists the devices with missing patches again. */
  readonly refresh?: boolean;
};
export type MissingPatchAnswer = {
  /** The devices that the service lists with missing patches. */
  readonly devices: readonly PatchCandidate[];
  /** What is known about them. Devices that turned out to be deleted are in neither list. */
  readonly known: ReadonlyMap<DeviceId, MissingPatchesEntry>;
  /** How many devices could not be read just now. */
  readonly unread: number;
  /** Reading continues in the background. */
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
  readonly fleet: Pick<FleetReader, 'devices' | 'packages'>;
  readonly clock: Clock;
  /** Changes since `since` that another process may have made or verified. */
  readonly changesSince?: (since: Instant) => Promise<readonly PackageChange[]>;
  /** Called with the names of packages that were seen. */
  readonly onNames: (names: Iterable<string>) => void;
  /** Where it is saved across restarts; absent: nowhere. */
  readonly table?: DeviceTextStore;
  /** Revision of the table, when other replicas write to it too. */
  readonly revision?: () => Promise<number>;
  readonly log?: Log;
};

/** How long the packages of a device count as current. */
export const PACKAGES_FRESH_MS = HOUR;
/** Maximum devices that are read for one question. */
export const MAX_DEVICES_PER_QUERY = 1_000;
/** Maximum concurrent calls of background work (see the scheduler). */
const CONCURRENT_READS = 3;
/** After this many failures in a row, the rest waits for the next question. */
const MAX_FAILURES = 5;

/** The missing patches of one fleet; nothing is read before the first question. */
export function createMissingPatchIndex(options: MissingPatchOptions): MissingPatchService {
  const { fleet, clock, onNames, table, changesSince, revision, log = silentLog } = options;
  const shutdown = new AbortController();
  const { signal } = shutdown;
  const state = createMissingPatchState();
  const persistence =
    table === undefined
      ? noMissingPatchPersistence
      : createMissingPatchPersistence({ table, revision, clock, log });
  let loaded: Promise<void> = Promise.resolve();
  let following: Promise<void> | null = null;
  const patchCandidates = createPatchCandidates({ fleet, clock, signal });
  const waiting = new Set<DeviceId>();
  const unread = new Set<DeviceId>();
  let readingWaiting: Promise<void> | null = null;
  let failures = 0;
  /** Most rows on a page so far. */
  let longestPage = 0;

  const changes = createPackageChangeLog();

  const packagesChanged = (change: PackageChange): void => {
    const { deviceId } = change;
    changes.note(change);
    const asOf = state.asOf(deviceId);
    if (asOf === null || !changes.isOlder(deviceId, asOf)) return;
    state.forget(deviceId);
    persistence.drop(deviceId);
  };
  /** Changes that another replica made or verified are only in the store. */
  const applyStoredChanges = async (ids: readonly DeviceId[]): Promise<void> => {
    const times = ids.flatMap((id) => state.asOf(id) ?? []);
    if (changesSince === undefined || times.length === 0) return;
    const since = times.reduce((oldest, asOf) => (asOf < oldest ? asOf : oldest));
    for (const change of await changesSince(since)) packagesChanged(change);
  };

  const learnPackages = (id: DeviceId, packages: readonly Package[], asOf: Instant): void => {
    // The packages changed during the read, so nobody knows which state it saw.
    if (changes.isOlder(id, asOf)) return;
    persistence.put(id, state.put(id, packages, asOf));
    onNames(packages.filter(({ installed }) => !installed).map(({ name }) => name));
    unread.delete(id);
    waiting.delete(id);
  };

  const readOne = async (id: DeviceId): Promise<void> => {
    const asOf = clock.now();
    try {
      const rows: Package[] = [];
      for await (const page of fleet.packages(id, { lane: 'background', signal })) {
        rows.push(...page.rows);
        if (isLast(page)) break;
      }
      learnPackages(id, rows, asOf);
      if (changes.isOlder(id, asOf)) waiting.add(id);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof FleetFailure)) throw error;
      if (error.error.kind === 'missing') {
        state.markGone(id, clock.now());
        persistence.drop(id);
        return;
      }
      unread.add(id);
      failures += 1;
      if (failures >= MAX_FAILURES) waiting.clear();
    }
  };

  /**
   * Whether this is the last page. The list states no total, so a walk would request one more page to see that it is
   * empty. A page that is shorter than another one of the service was not cut by the service's limit, so it is the
   * last; this saves every second request.
   */
  const isLast = ({ rows, unreadable }: FleetPage<Package>): boolean => {
    const size = rows.length + unreadable;
    const shorter = size < longestPage;
    longestPage = Math.max(longestPage, size);
    return shorter;
  };

  const work = async (): Promise<void> => {
    for (let [id] = waiting; id !== undefined && !signal.aborted; [id] = waiting) {
      waiting.delete(id);
      await readOne(id);
    }
  };
  const readWaiting = (): Promise<void> => {
    readingWaiting ??= Promise.all(Array.from({ length: CONCURRENT_READS }, work))
      .then(() => {})
      .finally(() => {
        readingWaiting = null;
      });
    return readingWaiting;
  };

  /** Devices that were never read come first, then those read longest ago. */
  const staleDevices = (all: readonly PatchCandidate[], now: Instant): readonly DeviceId[] =>
    all
      .map(({ id }) => ({ id, asOf: state.asOf(id) }))
      .filter(({ asOf }) => asOf === null || now - asOf > PACKAGES_FRESH_MS || asOf > now)
      .toSorted((a, b) => (a.asOf ?? 0) - (b.asOf ?? 0))
      .slice(0, MAX_DEVICES_PER_QUERY)
      .map(({ id }) => id);

  const load = async (): Promise<void> => {
    for (const { id, entry } of await persistence.load()) {
      if (changes.isOlder(id, entry.asOf)) continue;
      state.restore(id, entry);
      onNames(entry.packages.map(({ name }) => name));
    }
  };

  const applyReplicaChanges = async (): Promise<void> => {
    await loaded;
    await persistence.followReplicas((id, entry) => {
      if (entry === null) state.forget(id);
      // Read before the change, by a replica that does not know of the change yet.
      else if (changes.isOlder(id, entry.asOf)) persistence.drop(id);
      else state.applyReplicaEntry(id, entry);
    });
  };

  return {
    followReplicas() {
      following ??= applyReplicaChanges()
        .catch((error: unknown) => {
          log.warn(
            { event: 'inventory.not-followed', err: error },
            'could not load missing patches from other replicas',
          );
        })
        .finally(() => {
          following = null;
        });
      return following;
    },
    async query({ groups, waitMs, refresh = false }) {
      await loaded;
      const listed = await patchCandidates.of(groups, refresh);
      await applyStoredChanges(listed.map(({ id }) => id));
      failures = 0;
      for (const id of staleDevices(listed, clock.now())) {
        unread.delete(id);
        waiting.add(id);
      }
      if (waiting.size > 0) await waitAtMost(clock, waitMs, readWaiting());
      const here = listed.filter(({ id }) => !state.isGone(id));
      const known = state.of(here.map(({ id }) => id));
      return {
        devices: here,
        known,
        seen: state.seen,
        isSeenComplete: state.isSeenComplete(known.keys()),
        unread: here.filter(({ id }) => unread.has(id)).length,
        isReading: readingWaiting !== null,
      };
    },
    learnPackages,
    packagesChanged,
    noteEvents(events) {
      for (const change of changes.changesIn(events, clock.now())) packagesChanged(change);
    },
    start() {
      loaded = load();
    },
    async stop() {
      shutdown.abort(new Error('stopped'));
      waiting.clear();
      await Promise.all([loaded, readingWaiting, following]);
      await persistence.flush();
    },
  };
}

/** Waits for `work`, but at most `ms` of the clock. */
async function waitAtMost(clock: Clock, ms: number, work: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = clock.at(later(clock.now(), Math.min(ms, MINUTE)), over.resolve);
  try {
    await Promise.race([work, over.promise]);
  } finally {
    timer.cancel();
  }
}
