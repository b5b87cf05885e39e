/**
 * Which devices miss which packages. The interface has no list of packages over several devices, only that of one
 * (§4.7), so what is asked about many is read device by device behind the answer, kept, and gone on with when somebody
 * asks again. Only devices that the service lists with missing patches are read at all: one request for 500 of them.
 *
 * What that costs: little more than one request a device and hour, and only while people ask. Three at a time, at the
 * 0.8 s that a call takes ("management API in practice" 2.3), read some 220 devices a minute, a twelfth of what the rate
 * limit allows: a thousand devices take about five minutes, ten thousand take ten questions.
 */
import { type Clock, HOUR, type Instant, later, MINUTE } from '../clock.ts';
import { FleetFailure, type FleetReader, type Page } from '../fleet/fleet.ts';
import type { FleetEvent, Package } from '../fleet/model.ts';
import type { DeviceId, GroupId } from '../ids.ts';
import { type Log, silentLog } from '../log.ts';
import type { KeptDevices } from '../store/store.ts';
import { type Candidate, createCandidates } from './candidates.ts';
import { createChangedPackages, type PackageChange } from './changed-packages.ts';
import { createMissesKeep, keepNoMisses } from './misses-keep.ts';
import { createMissingBook, type MissedEntry } from './missing-book.ts';
import type { SeenPackages } from './seen-packages.ts';

export type { Candidate } from './candidates.ts';
export type { PackageChange } from './changed-packages.ts';
export type { Missed, MissedEntry } from './missing-book.ts';

export type Look = {
  /** Devices of these very groups; null: of all. */
  readonly groups: ReadonlySet<GroupId> | null;
  /** How long the answer waits (clock) for what is read now. */
  readonly waitMs: number;
  /** Lists the devices with missing patches anew. */
  readonly refresh?: boolean;
};
export type Looked = {
  /** The devices that the service lists with missing patches. */
  readonly candidates: readonly Candidate[];
  /** What is known of them. Those that turned out to be gone are in neither. */
  readonly known: ReadonlyMap<DeviceId, MissedEntry>;
  /** So many the service did not give just now. */
  readonly unread: number;
  /** Reading goes on behind the answer. */
  readonly isGoing: boolean;
  readonly seen: SeenPackages;
  /** Whether `seen` has every package of the known devices, installed ones too. */
  readonly isSeenWhole: boolean;
};

export type Misses = {
  /** Throws FleetFailure where the devices with missing patches cannot be listed. */
  readonly look: (look: Look) => Promise<Looked>;
  /** Packages of a device that were read for something else; `asOf`: when that reading began. */
  readonly learn: (id: DeviceId, packages: readonly Package[], asOf: Instant) => void;
  /** The packages of a device changed: what was read before is not answered with any more. */
  readonly changed: (change: PackageChange) => void;
  /** Events of the log, new ones and some that were given before. */
  readonly note: (events: readonly FleetEvent[]) => void;
  /** Takes up what was kept, behind; questions wait for it. */
  readonly start: () => void;
  /** Ends what is read behind, and waits until what is known was kept. */
  readonly stop: () => Promise<void>;
};
export type MissesService = Misses & {
  /** Takes up what other replicas read since; never throws. */
  readonly follow: () => Promise<void>;
};

export type MissesOptions = {
  readonly fleet: Pick<FleetReader, 'devices' | 'packages'>;
  readonly clock: Clock;
  /** Changes since `since` that another process may have made or proven. */
  readonly changesSince?: (since: Instant) => Promise<readonly PackageChange[]>;
  /** Told the names of packages that were seen. */
  readonly onNames: (names: Iterable<string>) => void;
  /** Where it is kept over a restart; absent: nowhere. */
  readonly table?: KeptDevices;
  /** Of the table, where other replicas write to it too. */
  readonly revision?: () => Promise<number>;
  readonly log?: Log;
};

/** What is known of a device is taken as it is for so long. */
export const FRESH_MS = HOUR;
/** So many devices are read for one question at the most. */
export const MOST_AT_ONCE = 1_000;
/** What background work may have of the calls at once (see the scheduler). */
const WORKERS = 3;
/** After so many failures one after the other the rest is left for the next question. */
const MOST_FAILURES = 5;

