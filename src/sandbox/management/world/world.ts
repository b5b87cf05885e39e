/**
 * The state of the organization at one moment, and its seed. Time moves it only through `commands`, `orders`
 * and `life`; this file knows none of them, and nothing here knows HTTP.
 */
import type { Instant } from '../../../lib/clock.ts';
import { FIRST_DEVICE_ID, seedFleet } from '../seed/seed-fleet.ts';
import { SEEDED_GROUPS } from '../seed/seed-groups.ts';
import { eventsFor, writeHistory } from '../seed/seed-history.ts';
import { ORGANIZATION_ID } from '../seed/seed-organization.ts';
import { SEEDED_POLICIES } from '../seed/seed-policies.ts';
import type { WorldGroup, WorldPolicy, WorldQueueEntry } from './model.ts';
import { createRandom, type SeededRandom } from './random.ts';
import { createDeviceTable, type DeviceTable } from './state/device-table.ts';
import { createEventLog, type EventLog } from './state/event-log.ts';
import { createInstallOutcomes, type InstallOutcomes } from './state/install-outcomes.ts';
import { mapById } from './state/policy-status.ts';

const FIRST_EVENT_ID = 50_001;
const FIRST_ENTRY_ID = 900_001;

export type World = {
  readonly organizationId: number;
  /** By id, as are the policies; edits put others in their place. */
  readonly groups: Map<number, WorldGroup>;
  readonly policies: Map<number, WorldPolicy>;
  readonly devices: DeviceTable;
  readonly events: EventLog;
  /** By device; a device without commands has no entry. */
  readonly queues: Map<number, WorldQueueEntry[]>;
  /** What commanded installs will do. */
  readonly installs: InstallOutcomes;
  /** Makes the choices that an order leaves open. */
  readonly chance: SeededRandom;
  nextDeviceId: number;
  nextGroupId: number;
  nextPolicyId: number;
  nextEntryId: number;
  nextJobId: number;
};

/** How large the seed is; absent `events`: what suits the number of devices. */
export type WorldSize = { readonly devices: number; readonly events?: number | undefined };

/** The seed, as it stands at `now`. */
export function seedWorld(size: WorldSize, now: Instant): World {
  const devices = seedFleet(size.devices, now);
  const history = writeHistory(devices, now, size.events ?? eventsFor(devices.length));
  return {
    organizationId: ORGANIZATION_ID,
    groups: mapById(SEEDED_GROUPS),
    policies: mapById(SEEDED_POLICIES),
    devices: createDeviceTable(devices),
    events: createEventLog(FIRST_EVENT_ID, history),
    queues: new Map(),
    installs: createInstallOutcomes(),
    chance: createRandom('orders'),
    nextDeviceId: FIRST_DEVICE_ID + devices.length,
    nextGroupId: nextId(SEEDED_GROUPS),
    nextPolicyId: nextId(SEEDED_POLICIES),
    nextEntryId: FIRST_ENTRY_ID,
    nextJobId: 1,
  };
}

function nextId(things: readonly { readonly id: number }[]): number {
  return Math.max(...things.map(({ id }) => id)) + 1;
}
