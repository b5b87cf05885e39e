/** Plans the event history: time, name and subject of each event. The data of events is made elsewhere. */
import { DAY, HOUR, type Instant, later, MINUTE } from '../../../lib/clock.ts';
import type { WorldDevice, WorldPolicy } from '../world/model.ts';
import { createRandom, type SeededRandom } from '../world/random.ts';
import { mapById, policiesOf } from '../world/state/policy-status.ts';
import { SIMULATED_EVENT_NAMES, type SimulatedEventName } from './event-data.ts';
import { SEEDED_GROUPS } from './seed-groups.ts';
import { CONSOLE_USERS } from './seed-organization.ts';
import { SEEDED_POLICIES } from './seed-policies.ts';

/** Column value for no device, policy or person. */
export const NO_SUBJECT = 0;

/** Columns, oldest first. Names and policies are indexes of their lists; those of policies start at 1. */
export type EventColumns = {
  readonly at: Float64Array;
  readonly name: Uint8Array;
  readonly device: Int32Array;
  readonly policy: Uint8Array;
  readonly user: Uint16Array;
};

export type HistorySpan = { readonly oldest: Instant; readonly newest: Instant };

type PlannedEvent = {
  readonly name: SimulatedEventName;
  readonly at: number;
  readonly device?: number | undefined;
  readonly policy?: number | undefined;
  readonly user?: number | undefined;
};

/** Relative frequency of each event. */
const USUAL_EVENTS: readonly SimulatedEventName[] = [
  ...repeat(9, 'system.patch.applied'),
  ...repeat(3, 'system.patch.failed'),
  ...repeat(6, 'system.policy.action'),
  ...repeat(2, 'system.notification.sent'),
  'system.notification.response',
  'system.patch.uninstall',
  'system.group.action',
  'user.login',
  'user.logout',
];

/** Every named device has at least these. */
const ON_NAMED_DEVICES: readonly SimulatedEventName[] = [
  'system.patch.applied',
  'system.patch.applied',
  'system.patch.failed',
  'system.policy.action',
  'system.notification.sent',
];

/** Rare events of the organization, by how long ago they happened. */
const RARE_EVENTS: readonly (readonly [SimulatedEventName, number])[] = [
  ['slack.app.added', 27 * DAY + 5 * HOUR],
  ['user.create', 26 * DAY + 3 * HOUR],
  ['saml.user.create', 19 * DAY + 8 * HOUR],
  ['slack.app.reinstalled', 12 * DAY + 2 * HOUR],
  ['org.exceeded_endpoint_limit', 8 * DAY + 7 * HOUR],
  ['user.removed', 4 * DAY + 6 * HOUR],
];

const EVENTS_BY_PEOPLE: ReadonlySet<SimulatedEventName> = new Set<SimulatedEventName>([
  'user.login',
  'user.logout',
  'user.create',
  'user.removed',
  'system.group.action',
]);
const ORGANIZATION_EVENTS: ReadonlySet<SimulatedEventName> = new Set<SimulatedEventName>([
  ...EVENTS_BY_PEOPLE,
  'saml.user.create',
  'slack.app.added',
  'slack.app.reinstalled',
  'org.exceeded_endpoint_limit',
]);

const FIRST_GONE_ID = 3_001;
const GONE_MIN = 3;
const GONE_MAX = 900;
/** One removed device in the last thirty days per this many devices. */
const DEVICES_PER_GONE = 400;

/** An agent's last event comes this long before the device is removed. */
const LAST_WORD_MS = 10 * MINUTE;
/** How many devices are tried to find one that existed at the time. */
const TRIES = 8;

const ORGANIZED = { groups: mapById(SEEDED_GROUPS), policies: mapById(SEEDED_POLICIES) };
const POLICY_NUMBER = new Map(SEEDED_POLICIES.map((policy, index) => [policy, index + 1]));
const LINKED = new Map(
  SEEDED_GROUPS.map((group) => [group.id, numbersOf(policiesOf(ORGANIZED, { groupId: group.id }))]),
);
const PATCHING = numbersOf(SEEDED_POLICIES.filter(({ type }) => type === 'patch'));
const ANY = numbersOf(SEEDED_POLICIES);

/** `count` usual events in `span`, and the guaranteed ones, in order of time. */
export function planHistory(devices: readonly WorldDevice[], span: HistorySpan, count: number): EventColumns {
  const random = createRandom('history');
  const sure = certainEvents(random, devices, span).toSorted((a, b) => a.at - b.at);
  const columns = emptyColumns(count + sure.length);
  const slot = (span.newest - span.oldest) / count;
  const present = presenceOf(devices);
  let [position, nextSure] = [0, 0];
  const takeUntil = (at: number): void => {
    for (let event = sure[nextSure]; event !== undefined && event.at <= at; event = sure[++nextSure])
      putEvent(columns, position++, event);
  };
  for (let index = 0; index < count; index++) {
    const at = Math.floor(span.oldest + (index + random.next()) * slot);
    takeUntil(at);
    putEvent(columns, position++, usualEvent(random, devices, present, at));
  }
  takeUntil(Number.POSITIVE_INFINITY);
  return columns;
}

