/**
 * The state of the organization at one moment, and its seed. The files in `activity` change it over time; this file
 * knows neither them nor HTTP.
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
  /** By id, like the policies; edits replace entries. */
  readonly groups: Map<number, WorldGroup>;
  readonly policies: Map<number, WorldPolicy>;
  readonly devices: DeviceTable;
  readonly events: EventLog;
  /** By device; a device without commands has no entry. */
  readonly queues: Map<number, WorldQueueEntry[]>;
  /** The outcome of commanded installs. */
  readonly installs: InstallOutcomes;
  /** Makes the choices that a request leaves open. */
  readonly chance: SeededRandom;
  nextDeviceId: number;
  nextGroupId: number;
  nextPolicyId: number;
  nextEntryId: number;
  nextJobId: number;
};

/** Size of the seed; absent `events`: a number that fits the number of devices. */
export type WorldSize = { readonly devices: number; readonly events?: number | undefined };

/** The seed, as it is at `now`. */
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
