/**
 * Decides when the fleet is read: at the start, on a schedule, when somebody asks, and when events report single
 * devices.
 */
import { FleetFailure, isKeyRejected, type Lane } from '../../fleet/fleet.ts';
import { DEVICE_ADDED, DEVICE_REMOVED } from '../../fleet/model/event-kinds.ts';
import type { Device, FleetEvent } from '../../fleet/model/resources.ts';
import { nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { type Clock, type Instant, later, MINUTE, SECOND, type Timer, waitOn } from '../../lib/clock.ts';
import type { DeviceId, EventId } from '../../lib/ids.ts';
import { dropOldest, LIST_PAGE, listPages, oneAtATime, PAGE_PAUSE_MS } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
import type { IndexState } from '../device-index/index-state.ts';
import type { ApplyReplicaChange, IndexPersistence } from '../persistence/index-persistence.ts';
import {
  createListJudge,
  type FleetListReader,
  type FleetWalkOptions,
  indexDevice,
  type RunningWalk,
  refreshGroups,
  walkFleet,
} from './fleet-walk.ts';

type WalksOptions = Pick<FleetWalkOptions, 'fleet' | 'clock' | 'state' | 'persistence' | 'judge'> & {
  readonly log: Log;
  /** Whether this process reads the whole fleet on schedule. */
  readonly leads: () => boolean;
  readonly signal: AbortSignal;
};

function createWalks(options: WalksOptions) {
  const { clock, state, log, leads, signal } = options;
  let walking: RunningWalk | null = null;
  let timer: Timer | undefined;
  let started = false;

  const schedule = (ms: number): void => {
    timer?.cancel();
    if (!started || signal.aborted) return;
    timer = clock.at(later(clock.now(), ms), walkIfLeading);
  };
  /** A list that is doubted is soon read again. */
  const nextWalkMs = (): number => {
    const devices = state.rowStore.size();
    const usual = walkIntervalMs(devices);
    return state.doubts().length === 0
      ? usual
      : Math.min(usual, Math.max(RETRY_MS, backgroundWalkAfterMs(devices)));
  };
  const walkIfLeading = (): void => {
    if (leads()) walk('background');
    else schedule(walkIntervalMs(state.rowStore.size()));
  };

  /** The running walk, or else a new one in this lane. A walk for a person skips the pauses. */
  const walk = (lane: Lane): RunningWalk => {
    walking ??= begin(lane);
    if (lane === 'person') walking.hurry();
    return walking;
  };

  const begin = (lane: Lane): RunningWalk => {
    const large = Promise.withResolvers<void>();
    const hurried = Promise.withResolvers<void>();
    const since = { seen: new Set<DeviceId>(), removed: new Set<DeviceId>() };
    let total: number | null = null;
    const onPage = async (reportedTotal: number | null): Promise<void> => {
      total = reportedTotal ?? total;
      if (Math.max(total ?? 0, state.rowStore.size()) <= SMALL_FLEET) return;
      large.resolve();
      // The first walk goes as fast as it may, because the index is incomplete until it ends.
      if (state.lastWalk() !== null) await waitOn(clock, PAGE_PAUSE_MS, hurried.promise);
    };
    const done = walkFleet({ ...options, lane, onPage, since }).finally(() => {
      walking = null;
    });
    done.then(
      () => schedule(nextWalkMs()),
      (error: unknown) => {
        if (signal.aborted) return;
        // The event log's reader says it once for both.
        const level = isKeyRejected(error) ? 'debug' : 'warn';
        log[level]({ event: 'inventory.failed', err: error }, 'could not read the fleet');
        schedule(RETRY_MS);
      },
    );
    const startedAt = clock.now();
    return { startedAt, done, large: large.promise, total: () => total, hurry: hurried.resolve, since };
  };

  return {
    /** Starts the schedule, with a walk at once where this process leads. */
    start(): void {
      started = true;
      walkIfLeading();
    },
    stop(): void {
      walking?.hurry();
      timer?.cancel();
    },
    schedule,
    walk,
    walking: (): RunningWalk | null => walking,
  };
}

export type Refresher = Readonly<ReturnType<typeof createRefresher>>;
type RefresherOptions = {
  readonly fleet: FleetListReader;
  readonly clock: Clock;
  readonly state: IndexState;
  readonly persistence: IndexPersistence;
  readonly log: Log;
  /** Whether this process reads the whole fleet on schedule; the others load what it saves. */
  readonly leads?: () => boolean;
};

/** Reads nothing before `start` or the first `walk`. */
export function createRefresher(options: RefresherOptions) {
  const { fleet, clock, state, persistence, log, leads = () => true } = options;
  const shutdown = new AbortController();
  const { signal } = shutdown;
  const judge = createListJudge({ clock, state });
  const walks = createWalks({ fleet, clock, state, persistence, judge, log, leads, signal });
  const { walking } = walks;
  const changes = createDeviceChanges({ fleet, state, persistence, log, walking, signal });

  const followReplicas = oneAtATime(async (): Promise<void> => {
    try {
      await persistence.followReplicas(changes.applyReplicaChange);
      state.rowStore.sortPending();
    } catch (error) {
      log.warn(
        { event: 'inventory.not-followed', err: error },
        'could not load device changes from other replicas',
      );
    }
  });

  return {
    /** Loads what other replicas have learned; never throws. */
    followReplicas,
    /** From now on this process reads the fleet, as soon as a walk is due. */
    lead(): void {
      const asOf = state.lastWalk()?.asOf;
      const dueAt = asOf === undefined ? clock.now() : later(asOf, walkIntervalMs(state.rowStore.size()));
      if (walking() === null) walks.schedule(Math.max(dueAt - clock.now(), 0));
    },
    async start(): Promise<void> {
      try {
        await persistence.load();
      } catch (error) {
        log.warn(
          { event: 'inventory.unkept', err: error },
          'could not load the device index from the database',
        );
      }
      walks.start();
    },
    async stop(): Promise<void> {
      shutdown.abort(new Error('stopped'));
      walks.stop();
      await Promise.allSettled([walking()?.done, changes.settled(), followReplicas.running()]);
      await persistence.flush();
    },
    /** Reads the fleet and believes lists that lack up to `most` of what is known. Throws FleetFailure. */
    async acceptRemovals(most: number): Promise<void> {
      judge.accept(most);
      try {
        await walks.walk('person').done;
      } finally {
        judge.accept(0);
      }
    },
    walk: walks.walk,
    walking,
    readGroups: (lane: Lane): Promise<void> => refreshGroups({ fleet, state, judge, lane, signal }),
    learn: changes.learn,
    forget: changes.forget,
    noteEvents: changes.noteEvents,
  };
}

/** Whether a read failed because of the service, so that known data may be used instead. */
export function isOutage(error: unknown): boolean {
  return error instanceof FleetFailure;
}

type DeviceChangesOptions = Pick<FleetWalkOptions, 'fleet' | 'state' | 'persistence'> & {
  readonly log: Log;
  /** What is learned during a walk is newer than the walk's pages. */
  readonly walking: () => RunningWalk | null;
  readonly signal: AbortSignal;
};

/** How far the service's clock may be behind ours. */
const CLOCK_SKEW_MS = 15 * MINUTE;
/** Maximum events that are remembered, so that an event that is listed again is not applied again. */
const MAX_NOTED_EVENTS = 5_000;

/** Changes of single devices: learned from reads, from events of the log, and from other replicas. */
function createDeviceChanges(options: DeviceChangesOptions) {
  const { fleet, state, persistence, log, walking, signal } = options;
  const notedEvents = new Set<EventId>();
  /** Reads of single devices, one after the other. */
  let reading: Promise<void> = Promise.resolve();

  const learn = (device: Device): void => {
    walking()?.since.seen.add(device.id);
    walking()?.since.removed.delete(device.id);
    indexDevice({ state, persistence }, device);
  };
  const remove = (id: DeviceId): void => {
    walking()?.since.removed.add(id);
    walking()?.since.seen.delete(id);
    if (state.rowStore.remove(id)) persistence.drop([id]);
  };
  const readAdded = (id: DeviceId): void => {
    reading = reading
      .then(async () => {
        if (signal.aborted || state.rowStore.get(id) !== undefined) return;
        const device = await nullIfMissing(() => fleet.device(id, { lane: 'background', signal }));
        if (device !== null) learn(device);
      })
      .catch((error: unknown) => {
        if (!signal.aborted)
          log.warn({ event: 'inventory.unread', err: error }, 'could not read a new device');
      });
  };
  const apply = ({ name, deviceId }: FleetEvent): void => {
    if (deviceId === null) return;
    if (name === DEVICE_ADDED) readAdded(deviceId);
    else if (name === DEVICE_REMOVED) remove(deviceId);
  };

  /** Learned from elsewhere than the running walk, so it is newer than the walk's pages. */
  const applyReplicaChange: ApplyReplicaChange = (id, row) => {
    const { seen, removed } = walking()?.since ?? { seen: new Set(), removed: new Set() };
    (row === null ? removed : seen).add(id);
    (row === null ? seen : removed).delete(id);
    if (row === null) state.rowStore.remove(id);
    else state.rowStore.put(row);
  };

  return {
    learn,
    forget: remove,
    applyReplicaChange,
    /** Resolves when no single device is being read. */
    settled: (): Promise<void> => reading,
    noteEvents(events: readonly FleetEvent[]): void {
      // Events from before the start are history, which the walk at the start covers.
      const history = notedEvents.size === 0 ? startOfKnownEvents(walking(), state) : null;
      const fresh = events
        .filter(({ id, name }) => (name === DEVICE_ADDED || name === DEVICE_REMOVED) && !notedEvents.has(id))
        .filter(({ createTime }) => history === null || createTime === null || createTime >= history)
        .toSorted((a, b) => a.id - b.id);
      for (const { id } of events) notedEvents.add(id);
      for (const event of fresh) apply(event);
      dropOldest(notedEvents, MAX_NOTED_EVENTS);
    },
  };
}

/** Events before this time are covered by a walk; null when there was none. */
function startOfKnownEvents(walking: RunningWalk | null, state: IndexState): Instant | null {
  const since = walking?.startedAt ?? state.lastWalk()?.asOf;
  return since === undefined ? null : later(since, -CLOCK_SKEW_MS);
}

/**
 * Up to this size, a person's list reads the fleet first when the index is older than a minute; a larger fleet is
 * read in the background.
 */
export const SMALL_FLEET = 4 * LIST_PAGE;

/** An index up to this age needs no new walk. */
export const INDEX_FRESH_MS = MINUTE;

const MIN_INTERVAL_MS = 15 * MINUTE;
const PER_PAGE_MS = 30 * SECOND;
const BACKGROUND_PER_PAGE_MS = 6 * SECOND;

/** Wait after a failed walk. */
const RETRY_MS = 5 * MINUTE;

/**
 * How often the whole fleet is read. The service lists 500 devices on a page and allows fewer than 30 such requests a
 * minute (management API in practice, 2.3) for everything that uses the key; it offers no search by name.
 *
 * New and removed devices come from the event log, which is read anyway, so a walk only adds what no event reports:
 * names, groups, addresses, states. The cost, in requests per hour:
 *
 * | devices | pages | no row older than | requests an hour | walks that show a new device as soon |
 * |--------:|------:|------------------:|-----------------:|-------------------------------------:|
 * |     240 |     1 |            15 min |               12 |                                  720 |
 * |  10,000 |    20 |            17 min |               81 |                                5,280 |
 * | 100,000 |   200 |           114 min |              107 |                               48,480 |
 *
 * Each walk also reads one page of groups and one of policies. A row is at most as old as the interval plus the
 * duration of the walk. The last column is a walk every 15 seconds, as often as the event log is read: for 10,000
 * devices that is three times what the service allows.
 */
export function walkIntervalMs(devices: number): number {
  return Math.max(MIN_INTERVAL_MS, listPages(devices) * PER_PAGE_MS);
}

/** The age in milliseconds from which a request for the index of a large fleet starts a walk in the background. */
export function backgroundWalkAfterMs(devices: number): number {
  return Math.max(INDEX_FRESH_MS, listPages(devices) * BACKGROUND_PER_PAGE_MS);
}
