/**
 * Every event that should alert is shown exactly once. Judged from the service's log and the messages alone: each package that
 * fails is on one card of its channel, whose state, devices and fixed devices are those of the log.
 */
import {
  type Evidence,
  groupBy,
  type LoggedEvent,
  parseJsonField,
  type Rule,
  type TableRow,
} from './evidence.ts';

const RULE = 'alert shown exactly once';
const FAILED = 'system.patch.failed';
const APPLIED = 'system.patch.applied';
const REMOVED = 'system.delete';
const ADDED = 'system.add';

type Message = Evidence['messages'][number];

export const alertsShownOnce: Rule = (evidence) =>
  [...wrongDevices(evidence), ...wrongFailures(evidence)].map((what) => ({ rule: RULE, what }));

function wrongDevices(evidence: Evidence): readonly string[] {
  const channel = evidence.fixedChannels['device-added'];
  return evidence.events.flatMap((event) => {
    if (event.name !== ADDED) return [];
    const what = `event ${event.id} (device-added, ${event.device})`;
    const cards = shownIn(evidence, channel).filter(({ key }) => key === `notice:device-added-${event.id}`);
    const [card] = cards;
    if (cards.length > 1) return [`${what}: is shown ${cards.length} times`];
    if (card === undefined)
      return mayBeHeld(evidence, event, null) ? [] : [`${what}: is on no card of its channel`];
    return names(evidence, card, event) ? [] : [`${what}: its card does not name the device`];
  });
}

const shownIn = ({ messages }: Evidence, channel: string): readonly Message[] =>
  messages.filter(({ place, ephemeral }) => place === channel && !ephemeral);

/** An alert begins with the event in the key of its card, and takes what fails until the next one begins. */
type Alert = {
  readonly first: number;
  readonly cards: readonly Message[];
  readonly failures: readonly LoggedEvent[];
};

function wrongFailures(evidence: Evidence): readonly string[] {
  const failures = evidence.events.filter(({ name }) => name === FAILED);
  const packages = new Set(failures.flatMap((event) => event.packages));
  return [...packages].flatMap((name) => {
    const own = failures.filter((event) => event.packages.includes(name));
    const { alerts, alone } = alertsOf(evidence, own);
    return [
      ...alerts.flatMap((alert) => wrongAlert(evidence, name, alert)),
      ...alone
        .filter((event) => stateOf(evidence, name, [event]) === 'open' && !mayBeHeld(evidence, event, name))
        .map((event) => `event ${event.id} (${name} on ${event.device}): is on no card of its channel`),
    ];
  });
}

function alertsOf(evidence: Evidence, failures: readonly LoggedEvent[]) {
  const live = shownIn(evidence, evidence.fixedChannels['patch-failed']).flatMap((card) => {
    const [, first] = /^notice:patch-failed-(\d+)(?:\.\d+)?$/.exec(card.key ?? '') ?? [];
    const isOwn = failures.some(({ id }) => id === Number(first));
    // A card that was replaced only leads to the newer one.
    return first === undefined || !isOwn || card.state === 'posted' ? [] : [{ first: Number(first), card }];
  });
  const starts = [...new Set(live.map(({ first }) => first))].toSorted((a, b) => a - b);
  // What is read late belongs to an alert that began with a later event.
  const startOf = ({ id }: LoggedEvent) => starts.findLast((first) => first <= id) ?? starts[0];
  const alerts = starts.map((first): Alert => {
    const cards = live.filter((one) => one.first === first).map(({ card }) => card);
    return { first, cards, failures: failures.filter((event) => startOf(event) === first) };
  });
  return { alerts, alone: starts.length > 0 ? [] : failures };
}

