/** Which events the history has: when each was, its name, and whom it is about. Their data is not made here. */
import { DAY, HOUR, type Instant, later, MINUTE } from '../../../clock.ts';
import type { Device, Policy } from '../world/model.ts';
import { byId, policiesOf } from '../world/policies.ts';
import { createRandom, type Random } from '../world/random.ts';
import { GROUPS } from './groups.ts';
import { EVENT_NAMES, type EventName } from './happenings.ts';
import { CONSOLE_USERS } from './organization.ts';
import { POLICIES } from './policies.ts';

/** Stands in a column where no device, policy or person is meant. */
export const NOBODY = 0;

/** Oldest first. Names and policies are places in their lists; those of policies count from 1. */
export type Columns = {
  readonly at: Float64Array;
  readonly name: Uint8Array;
  readonly device: Int32Array;
  readonly policy: Uint8Array;
  readonly user: Uint16Array;
};

export type Span = { readonly oldest: Instant; readonly newest: Instant };

type Planned = {
  readonly name: EventName;
  readonly at: number;
  readonly device?: number | undefined;
  readonly policy?: number | undefined;
  readonly user?: number | undefined;
};

/** How often each thing happens, out of all of these. */
const USUAL: readonly EventName[] = [
  ...times(9, 'system.patch.applied'),
  ...times(3, 'system.patch.failed'),
  ...times(6, 'system.policy.action'),
  ...times(2, 'system.notification.sent'),
  'system.notification.response',
  'system.patch.uninstall',
  'system.group.action',
  'user.login',
  'user.logout',
];

/** Every device that people know by name has at least these. */
const ON_NAMED_DEVICES: readonly EventName[] = [
  'system.patch.applied',
  'system.patch.applied',
  'system.patch.failed',
  'system.policy.action',
  'system.notification.sent',
];

/** What happens to an organization once in a while, by how long ago it was. */
const RARE: readonly (readonly [EventName, number])[] = [
  ['slack.app.added', 27 * DAY + 5 * HOUR],
  ['user.create', 26 * DAY + 3 * HOUR],
  ['saml.user.create', 19 * DAY + 8 * HOUR],
  ['slack.app.reinstalled', 12 * DAY + 2 * HOUR],
  ['org.exceeded_endpoint_limit', 8 * DAY + 7 * HOUR],
  ['user.removed', 4 * DAY + 6 * HOUR],
];

const BY_PEOPLE: ReadonlySet<EventName> = new Set<EventName>([
  'user.login',
  'user.logout',
  'user.create',
  'user.removed',
  'system.group.action',
]);
const OF_ORGANIZATION: ReadonlySet<EventName> = new Set<EventName>([
  ...BY_PEOPLE,
  'saml.user.create',
  'slack.app.added',
  'slack.app.reinstalled',
  'org.exceeded_endpoint_limit',
]);

const FIRST_GONE_ID = 3_001;
const GONE_MIN = 3;
const GONE_MAX = 900;
/** One device of so many left in the last thirty days. */
const DEVICES_PER_GONE = 400;

/** An agent writes its last event a while before it is gone. */
const LAST_WORD_MS = 10 * MINUTE;
/** How many devices are looked at for one that was there at the time. */
const TRIES = 8;

const ORGANIZED = { groups: byId(GROUPS), policies: byId(POLICIES) };
const POLICY_NUMBER = new Map(POLICIES.map((policy, index) => [policy, index + 1]));
const LINKED = new Map(
  GROUPS.map((group) => [group.id, numbersOf(policiesOf(ORGANIZED, { groupId: group.id }))]),
);
const PATCHING = numbersOf(POLICIES.filter(({ type }) => type === 'patch'));
const ANY = numbersOf(POLICIES);

/** `count` usual events in `span`, and those that stand for certain, in the order of their times. */
export function planHistory(devices: readonly Device[], span: Span, count: number): Columns {
  const random = createRandom('history');
  const sure = certain(random, devices, span).toSorted((a, b) => a.at - b.at);
  const columns = emptyColumns(count + sure.length);
  const slot = (span.newest - span.oldest) / count;
  const present = presenceOf(devices);
  let [place, nextSure] = [0, 0];
  const takeUntil = (at: number): void => {
    for (let event = sure[nextSure]; event !== undefined && event.at <= at; event = sure[++nextSure])
      put(columns, place++, event);
  };
  for (let index = 0; index < count; index++) {
    const at = Math.floor(span.oldest + (index + random.next()) * slot);
    takeUntil(at);
    put(columns, place++, usual(random, devices, present, at));
  }
  takeUntil(Number.POSITIVE_INFINITY);
  return columns;
}

