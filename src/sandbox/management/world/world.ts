/**
 * The state of the organization at one moment, and its seed. Time moves it only through `commands`, `orders`
 * and `life`; this file knows none of them, and nothing here knows HTTP.
 */
import type { Instant } from '../../../clock.ts';
import { FIRST_DEVICE_ID, seedFleet } from '../seed/fleet.ts';
import { GROUPS } from '../seed/groups.ts';
import { eventsFor, writeHistory } from '../seed/history.ts';
import { ORGANIZATION_ID } from '../seed/organization.ts';
import { POLICIES } from '../seed/policies.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { createInstalls, type Installs } from './installs.ts';
import type { Group, Policy, QueueEntry } from './model.ts';
import { byId } from './policies.ts';
import { createRandom, type Random } from './random.ts';

const FIRST_EVENT_ID = 50_001;
const FIRST_ENTRY_ID = 900_001;

export type World = {
  readonly organizationId: number;
  /** By id, as are the policies; edits put others in their place. */
  readonly groups: Map<number, Group>;
  readonly policies: Map<number, Policy>;
  readonly devices: Fleet;
  readonly events: EventLog;
  /** By device; a device without commands has no entry. */
  readonly queues: Map<number, QueueEntry[]>;
  /** What commanded installs will do. */
  readonly installs: Installs;
  /** Makes the choices that an order leaves open. */
  readonly chance: Random;
  nextDeviceId: number;
  nextGroupId: number;
  nextPolicyId: number;
  nextEntryId: number;
  nextJobId: number;
};

/** How large the seed is; absent `events`: what suits the number of devices. */
export type Size = { readonly devices: number; readonly events?: number | undefined };

/** The seed, as it stands at `now`. */
export function seedWorld(size: Size, now: Instant): World {
  const devices = seedFleet(size.devices, now);
  const history = writeHistory(devices, now, size.events ?? eventsFor(devices.length));
  return {
    organizationId: ORGANIZATION_ID,
    groups: byId(GROUPS),
    policies: byId(POLICIES),
    devices: createFleet(devices),
    events: createEventLog(FIRST_EVENT_ID, history),
    queues: new Map(),
    installs: createInstalls(),
    chance: createRandom('orders'),
    nextDeviceId: FIRST_DEVICE_ID + devices.length,
    nextGroupId: nextId(GROUPS),
    nextPolicyId: nextId(POLICIES),
    nextEntryId: FIRST_ENTRY_ID,
    nextJobId: 1,
  };
}

function nextId(things: readonly { readonly id: number }[]): number {
  return Math.max(...things.map(({ id }) => id)) + 1;
}
