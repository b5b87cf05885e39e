/**
 * Decides when the fleet is read: at the start, on a schedule, when somebody asks, and when events report single
 * devices.
 */

import { FleetFailure, type Lane } from '../../fleet/fleet.ts';
import type { Device, FleetEvent } from '../../fleet/model/resources.ts';
import { type Clock, later } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { IndexState } from '../device-index/index-state.ts';
import type { IndexPersistence } from '../persistence/index-persistence.ts';
import { createDeviceChanges } from './device-changes.ts';
import { type FleetListReader, type RunningWalk, refreshGroups } from './fleet-walk.ts';
import { createListJudge } from './list-judge.ts';
import { walkIntervalMs } from './refresh-pace.ts';
import { createWalks } from './walks.ts';

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
export type RefresherOptions = {
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