/** Whether the device at this index existed at the time. In columns: a million reads of objects cost a second. */
function presenceOf(devices: readonly WorldDevice[]): (index: number, at: number) => boolean {
  const from = Float64Array.from(devices, ({ createTime }) => createTime);
  const to = Float64Array.from(devices, ({ lastSeen }) => lastSeen - LAST_WORD_MS);
  return (index, at) => (from[index] ?? Number.NaN) <= at && at <= (to[index] ?? Number.NaN);
}

function usualEvent(
  random: SeededRandom,
  devices: readonly WorldDevice[],
  isPresent: (index: number, at: number) => boolean,
  at: number,
): PlannedEvent {
  const name = random.pick(USUAL_EVENTS);
  if (ORGANIZATION_EVENTS.has(name)) return eventByPerson(random, name, at);
  for (let tries = 0; tries < TRIES; tries++) {
    const index = random.int(0, devices.length - 1);
    const device = isPresent(index, at) ? devices[index] : undefined;
    if (device !== undefined) return deviceEvent(random, device, name, at);
  }
  return eventByPerson(random, 'user.login', at);
}

function eventByPerson(random: SeededRandom, name: SimulatedEventName, at: number): PlannedEvent {
  return EVENTS_BY_PEOPLE.has(name) ? { name, at, user: random.pick(CONSOLE_USERS).id } : { name, at };
}

function deviceEvent(
  random: SeededRandom,
  device: WorldDevice,
  name: SimulatedEventName,
  at: number,
): PlannedEvent {
  return { name, at, device: device.id, policy: policyFor(random, device, name) };
}

function policyFor(random: SeededRandom, device: WorldDevice, name: SimulatedEventName): number {
  if (name === 'system.policy.action') {
    const linked = LINKED.get(device.groupId) ?? [];
    return random.pick(linked.length > 0 ? linked : ANY);
  }
  return name === 'system.patch.applied' && random.chance(0.6) ? random.pick(PATCHING) : NO_SUBJECT;
}

function certainEvents(
  random: SeededRandom,
  devices: readonly WorldDevice[],
  span: HistorySpan,
): readonly PlannedEvent[] {
  const onNamed = devices
    .filter(({ reserved }) => reserved)
    .flatMap((device) =>
      ON_NAMED_DEVICES.map((name) => {
        const newest = device.lastSeen - LAST_WORD_MS;
        const oldest = Math.max(newest - (span.newest - span.oldest), device.createTime);
        return deviceEvent(random, device, name, random.int(oldest, newest));
      }),
    );
  const added = devices
    .filter(({ createTime }) => createTime > span.oldest)
    .map(({ id, createTime }): PlannedEvent => ({ name: 'system.add', at: createTime, device: id }));
  const rare = RARE_EVENTS.map(([name, ago]) => eventByPerson(random, name, later(span.newest, -ago)));
  return [...onNamed, ...added, ...removedDeviceEvents(devices.length, span), ...rare];
}

/** Devices that were removed before today: known only from their events. */
function removedDeviceEvents(devices: number, { newest }: HistorySpan): readonly PlannedEvent[] {
  const count = Math.min(Math.max(GONE_MIN, Math.floor(devices / DEVICES_PER_GONE)), GONE_MAX);
  return Array.from({ length: count }, (_, index) => ({
    name: 'system.delete',
    at: Math.floor(newest - 2 * DAY - (index * 27 * DAY) / count),
    device: FIRST_GONE_ID + index,
  }));
}

function emptyColumns(size: number): EventColumns {
  return {
    at: new Float64Array(size),
    name: new Uint8Array(size),
    device: new Int32Array(size),
    policy: new Uint8Array(size),
    user: new Uint16Array(size),
  };
}

const NAME_NUMBER = new Map<SimulatedEventName, number>(
  SIMULATED_EVENT_NAMES.map((name, index) => [name, index]),
);

function putEvent(
  columns: EventColumns,
  position: number,
  { name, at, device, policy, user }: PlannedEvent,
): void {
  columns.at[position] = at;
  columns.name[position] = NAME_NUMBER.get(name) ?? 0;
  columns.device[position] = device ?? NO_SUBJECT;
  columns.policy[position] = policy ?? NO_SUBJECT;
  columns.user[position] = user ?? NO_SUBJECT;
}

function numbersOf(policies: readonly WorldPolicy[]): readonly number[] {
  return policies.flatMap((policy) => POLICY_NUMBER.get(policy) ?? []);
}

function repeat(count: number, name: SimulatedEventName): readonly SimulatedEventName[] {
  return Array.from({ length: count }, () => name);
}
