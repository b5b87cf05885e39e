/**
 * The last thirty days of the organization. A million events fit into a few megabytes: what events are found
 * by stands in columns, oldest first, and the rest of an event is worked out from its place when it is read.
 */
import { DAY, type Instant, instant, later, MINUTE } from '../../../clock.ts';
import { aboutDevice, type EventKeys, type Row } from '../world/event-log.ts';
import type { Device, Policy, WorldEvent } from '../world/model.ts';
import { createRandom } from '../world/random.ts';
import { FIRST_DEVICE_ID } from './fleet.ts';
import { deviceData, EVENT_NAMES, type EventName, organizationData, type Subject } from './happenings.ts';
import { type Columns, NOBODY, planHistory } from './plan.ts';
import { POLICIES } from './policies.ts';

const HISTORY_MS = 30 * DAY;

/** A fleet of this size and above has ten events a device, a smaller one a few hundred. */
const BUSY_DEVICES = 1_000;
const EVENTS_PER_DEVICE = 10;
const FEW_EVENTS = 380;

/** How many events a fleet of this size has, apart from the few dozen that stand for certain. */
export function eventsFor(devices: number): number {
  return devices < BUSY_DEVICES ? FEW_EVENTS : devices * EVENTS_PER_DEVICE;
}

/** What happened to `devices` before `now`. */
export function writeHistory(devices: readonly Device[], now: Instant, count: number): Row {
  const columns = planHistory(
    devices,
    { oldest: later(now, -HISTORY_MS), newest: later(now, -10 * MINUTE) },
    count,
  );
  const subjects = devices.map(
    (device): Subject => ({ about: aboutDevice(device), family: device.platform.family }),
  );
  return {
    size: columns.at.length,
    timeAt: (place) => columns.at[place] ?? 0,
    matches: createMatch(columns),
    read: (place, id) => readEvent(columns, subjects, place, id),
  };
}

/** Names and policies by their numbers in the columns, so that a scan compares nothing but numbers. */
function createMatch(columns: Columns): Row['matches'] {
  const numbers = new Map<string, number>(EVENT_NAMES.map((name, index) => [name, index]));
  return (place, { name, deviceId, policyId, userId }: EventKeys) => {
    if (deviceId !== undefined && columns.device[place] !== deviceId) return false;
    if (name !== undefined && columns.name[place] !== numbers.get(name)) return false;
    if (policyId !== undefined && policyAt(columns, place)?.id !== policyId) return false;
    return userId === undefined || (columns.user[place] === userId && userId !== NOBODY);
  };
}

function readEvent(columns: Columns, subjects: readonly Subject[], place: number, id: number): WorldEvent {
  const name = nameAt(columns, place);
  const at = instant(columns.at[place] ?? 0);
  const deviceId = columns.device[place] ?? NOBODY;
  const userId = columns.user[place] ?? NOBODY;
  const subject = subjectOf(subjects, deviceId);
  const random = createRandom(place);
  return {
    id,
    name,
    at,
    userId: userId === NOBODY ? null : userId,
    deviceId: subject === undefined ? null : deviceId,
    deviceName: subject?.about.systemname ?? null,
    policy: policyAt(columns, place),
    data: subject === undefined ? organizationData(name, random) : deviceData(name, random, subject, at),
  };
}

function nameAt(columns: Columns, place: number): EventName {
  return EVENT_NAMES[columns.name[place] ?? 0] ?? EVENT_NAMES[0];
}

function policyAt(columns: Columns, place: number): Policy | null {
  return POLICIES[(columns.policy[place] ?? 0) - 1] ?? null;
}

/** Ids below those of the fleet belong to devices that left before today: known only from their events. */
function subjectOf(subjects: readonly Subject[], deviceId: number): Subject | undefined {
  if (deviceId === NOBODY) return undefined;
  if (deviceId >= FIRST_DEVICE_ID) return subjects[deviceId - FIRST_DEVICE_ID];
  const successor = subjects[deviceId % subjects.length];
  if (successor === undefined) return undefined;
  const about = { ...successor.about, systemname: `old-${successor.about.systemname}` };
  return { ...successor, about };
}
