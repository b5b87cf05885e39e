/** What happened, oldest first inside; ids ascend with time. */
import type { Instant } from '../../../clock.ts';
import type { Device, EventData, Policy, WorldEvent } from './model.ts';

export type NewEvent = Pick<WorldEvent, 'name' | 'at' | 'data'> & {
  readonly device?: Pick<Device, 'id' | 'name'>;
  readonly policy?: Policy;
  readonly userId?: number;
};

export type EventFilter = {
  readonly name?: string | undefined;
  readonly deviceId?: number | undefined;
  readonly policyId?: number | undefined;
  readonly userId?: number | undefined;
  /** Included. */
  readonly from?: Instant | undefined;
  /** Not included. */
  readonly before?: Instant | undefined;
};

export type EventLog = {
  readonly append: (event: NewEvent) => WorldEvent;
  /** Newest first. */
  readonly page: (filter: EventFilter, slice: { skip: number; take: number }) => readonly WorldEvent[];
  readonly count: (filter: EventFilter) => number;
};

/** A log whose next event gets the id `firstId`. */
export function createEventLog(firstId: number): EventLog {
  const events: WorldEvent[] = [];

  return {
    append(event) {
      const added = complete(event, firstId + events.length);
      events.push(added);
      return added;
    },
    page(filter, { skip, take }) {
      const found: WorldEvent[] = [];
      let left = skip;
      for (let index = events.length - 1; index >= 0 && found.length < take; index--) {
        const event = events[index];
        if (event === undefined || !matches(event, filter)) continue;
        if (left > 0) left--;
        else found.push(event);
      }
      return found;
    },
    count: (filter) => events.reduce((total, event) => total + (matches(event, filter) ? 1 : 0), 0),
  };
}

function complete(event: NewEvent, id: number): WorldEvent {
  return {
    id,
    name: event.name,
    at: event.at,
    userId: event.userId ?? null,
    deviceId: event.device?.id ?? null,
    deviceName: event.device?.name ?? null,
    policy: event.policy ?? null,
    data: event.data,
  };
}

function matches(event: WorldEvent, filter: EventFilter): boolean {
  if (filter.name !== undefined && event.name !== filter.name) return false;
  if (filter.deviceId !== undefined && event.deviceId !== filter.deviceId) return false;
  if (filter.policyId !== undefined && event.policy?.id !== filter.policyId) return false;
  if (filter.userId !== undefined && event.userId !== filter.userId) return false;
  if (filter.from !== undefined && event.at < filter.from) return false;
  return filter.before === undefined || event.at < filter.before;
}

/** What every event about a device says of it (system.add, .delete, .patch.applied, .patch.failed). */
export function aboutDevice(device: Device): EventData {
  return {
    ip: device.addresses[0] ?? device.privateAddresses[0] ?? null,
    os: `${device.platform.osName} ${device.platform.osVersion}`,
    systemname: device.name,
  };
}

/** `data.patches` in its older form: quoted names with spaces between. */
export function quotedNames(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' ');
}
