/**
 * The last thirty days of the organization. A million events fit into a few megabytes: the searchable fields are
 * columns, oldest first, and the rest of an event is computed from its index when read.
 */
import { DAY, HOUR, type Instant, instant, later, MINUTE } from '../../../lib/clock.ts';
import { mapById, policiesOf } from '../world/devices.ts';
import {
  deviceDetails,
  type EventDetails,
  type EventKeyFields,
  namesText,
  type PastEvents,
} from '../world/event-log.ts';
import type { EventData, Family, Software, WorldDevice, WorldEvent, WorldPolicy } from '../world/model.ts';
import { createRandom, type SeededRandom } from '../world/random.ts';
import { FIRST_DEVICE_ID } from './fleet.ts';
import { CONSOLE_USERS, SEEDED_GROUPS, SEEDED_POLICIES } from './organization.ts';
import { updatesFor } from './software.ts';

const SIMULATED_EVENT_NAMES = [
  'system.patch.applied',
  'system.patch.failed',
  'system.patch.uninstall',
  'system.policy.action',
  'system.notification.sent',
  'system.notification.response',
  'system.add',
  'system.delete',
  'system.group.action',
  'user.create',
  'user.removed',
  'user.login',
  'user.logout',
  'saml.user.create',
  'slack.app.added',
  'slack.app.reinstalled',
  'org.exceeded_endpoint_limit',
] as const;
export type SimulatedEventName = (typeof SIMULATED_EVENT_NAMES)[number];

const NAME_NUMBER = new Map<string, number>(SIMULATED_EVENT_NAMES.map((name, index) => [name, index]));

const HISTORY_MS = 30 * DAY;

