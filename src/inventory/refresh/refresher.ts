/**
 * Decides when the fleet is read: at the start, on a schedule, when somebody asks, and when events report single
 * devices.
 */
import { FleetFailure, isKeyRejected, type Lane } from '../../fleet/fleet.ts';
import type { Device, FleetEvent } from '../../fleet/model/resources.ts';
import { type Clock, later, type Timer, waitOn } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { PAGE_PAUSE_MS } from '../../lib/list-pages.ts';
import type { Log } from '../../lib/log.ts';
import type { IndexState } from '../device-index/index-state.ts';
import type { IndexPersistence } from '../persistence/index-persistence.ts';
import { createDeviceChanges } from './device-changes.ts';
import {
  type FleetListReader,
  type FleetWalkOptions,
  type RunningWalk,
  refreshGroups,
  walkFleet,
} from './fleet-walk.ts';
import { createListJudge } from './list-judge.ts';
import { backgroundWalkAfterMs, RETRY_MS, SMALL_FLEET, walkIntervalMs } from './refresh-pace.ts';

type WalksOptions = Pick<FleetWalkOptions, 'fleet' | 'clock' | 'state' | 'persistence' | 'judge'> & {
  readonly log: Log;
  /** Whether this process reads the whole fleet on schedule. */
  readonly leads: () => boolean;
  readonly signal: AbortSignal;
};

export type Walks = {
  /** Starts the schedule, with a walk at once where this process leads. */
  readonly start: () => void;
  readonly stop: () => void;
  /** Moves the next scheduled walk. */
  readonly schedule: (ms: number) => void;
  /** The running walk, or else a new one in this lane. A walk for a person skips the pauses. */
  readonly walk: (lane: Lane) => RunningWalk;
  readonly walking: () => RunningWalk | null;
};

function createWalks(options: WalksOptions): Walks {
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
    start() {
      started = true;
      walkIfLeading();
    },
    stop() {
      walking?.hurry();
      timer?.cancel();
    },
    schedule,
    walk,
    walking: () => walking,
  };
}

export type Refresher = {
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** The running walk, or else a new one in this lane. A walk for a person skips the pauses. */
  readonly walk: (lane: Lane) => RunningWalk;
  /** Reads the fleet and believes lists that lack up to `most` of what is known. Throws FleetFailure. */
  readonly acceptRemovals: (most: number) => Promise<void>;
  readonly walking: () => RunningWalk | null;
  readonly readGroups: (lane: Lane) => Promise<void>;
  readonly learn: (device: Device) => void;
  readonly forget: (id: DeviceId) => void;
  readonly noteEvents: (events: readonly FleetEvent[]) => void;
  /** Loads what other replicas have learned; never throws. */
  readonly followReplicas: () => Promise<void>;
  /** From now on this process reads the fleet, as soon as a walk is due. */
  readonly lead: () => void;
};
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
export function createRefresher(options: RefresherOptions): Refresher {
  const { fleet, clock, state, persistence, log, leads = () => true } = options;
  const shutdown = new AbortController();
  const { signal } = shutdown;
  const judge = createListJudge({ clock, state });
  const walks = createWalks({ fleet, clock, state, persistence, judge, log, leads, signal });
  const { walking } = walks;
  const changes = createDeviceChanges({ fleet, state, persistence, log, walking, signal });
  let following: Promise<void> | null = null;

  const follow = async (): Promise<void> => {
    try {
      await persistence.followReplicas(changes.applyReplicaChange);
      state.rowStore.sortPending();
    } catch (error) {
      log.warn(
        { event: 'inventory.not-followed', err: error },
        'could not load device changes from other replicas',
      );
    }
  };

  return {
    followReplicas() {
      following ??= follow().finally(() => {
        following = null;
      });
      return following;
    },
    lead() {
      const asOf = state.lastWalk()?.asOf;
      const dueAt = asOf === undefined ? clock.now() : later(asOf, walkIntervalMs(state.rowStore.size()));
      if (walking() === null) walks.schedule(Math.max(dueAt - clock.now(), 0));
    },
    async start() {
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
    async stop() {
      shutdown.abort(new Error('stopped'));
      walks.stop();
      await Promise.allSettled([walking()?.done, changes.settled(), following]);
      await persistence.flush();
    },
    async acceptRemovals(most) {
      judge.accept(most);
      try {
        await walks.walk('person').done;
      } finally {
        judge.accept(0);
      }
    },
    walk: walks.walk,
    walking,
    readGroups: (lane) => refreshGroups({ fleet, state, judge, lane, signal }),
    learn: changes.learn,
    forget: changes.forget,
    noteEvents: changes.noteEvents,
  };
}

/** Whether a read failed because of the service, so that known data may be used instead. */
export function isOutage(error: unknown): boolean {
  return error instanceof FleetFailure;
}