function wrongAlert(evidence: Evidence, name: string, { first, cards, failures }: Alert): readonly string[] {
  const what = `alert ${first} (${name})`;
  const [card, ...others] = cards;
  if (card === undefined || others.length > 0) return [`${what}: is shown ${cards.length} times`];
  const devices = [...groupBy(failures, ({ deviceId }) => String(deviceId)).values()].map((events) => ({
    state: stateOf(evidence, name, events),
    mayBeHeld: events.every((event) => mayBeHeld(evidence, event, name)),
    events,
  }));
  const certain = devices.filter((device) => !device.mayBeHeld);
  const count = (some: typeof devices, state?: string) =>
    some.filter((device) => state === undefined || device.state === state).length;
  const isBetween = (shown: number | null, state?: string) =>
    shown !== null && count(certain, state) <= shown && shown <= count(devices, state);
  const [one] = devices;
  return [
    ...(isBetween(card.devices) ? [] : [`counts ${card.devices} of ${devices.length} devices`]),
    ...(isBetween(card.fixed, 'fixed') ? [] : [`counts ${card.fixed} fixed of ${count(devices, 'fixed')}`]),
    ...(statesOf(certain, devices).includes(card.state ?? '') ? [] : [`is ${card.state} on its card`]),
    ...(devices.length === 1 && one?.events[0] !== undefined && !names(evidence, card, one.events[0])
      ? ['does not name its device']
      : []),
  ].map((fault) => `${what}: ${fault}`);
}

type Device = { readonly state: 'open' | 'fixed' | 'closed' };

/** The states that its card may have: others only where a silence may hold some of its devices. */
function statesOf(certain: readonly Device[], devices: readonly Device[]): readonly string[] {
  const open = ['firing', 'acknowledged'];
  const has = (some: readonly Device[], state: string) => some.some((device) => device.state === state);
  if (has(certain, 'open')) return open;
  return [
    ...(has(devices, 'open') ? open : []),
    ...(has(devices, 'fixed') ? ['resolved'] : []),
    ...(has(certain, 'fixed') ? [] : ['closed']),
  ];
}

/** Of these failures on one device, by all that the log says of it since the last of them. */
function stateOf({ events }: Evidence, name: string, failures: readonly LoggedEvent[]): Device['state'] {
  const last = failures.toSorted(byTime).at(-1);
  if (last === undefined) return 'closed';
  const since = events.filter((event) => event.deviceId === last.deviceId && byTime(last, event) < 0);
  if (since.some((event) => event.name === APPLIED && event.packages.includes(name))) return 'fixed';
  return since.some((event) => event.name === REMOVED) ? 'closed' : 'open';
}

const byTime = (a: LoggedEvent, b: LoggedEvent) => a.at - b.at || a.id - b.id;

/** By the log's name of its device. Where somebody renamed devices, the card has a name that the log does not know. */
function names({ tables }: Evidence, card: Message, { device }: LoggedEvent): boolean {
  const isRenamed = tables.requests.some((row) => parseJsonField(row['action'])['kind'] === 'device-edit');
  const words = `${card.text} ${JSON.stringify(card.blocks)}`;
  return isRenamed || device === null || words.includes(plainPart(device));
}

/** The longest part of a name that no rendering changes. */
function plainPart(name: string): string {
  const parts = name.match(/[\w-]+/g) ?? [];
  return parts.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

/** Whether a silence that somebody asked for may hold the event: of its group nothing is known here. */
function mayBeHeld({ tables }: Evidence, event: LoggedEvent, name: string | null): boolean {
  const kind = event.name === ADDED ? 'device-added' : 'patch-failed';
  return tables.silences.some((silence) => {
    const { kinds = [], device, patch = null } = parseJsonField(silence['scope']);
    const isOfKind = !Array.isArray(kinds) || kinds.length === 0 || kinds.includes(kind);
    const isOfDevice =
      device === null || device === undefined || parseJsonField(device)['id'] === event.deviceId;
    const isOfPatch = patch === null || String(patch).toLowerCase() === name;
    return isOfKind && isOfDevice && isOfPatch && wasActive(silence, event.at);
  });
}

/** Clocks of processes may differ, and events are read late. */
const SLACK_MS = 5 * 60_000;

function wasActive(silence: TableRow, at: number): boolean {
  const ended = Number(silence['ended_at'] ?? silence['until']);
  return at >= Number(silence['created_at']) - SLACK_MS && at <= ended + SLACK_MS;
}

/** No message of a key is shown twice; a copy that only says where its card went has no key. */
export const nothingShownTwice: Rule = ({ messages }) => {
  const keyed = messages.filter(({ key, ephemeral }) => key !== null && !ephemeral);
  return [...Map.groupBy(keyed, ({ key }) => String(key))].flatMap(([key, copies]) =>
    copies.length === 1
      ? []
      : [
          {
            rule: 'message shown once',
            what: `${key} is shown ${copies.length} times (${copies.map(({ place, ts }) => `${place} ${ts}`).join(', ')})`,
          },
        ],
  );
};