export function createMisses(options: MissesOptions): MissesService {
  const { fleet, clock, onNames, table, changesSince, revision, log = silentLog } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const book = createMissingBook();
  const keep = table === undefined ? keepNoMisses : createMissesKeep({ table, revision, clock, log });
  let loaded: Promise<void> = Promise.resolve();
  let following: Promise<void> | null = null;
  const candidates = createCandidates({ fleet, clock, signal });
  const waiting = new Set<DeviceId>();
  const unread = new Set<DeviceId>();
  let sweeping: Promise<void> | null = null;
  let failures = 0;
  /** Rows of the longest page so far. */
  let longest = 0;

  const changes = createChangedPackages();

  const changed = (change: PackageChange): void => {
    const { deviceId } = change;
    changes.note(change);
    const asOf = book.asOf(deviceId);
    if (asOf === null || !changes.isOlder(deviceId, asOf)) return;
    book.forget(deviceId);
    keep.drop(deviceId);
  };
  /** What another replica made or proved is in the store alone. */
  const takeChanges = async (ids: readonly DeviceId[]): Promise<void> => {
    const times = ids.flatMap((id) => book.asOf(id) ?? []);
    if (changesSince === undefined || times.length === 0) return;
    const since = times.reduce((oldest, asOf) => (asOf < oldest ? asOf : oldest));
    for (const change of await changesSince(since)) changed(change);
  };

  const learn = (id: DeviceId, packages: readonly Package[], asOf: Instant): void => {
    // It was read while they changed: nobody knows which of them.
    if (changes.isOlder(id, asOf)) return;
    keep.put(id, book.put(id, packages, asOf));
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
      learn(id, rows, asOf);
      if (changes.isOlder(id, asOf)) waiting.add(id);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof FleetFailure)) throw error;
      if (error.error.kind === 'missing') {
        book.drop(id, clock.now());
        keep.drop(id);
        return;
      }
      unread.add(id);
      failures += 1;
      if (failures >= MOST_FAILURES) waiting.clear();
    }
  };

  /**
   * The list states no total, so a walk asks for one page more to see that there is none. A page shorter than another
   * that the service gave was not cut by a limit of the service, so it is the last; that saves every second request.
   */
  const isLast = ({ rows, unreadable }: Page<Package>): boolean => {
    const size = rows.length + unreadable;
    const shorter = size < longest;
    longest = Math.max(longest, size);
    return shorter;
  };

  const work = async (): Promise<void> => {
    for (let [id] = waiting; id !== undefined && !signal.aborted; [id] = waiting) {
      waiting.delete(id);
      await readOne(id);
    }
  };
  const sweep = (): Promise<void> => {
    sweeping ??= Promise.all(Array.from({ length: WORKERS }, work))
      .then(() => {})
      .finally(() => {
        sweeping = null;
      });
    return sweeping;
  };

  /** The devices of which nothing is known come first, then those that were read the longest time ago. */
  const wanted = (all: readonly Candidate[], now: Instant): readonly DeviceId[] =>
    all
      .map(({ id }) => ({ id, asOf: book.asOf(id) }))
      .filter(({ asOf }) => asOf === null || now - asOf > FRESH_MS || asOf > now)
      .toSorted((a, b) => (a.asOf ?? 0) - (b.asOf ?? 0))
      .slice(0, MOST_AT_ONCE)
      .map(({ id }) => id);

  const load = async (): Promise<void> => {
    for (const { id, entry } of await keep.load()) {
      if (changes.isOlder(id, entry.asOf)) continue;
      book.restore(id, entry);
      onNames(entry.packages.map(({ name }) => name));
    }
  };

  const takeUp = async (): Promise<void> => {
    await loaded;
    await keep.follow((id, entry) => {
      if (entry === null) book.forget(id);
      // Read before they changed, by a replica that does not know of the change yet.
      else if (changes.isOlder(id, entry.asOf)) keep.drop(id);
      else book.follow(id, entry);
    });
  };

  return {
    follow() {
      following ??= takeUp()
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
    async look({ groups, waitMs, refresh = false }) {
      await loaded;
      const listed = await candidates.of(groups, refresh);
      await takeChanges(listed.map(({ id }) => id));
      failures = 0;
      for (const id of wanted(listed, clock.now())) {
        unread.delete(id);
        waiting.add(id);
      }
      if (waiting.size > 0) await within(clock, waitMs, sweep());
      const here = listed.filter(({ id }) => !book.isGone(id));
      const known = book.of(here.map(({ id }) => id));
      return {
        candidates: here,
        known,
        seen: book.seen,
        isSeenWhole: book.isSeenWhole(known.keys()),
        unread: here.filter(({ id }) => unread.has(id)).length,
        isGoing: sweeping !== null,
      };
    },
    learn,
    changed,
    note(events) {
      for (const change of changes.of(events, clock.now())) changed(change);
    },
    start() {
      loaded = load();
    },
    async stop() {
      ending.abort(new Error('stopped'));
      waiting.clear();
      await Promise.all([loaded, sweeping, following]);
      await keep.flush();
    },
  };
}

/** Waits for `work`, but no longer than `ms` of the clock. */
async function within(clock: Clock, ms: number, work: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = clock.at(later(clock.now(), Math.min(ms, MINUTE)), over.resolve);
  try {
    await Promise.race([work, over.promise]);
  } finally {
    timer.cancel();
  }
}
