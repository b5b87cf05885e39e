/**
 * Which devices miss which packages. The interface has no list of packages over several devices, only that of one
 * (§4.7), so what is asked about many is read device by device behind the answer, kept, and gone on with when somebody
 * asks again. Only devices that the service lists with missing patches are read at all: one request for 500 of them.
 *
 * What that costs: little more than one request a device and hour, and only while people ask. Three at a time, at the
 * 0.8 s that a call takes ("management API in practice" 2.3), read some 220 devices a minute, a twelfth of what the rate
 * limit allows: a thousand devices take about five minutes, ten thousand take ten questions.
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
  /** Devices of these very groups; null: of all. */
  readonly groups: ReadonlySet<GroupId> | null;
  /** How long the answer waits (clock) for what is read now. */
  readonly waitMs: number;
  /** Lists the devices with missing patches anew. */
  readonly refresh?: boolean;
};
export type MissingPatchAnswer = {
  /** The devices that the service lists with missing patches. */
  readonly devices: readonly PatchCandidate[];
  /** What is known of them. Those that turned out to be gone are in neither. */
  readonly known: ReadonlyMap<DeviceId, MissingPatchesEntry>;
  /** So many the service did not give just now. */
  readonly unread: number;
  /** Reading goes on behind the answer. */
  readonly isReading: boolean;
  readonly seen: SeenPackages;
  /** Whether `seen` has every package of the known devices, installed ones too. */
  readonly isSeenComplete: boolean;
};

export type MissingPatchIndex = {
  /** Throws FleetFailure where the devices with missing patches cannot be listed. */
  readonly query: (look: MissingPatchQuery) => Promise<MissingPatchAnswer>;
  /** Packages of a device that were read for something else; `asOf`: when that reading began. */
  readonly learnPackages: (id: DeviceId, packages: readonly Package[], asOf: Instant) => void;
  /** The packages of a device changed: what was read before is not answered with any more. */
  readonly packagesChanged: (change: PackageChange) => void;
  /** Events of the log, new ones and some that were given before. */
  readonly noteEvents: (events: readonly FleetEvent[]) => void;
  /** Takes up what was kept, behind; questions wait for it. */
  readonly start: () => void;
  /** Ends what is read behind, and waits until what is known was kept. */
  readonly stop: () => Promise<void>;
};
export type MissingPatchService = MissingPatchIndex & {
  /** Takes up what other replicas read since; never throws. */
  readonly followReplicas: () => Promise<void>;
};

export type MissingPatchOptions = {
  readonly fleet: Pick<FleetReader, 'devices' | 'packages'>;
  readonly clock: Clock;
  /** Changes since `since` that another process may have made or proven. */
  readonly changesSince?: (since: Instant) => Promise<readonly PackageChange[]>;
  /** Told the names of packages that were seen. */
  readonly onNames: (names: Iterable<string>) => void;
  /** Where it is kept over a restart; absent: nowhere. */
  readonly table?: DeviceTextStore;
  /** Of the table, where other replicas write to it too. */
  readonly revision?: () => Promise<number>;
  readonly log?: Log;
};

/** What is known of a device is taken as it is for so long. */
export const PACKAGES_FRESH_MS = HOUR;
/** So many devices are read for one question at the most. */
export const MAX_DEVICES_PER_QUERY = 1_000;
/** What background work may have of the calls at once (see the scheduler). */
const CONCURRENT_READS = 3;
/** After so many failures one after the other the rest is left for the next question. */
const MAX_FAILURES = 5;

export function createMissingPatchIndex(options: MissingPatchOptions): MissingPatchService {
  const { fleet, clock, onNames, table, changesSince, revision, log = silentLog } = options;
  const ending = new AbortController();
  const { signal } = ending;
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
  /** Rows of the longest page so far. */
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
  /** What another replica made or proved is in the store alone. */
  const applyStoredChanges = async (ids: readonly DeviceId[]): Promise<void> => {
    const times = ids.flatMap((id) => state.asOf(id) ?? []);
    if (changesSince === undefined || times.length === 0) return;
    const since = times.reduce((oldest, asOf) => (asOf < oldest ? asOf : oldest));
    for (const change of await changesSince(since)) packagesChanged(change);
  };

  const learnPackages = (id: DeviceId, packages: readonly Package[], asOf: Instant): void => {
    // It was read while they changed: nobody knows which of them.
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
   * The list states no total, so a walk asks for one page more to see that there is none. A page shorter than another
   * that the service gave was not cut by a limit of the service, so it is the last; that saves every second request.
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

  /** The devices of which nothing is known come first, then those that were read the longest time ago. */
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
      // Read before they changed, by a replica that does not know of the change yet.
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
      ending.abort(new Error('stopped'));
      waiting.clear();
      await Promise.all([loaded, readingWaiting, following]);
      await persistence.flush();
    },
  };
}

/** Waits for `work`, but no longer than `ms` of the clock. */
async function waitAtMost(clock: Clock, ms: number, work: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = clock.at(later(clock.now(), Math.min(ms, MINUTE)), over.resolve);
  try {
    await Promise.race([work, over.promise]);
  } finally {
    timer.cancel();
  }
}
