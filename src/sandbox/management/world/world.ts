/**
 * The state of the organization at one moment, and its seed. Time moves it only through `commands`, `orders`
 * and `life`; this file knows none of them, and nothing here knows HTTP.
 */
import type { Instant } from '../../../clock.ts';
import { FIRST_DEVICE_ID, seedFleet } from '../seed/fleet.ts';
import { writeHistory } from '../seed/history.ts';
import { GROUPS, ORGANIZATION_ID, POLICIES } from '../seed/organization.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import type { Device, Group, Policy, QueueEntry } from './model.ts';
import { byId } from './policies.ts';
import { createRandom, type Random } from './random.ts';

export const FIRST_EVENT_ID = 50_001;
const FIRST_ENTRY_ID = 900_001;

export type World = {
  readonly organizationId: number;
  /** By id, as are the policies; edits put others in their place. */
  readonly groups: Map<number, Group>;
  readonly policies: Map<number, Policy>;
  /** By id, ids ascending. */
  readonly devices: Map<number, Device>;
  readonly events: EventLog;
  /** By device; a device without commands has no entry. */
  readonly queues: Map<number, QueueEntry[]>;
  /** Makes the choices that an order leaves open. */
  readonly chance: Random;
  nextDeviceId: number;
  nextGroupId: number;
  nextPolicyId: number;
  nextEntryId: number;
};

/** The seed, as it stands at `now`. */
export function seedWorld(deviceCount: number, now: Instant): World {
  const devices = seedFleet(deviceCount, now);
  const events = createEventLog(FIRST_EVENT_ID);
  writeHistory(events, devices, now);
  return {
    organizationId: ORGANIZATION_ID,
    groups: byId(GROUPS),
    policies: byId(POLICIES),
    devices: new Map(devices.map((device) => [device.id, device])),
    events,
    queues: new Map(),
    chance: createRandom('orders'),
    nextDeviceId: FIRST_DEVICE_ID + devices.length,
    nextGroupId: nextId(GROUPS),
    nextPolicyId: nextId(POLICIES),
    nextEntryId: FIRST_ENTRY_ID,
  };
}

function nextId(things: readonly { readonly id: number }[]): number {
  return Math.max(...things.map(({ id }) => id)) + 1;
}