/** Whether the device at this place was there at the time. In columns: a million looks at objects cost a second. */
function presenceOf(devices: readonly Device[]): (index: number, at: number) => boolean {
  const from = Float64Array.from(devices, ({ createTime }) => createTime);
  const to = Float64Array.from(devices, ({ lastSeen }) => lastSeen - LAST_WORD_MS);
  return (index, at) => (from[index] ?? Number.NaN) <= at && at <= (to[index] ?? Number.NaN);
}

function usual(
  random: Random,
  devices: readonly Device[],
  isPresent: (index: number, at: number) => boolean,
  at: number,
): Planned {
  const name = random.pick(USUAL);
  if (OF_ORGANIZATION.has(name)) return byPerson(random, name, at);
  for (let tries = 0; tries < TRIES; tries++) {
    const index = random.int(0, devices.length - 1);
    const device = isPresent(index, at) ? devices[index] : undefined;
    if (device !== undefined) return on(random, device, name, at);
  }
  return byPerson(random, 'user.login', at);
}

function byPerson(random: Random, name: EventName, at: number): Planned {
  return BY_PEOPLE.has(name) ? { name, at, user: random.pick(CONSOLE_USERS).id } : { name, at };
}

function on(random: Random, device: Device, name: EventName, at: number): Planned {
  return { name, at, device: device.id, policy: policyFor(random, device, name) };
}

function policyFor(random: Random, device: Device, name: EventName): number {
  if (name === 'system.policy.action') {
    const linked = LINKED.get(device.groupId) ?? [];
    return random.pick(linked.length > 0 ? linked : ANY);
  }
  return name === 'system.patch.applied' && random.chance(0.6) ? random.pick(PATCHING) : NOBODY;
}

function certain(random: Random, devices: readonly Device[], span: Span): readonly Planned[] {
  const onNamed = devices
    .filter(({ reserved }) => reserved)
    .flatMap((device) =>
      ON_NAMED_DEVICES.map((name) => {
        const newest = device.lastSeen - LAST_WORD_MS;
        const oldest = Math.max(newest - (span.newest - span.oldest), device.createTime);
        return on(random, device, name, random.int(oldest, newest));
      }),
    );
  const added = devices
    .filter(({ createTime }) => createTime > span.oldest)
    .map(({ id, createTime }): Planned => ({ name: 'system.add', at: createTime, device: id }));
  const rare = RARE.map(([name, ago]) => byPerson(random, name, later(span.newest, -ago)));
  return [...onNamed, ...added, ...gone(devices.length, span), ...rare];
}

/** Devices that left before today: known only from their events. */
function gone(devices: number, { newest }: Span): readonly Planned[] {
  const count = Math.min(Math.max(GONE_MIN, Math.floor(devices / DEVICES_PER_GONE)), GONE_MAX);
  return Array.from({ length: count }, (_, index) => ({
    name: 'system.delete',
    at: Math.floor(newest - 2 * DAY - (index * 27 * DAY) / count),
    device: FIRST_GONE_ID + index,
  }));
}

function emptyColumns(size: number): Columns {
  return {
    at: new Float64Array(size),
    name: new Uint8Array(size),
    device: new Int32Array(size),
    policy: new Uint8Array(size),
    user: new Uint16Array(size),
  };
}

const NAME_NUMBER = new Map<EventName, number>(EVENT_NAMES.map((name, index) => [name, index]));

function put(columns: Columns, place: number, { name, at, device, policy, user }: Planned): void {
  columns.at[place] = at;
  columns.name[place] = NAME_NUMBER.get(name) ?? 0;
  columns.device[place] = device ?? NOBODY;
  columns.policy[place] = policy ?? NOBODY;
  columns.user[place] = user ?? NOBODY;
}

function numbersOf(policies: readonly Policy[]): readonly number[] {
  return policies.flatMap((policy) => POLICY_NUMBER.get(policy) ?? []);
}

function times(count: number, name: EventName): readonly EventName[] {
  return Array.from({ length: count }, () => name);
}
