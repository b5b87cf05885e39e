/**
 * The last thirty days of the organization. A million events fit into a few megabytes: the searchable fields are
 * columns, oldest first, and the rest of an event is computed from its index when read.
 */
import { DAY, type Instant, instant, later, MINUTE } from '../../../lib/clock.ts';
import type { WorldDevice, WorldEvent, WorldPolicy } from '../world/model.ts';
import { createRandom } from '../world/random.ts';
import { deviceDetails, type EventKeyFields, type PastEvents } from '../world/state/event-log.ts';
import {
  deviceEventData,
  type EventSubject,
  organizationEventData,
  SIMULATED_EVENT_NAMES,
  type SimulatedEventName,
} from './event-data.ts';
import { type EventColumns, NO_SUBJECT, planHistory } from './history-plan.ts';
import { FIRST_DEVICE_ID } from './seed-fleet.ts';
import { SEEDED_POLICIES } from './seed-policies.ts';

const HISTORY_MS = 30 * DAY;

/** From this fleet size on there are ten events per device; below it a few hundred in all. */
const BUSY_DEVICES = 1_000;
const EVENTS_PER_DEVICE = 10;
const FEW_EVENTS = 380;

/** Number of events for a fleet of this size, besides the few dozen guaranteed ones. */
export function eventsFor(devices: number): number {
  return devices < BUSY_DEVICES ? FEW_EVENTS : devices * EVENTS_PER_DEVICE;
}

/** The history of `devices` before `now`. */
export function writeHistory(devices: readonly WorldDevice[], now: Instant, count: number): PastEvents {
  const columns = planHistory(
    devices,
    { oldest: later(now, -HISTORY_MS), newest: later(now, -10 * MINUTE) },
    count,
  );
  const subjects = devices.map(
    (device): EventSubject => ({ about: deviceDetails(device), family: device.platform.family }),
  );
  return {
    size: columns.at.length,
    timeAt: (position) => columns.at[position] ?? 0,
    matches: createMatch(columns),
    read: (position, id) => readEvent(columns, subjects, position, id),
  };
}

/** Compares names and policies by their numbers in the columns, so that a scan compares only numbers. */
function createMatch(columns: EventColumns): PastEvents['matches'] {
  const numbers = new Map<string, number>(SIMULATED_EVENT_NAMES.map((name, index) => [name, index]));
  return (position, { name, deviceId, policyId, userId }: EventKeyFields) => {
    if (deviceId !== undefined && columns.device[position] !== deviceId) return false;
    if (name !== undefined && columns.name[position] !== numbers.get(name)) return false;
    if (policyId !== undefined && policyAt(columns, position)?.id !== policyId) return false;
    return userId === undefined || (columns.user[position] === userId && userId !== NO_SUBJECT);
  };
}

function readEvent(
  columns: EventColumns,
  subjects: readonly EventSubject[],
  position: number,
  id: number,
): WorldEvent {
  const name = nameAt(columns, position);
  const at = instant(columns.at[position] ?? 0);
  const deviceId = columns.device[position] ?? NO_SUBJECT;
  const userId = columns.user[position] ?? NO_SUBJECT;
  const subject = subjectOf(subjects, deviceId);
  const random = createRandom(position);
  return {
    id,
    name,
    at,
    userId: userId === NO_SUBJECT ? null : userId,
    deviceId: subject === undefined ? null : deviceId,
    deviceName: subject?.about.systemname ?? null,
    policy: policyAt(columns, position),
    data:
      subject === undefined
        ? organizationEventData(name, random)
        : deviceEventData(name, random, subject, at),
  };
}

function nameAt(columns: EventColumns, position: number): SimulatedEventName {
  return SIMULATED_EVENT_NAMES[columns.name[position] ?? 0] ?? SIMULATED_EVENT_NAMES[0];
}

function policyAt(columns: EventColumns, position: number): WorldPolicy | null {
  return SEEDED_POLICIES[(columns.policy[position] ?? 0) - 1] ?? null;
}

/** Ids below those of the fleet are devices that were removed before today: known only from their events. */
function subjectOf(subjects: readonly EventSubject[], deviceId: number): EventSubject | undefined {
  if (deviceId === NO_SUBJECT) return undefined;
  if (deviceId >= FIRST_DEVICE_ID) return subjects[deviceId - FIRST_DEVICE_ID];
  const successor = subjects[deviceId % subjects.length];
  if (successor === undefined) return undefined;
  const about = { ...successor.about, systemname: `old-${successor.about.systemname}` };
  return { ...successor, about };
}