/** Number of events for a fleet of this size, besides the few dozen guaranteed ones. */
export function eventsFor(devices: number): number {
  return devices < 1_000 ? 380 : devices * 10;
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

/** A scan compares only numbers. */
function createMatch(columns: EventColumns): PastEvents['matches'] {
  return (position, { name, deviceId, policyId, userId }: EventKeyFields) => {
    if (deviceId !== undefined && columns.device[position] !== deviceId) return false;
    if (name !== undefined && columns.name[position] !== NAME_NUMBER.get(name)) return false;
    if (policyId === NO_SUBJECT || userId === NO_SUBJECT) return false;
    if (policyId !== undefined && columns.policy[position] !== policyId) return false;
    return userId === undefined || columns.user[position] === userId;
  };
}

function readEvent(
  columns: EventColumns,
  subjects: readonly EventSubject[],
  position: number,
  id: number,
): WorldEvent {
  const name = SIMULATED_EVENT_NAMES[columns.name[position] ?? 0] ?? SIMULATED_EVENT_NAMES[0];
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
    policy: ORGANIZED.policies.get(columns.policy[position] ?? NO_SUBJECT) ?? null,
    data:
      subject === undefined
        ? organizationEventData(name, random)
        : deviceEventData(name, random, subject, at),
  };
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

/** Column value for no device, policy or person. */
const NO_SUBJECT = 0;

/** Columns, oldest first. Names are indexes of their list; everything else is an id. */
type EventColumns = {
  readonly at: Float64Array;
  readonly name: Uint8Array;
  readonly device: Int32Array;
  readonly policy: Uint16Array;
  readonly user: Uint16Array;
};

type HistorySpan = { readonly oldest: Instant; readonly newest: Instant };

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

const FIRST_GONE_ID = 3_001;

/** An agent's last event comes this long before the device is removed. */
const LAST_WORD_MS = 10 * MINUTE;

const ORGANIZED = { groups: mapById(SEEDED_GROUPS), policies: mapById(SEEDED_POLICIES) };
const LINKED = new Map(
  SEEDED_GROUPS.map((group) => [group.id, idsOf(policiesOf(ORGANIZED, { groupId: group.id }))]),
);
const PATCHING = idsOf(SEEDED_POLICIES.filter(({ type }) => type === 'patch'));
const ANY = idsOf(SEEDED_POLICIES);

/** `count` usual events in `span`, and the guaranteed ones, in order of time. */
function planHistory(devices: readonly WorldDevice[], span: HistorySpan, count: number): EventColumns {
  const random = createRandom('history');
  const sure = certainEvents(random, devices, span).toSorted((a, b) => a.at - b.at);
  const size = count + sure.length;
  const columns: EventColumns = {
    at: new Float64Array(size),
    name: new Uint8Array(size),
    device: new Int32Array(size),
    policy: new Uint16Array(size),
    user: new Uint16Array(size),
  };
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
  if (!name.startsWith('system.') || EVENTS_BY_PEOPLE.has(name)) return eventByPerson(random, name, at);
  // A few devices are tried to find one that existed at the time.
  for (let tries = 0; tries < 8; tries++) {
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

/**
 * Devices that were removed before today: known only from their events; in the last thirty days one in 400, within
 * bounds.
 */
function removedDeviceEvents(devices: number, { newest }: HistorySpan): readonly PlannedEvent[] {
  const count = Math.min(Math.max(3, Math.floor(devices / 400)), 900);
  return Array.from({ length: count }, (_, index) => ({
    name: 'system.delete',
    at: Math.floor(newest - 2 * DAY - (index * 27 * DAY) / count),
    device: FIRST_GONE_ID + index,
  }));
}

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

function idsOf(policies: readonly WorldPolicy[]): readonly number[] {
  return policies.map(({ id }) => id);
}

function repeat(count: number, name: SimulatedEventName): readonly SimulatedEventName[] {
  return Array.from({ length: count }, () => name);
}

/** The device of an event, as it was then. */
type EventSubject = { readonly about: EventDetails; readonly family: Family };

const WITHOUT_DATA = 0.03;
const EMPTY: EventData = {};

/** The data of an event about the organization; sign-ins have none. */
export function organizationEventData(name: SimulatedEventName, random: SeededRandom): EventData | null {
  switch (name) {
    case 'user.create':
    case 'user.removed':
      return randomPerson(random);
    case 'system.group.action':
      return { text: `The settings of the group ${random.pick(NAMED_GROUPS)} were changed` };
    case 'saml.user.create':
    case 'slack.app.added':
    case 'slack.app.reinstalled':
    case 'org.exceeded_endpoint_limit':
      return EMPTY;
    default:
      return null;
  }
}

/**
 * The data of an event about a device (§6). Content that no source shows is empty or a short text. Sometimes an agent
 * sends none at all.
 */
function deviceEventData(
  name: SimulatedEventName,
  random: SeededRandom,
  subject: EventSubject,
  at: Instant,
): EventData | null {
  if (name === 'system.add' || name === 'system.delete') return subject.about;
  if (random.chance(WITHOUT_DATA)) return null;
  const updates = updatesFor(subject.family);
  const { ip, os, systemname } = subject.about;
  switch (name) {
    case 'system.patch.applied':
      return { ip, os, systemname, patches: appliedPatches(random, updates) };
    case 'system.patch.uninstall':
      return { ip, os, systemname, patches: `"${random.pick(updates).name}"` };
    case 'system.patch.failed': {
      const patches = `"${random.pick(updates).name}"`;
      return { ip, os, systemname, failure: failureReason(random, subject.family), patches };
    }
    case 'system.policy.action':
      return policyAction(random, updates);
    case 'system.notification.sent':
      return noticeEventData(notificationId(random), at);
    case 'system.notification.response':
      return { notification_id: notificationId(random), response: random.pick(['install', 'defer']) };
    default:
      return organizationEventData(name, random);
  }
}

/** A notice about something due in an hour, on a device that checked in lately. */
export function noticeEventData(notificationId: number, at: Instant): EventData {
  return {
    notification_id: notificationId,
    scheduled_time: stamp(later(at, HOUR)),
    last_process_time: stamp(later(at, -notificationId)),
  };
}

export function notificationId(random: SeededRandom): number {
  return random.int(50_000, 99_999);
}

const NAMED_GROUPS = SEEDED_GROUPS.map(({ name }) => name).filter((name) => name !== '');

function randomPerson(random: SeededRandom): EventData {
  const { email, firstname, lastname } = random.pick(CONSOLE_USERS);
  return { email, orgname: 'Example Corp', firstname, lastname, trialstart: null, trialend: null };
}

const INSTALLED = 'Installed patches:';
const ACTION_TEXTS = [INSTALLED, 'Evaluation finished.\nFeature: SMB1Protocol\nState : Disabled\n', null];
const EXIT_CODES = [0, '0', '0', 1, '1', -1_073_741_502];

/** The exit code is a text or a number (both were seen live); 0 is success, and negative codes are from Windows. */
function policyAction(random: SeededRandom, updates: readonly Software[]): EventData {
  const status = random.pick(EXIT_CODES);
  const text = random.pick(ACTION_TEXTS);
  return { text: text === INSTALLED ? `${text} "${random.pick(updates).name}"` : text, status };
}

function appliedPatches(random: SeededRandom, updates: readonly Software[]): string {
  const first = random.int(0, updates.length - 1);
  const patches = updates.slice(first, first + random.int(1, 3));
  return random.chance(0.3) ? newerForm(patches) : namesText(patches.map(({ name }) => name));
}

/** `data.patches` of newer agents: `name|version|display name|repo|reboot`, separated by commas. */
function newerForm(patches: readonly Software[]): string {
  return patches
    .map(({ name, version, displayName, repo, requiresReboot }) => {
      const patchName = (displayName ?? name).replaceAll(/[|",]/g, ' ');
      return `"${[name, version, patchName, repo, requiresReboot ? 1 : 0].join('|')}"`;
    })
    .join(',');
}

function stamp(at: Instant): string {
  return `${new Date(at - (at % 1_000)).toISOString().slice(0, 19)}+0000`;
}

const ANYWHERE = [
  'The download of the update failed: connection timed out after 300 seconds',
  'Not enough disk space: 1.2 GB needed, 0.4 GB free',
];

const REASONS: Readonly<Record<Family, readonly string[]>> = {
  Linux: [
    ...ANYWHERE,
    'dpkg: error processing archive: unable to acquire the dpkg frontend lock',
    'E: Unable to correct problems, you have held broken packages.',
    "Unpacking …\ndpkg: error processing archive (--unpack):\n trying to overwrite '/usr/bin/tool', which is also in another package\nErrors were encountered while processing.",
  ],
  Mac: [
    ...ANYWHERE,
    'installer: Error - the package is damaged or incomplete',
    'A volume owner must authorize',
  ],
  Windows: [
    ...ANYWHERE,
    'Error 0x80070643: the installer has encountered an unexpected error',
    'The update is not applicable to your computer (0x80240017)',
    'Exit code 1603: fatal error during installation',
    'Searching for updates…\nDownloading 1 of 1\nInstallation failed: 0x800f0922\nRolling back changes.',
  ],
};

/** A reason that fits any operating system family. */
export function commonFailureReason(random: SeededRandom): string {
  return random.pick(ANYWHERE);
}

export function failureReason(random: SeededRandom, family: Family): string {
  return random.pick(REASONS[family]);
}
