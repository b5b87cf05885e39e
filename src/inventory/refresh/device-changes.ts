/** Changes of single devices: learned from reads, from events of the log, and from other replicas. */
import { DEVICE_ADDED, DEVICE_REMOVED } from '../../fleet/model/event-names.ts';
import type { Device, FleetEvent } from '../../fleet/model/resources.ts';
import { nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { DeviceId, EventId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { dropOldest } from '../../lib/newest.ts';
import type { IndexState } from '../device-index/index-state.ts';
import type { ApplyReplicaChange } from '../persistence/index-persistence.ts';
import { type FleetWalkOptions, indexDevice, type RunningWalk } from './fleet-walk.ts';

export type DeviceChangesOptions = Pick<FleetWalkOptions, 'fleet' | 'state' | 'persistence'> & {
  readonly log: Log;
  /** What is learned during a walk is newer than the walk's pages. */
  readonly walking: () => RunningWalk | null;
  readonly signal: AbortSignal;
};

export type DeviceChanges = {
  readonly learn: (device: Device) => void;
  /** Drops a device that was just removed from the service. */
  readonly forget: (id: DeviceId) => void;
  readonly noteEvents: (events: readonly FleetEvent[]) => void;
  readonly applyReplicaChange: ApplyReplicaChange;
  /** Resolves when no single device is being read. */
  readonly settled: () => Promise<void>;
};

/** How far the service's clock may be behind ours. */
const CLOCK_SKEW_MS = 15 * MINUTE;
/** Maximum events that are remembered, so that an event that is listed again is not applied again. */
const MAX_NOTED_EVENTS = 5_000;

export function createDeviceChanges(options: DeviceChangesOptions): DeviceChanges {
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
    settled: () => reading,
    noteEvents(events) {
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
