/**
 * Decides when the fleet is read: at the start, on a schedule, when somebody asks, and when events report single
 * devices.
 */

import { FleetFailure, type Lane } from '../../fleet/fleet.ts';
import { DEVICE_ADDED, DEVICE_REMOVED } from '../../fleet/model/event-names.ts';
import type { Device, FleetEvent } from '../../fleet/model/resources.ts';
import { type Clock, type Instant, later, MINUTE, type Timer } from '../../lib/clock.ts';
import type { DeviceId, EventId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { dropOldest } from '../caches.ts';
import type { IndexState } from '../device-index/index-state.ts';
import type { ApplyReplicaChange, IndexPersistence } from '../persistence/index-persistence.ts';
import {
  type FleetListReader,
  type FleetWalkOptions,
  indexDevice,
  type RunningWalk,
  readDeviceIfThere,
  refreshGroups,
  walkFleet,
} from './fleet-walk.ts';
import { PAGE_PAUSE_MS, RETRY_MS, SMALL_FLEET, walkIntervalMs } from './refresh-pace.ts';

export type Refresher = {
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** The running walk, or else a new one in this lane. A walk for a person skips the pauses. */
  readonly walk: (lane: Lane) => RunningWalk;
  readonly walking: () => RunningWalk | null;
  /** Reads only the groups. */
  readonly readGroups: (lane: Lane) => Promise<void>;
  readonly learn: (device: Device) => void;
  readonly noteEvents: (events: readonly FleetEvent[]) => void;
  /** Loads what other replicas have learned; never throws. */
  readonly followReplicas: () => Promise<void>;
  /** From now on this process reads the fleet, as soon as a walk is due. */
  readonly lead: () => void;
};
export type RefresherOptions = {
  readonly fleet: FleetListReader;
  readonly clock: Clock;
  readonly state: IndexState;
  readonly persistence: IndexPersistence;
  readonly log: Log;
  /** Whether this process reads the whole fleet on schedule; the others load what it saves. */
  readonly leads?: () => boolean;
};

/** How far the service's clock may be behind ours. */
const CLOCK_SKEW_MS = MINUTE;
/** Maximum events that are remembered, so that an event that is listed again is not applied again. */
const MAX_NOTED_EVENTS = 5_000;

/** Reads nothing before `start` or the first `walk`. */
export function createRefresher(options: RefresherOptions): Refresher {
  const { fleet, clock, state, persistence, log, leads = () => true } = options;
  const shutdown = new AbortController();
  const { signal } = shutdown;
  const notedEvents = new Set<EventId>();
  let walking: RunningWalk | null = null;
  let timer: Timer | undefined;
  let started = false;
  let following: Promise<void> | null = null;
  /** Reads of single devices, one after the other. */
  let reading: Promise<void> = Promise.resolve();
  const background: Pick<FleetWalkOptions, 'fleet' | 'lane' | 'signal'> = {
    fleet,
    lane: 'background',
    signal,
  };

  const schedule = (ms: number): void => {
    timer?.cancel();
    if (!started || signal.aborted) return;
    timer = clock.at(later(clock.now(), ms), () => {
      if (leads()) walk('background');
      else schedule(walkIntervalMs(state.rowStore.size()));
    });
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
      if (state.lastWalk() !== null) await pauseBetweenPages(clock, hurried.promise);
    };
    const done = walkFleet({ fleet, clock, state, persistence, lane, signal, onPage, since }).finally(() => {
      walking = null;
    });
    done.then(
      () => schedule(walkIntervalMs(state.rowStore.size())),
      (error: unknown) => {
        if (signal.aborted) return;
        log.warn({ event: 'inventory.failed', err: error }, 'could not read the fleet');
        schedule(RETRY_MS);
      },
    );
    const startedAt = clock.now();
    return { startedAt, done, large: large.promise, total: () => total, hurry: hurried.resolve, since };
  };

  const learn = (device: Device): void => {
    if (device.deleted === true) {
      remove(device.id);
      return;
    }
    walking?.since.seen.add(device.id);
    walking?.since.removed.delete(device.id);
    indexDevice({ state, persistence }, device);
  };
  const remove = (id: DeviceId): void => {
    walking?.since.removed.add(id);
    walking?.since.seen.delete(id);
    if (state.rowStore.remove(id)) persistence.drop([id]);
  };
  const readAdded = (id: DeviceId): void => {
    reading = reading
      .then(async () => {
        if (signal.aborted || state.rowStore.get(id) !== undefined) return;
        const read = await readDeviceIfThere(background, id);
        if (read !== 'gone' && read !== 'unknown') learn(read);
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
    const { seen, removed } = walking?.since ?? { seen: new Set(), removed: new Set() };
    (row === null ? removed : seen).add(id);
    (row === null ? seen : removed).delete(id);
    if (row === null) state.rowStore.remove(id);
    else state.rowStore.put(row);
  };

  const follow = async (): Promise<void> => {
    try {
      await persistence.followReplicas(applyReplicaChange);
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
      if (walking === null) schedule(Math.max(dueAt - clock.now(), 0));
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
      started = true;
      if (leads()) walk('background');
      else schedule(walkIntervalMs(state.rowStore.size()));
    },
    async stop() {
      shutdown.abort(new Error('stopped'));
      walking?.hurry();
      timer?.cancel();
      await Promise.allSettled([walking?.done, reading, following]);
      await persistence.flush();
    },
    walk,
    walking: () => walking,
    readGroups: (lane) => refreshGroups({ fleet, state, lane, signal }),
    learn,
    noteEvents(events) {
      // Events from before the start are history, which the walk at the start covers.
      const history = notedEvents.size === 0 ? startOfKnownEvents(walking, state) : null;
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

/** Pauses between two pages, unless somebody waits. */
async function pauseBetweenPages(clock: Clock, hurried: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = clock.at(later(clock.now(), PAGE_PAUSE_MS), over.resolve);
  await Promise.race([over.promise, hurried]);
  timer.cancel();
}

/** Whether a read failed because of the service, so that known data may be used instead. */
export function isOutage(error: unknown): boolean {
  return error instanceof FleetFailure;
}
