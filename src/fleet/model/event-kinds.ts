/** The events of the log (§6): their names there, the kinds that people know, and what of their text is shown. Pure. */
import { fold } from '../../lib/text.ts';
import type { FleetEvent, PatchMention } from './resources.ts';

/** The event names that the product acts on (§6). A service may send others: a name is an open string. */
export const PATCH_FAILED = 'system.patch.failed';
export const PATCH_APPLIED = 'system.patch.applied';
export const POLICY_ACTION = 'system.policy.action';
export const DEVICE_ADDED = 'system.add';
export const DEVICE_REMOVED = 'system.delete';
export const PATCH_UNINSTALLED = 'system.patch.uninstall';

type EventKindWords = {
  /** Shown on screen; everywhere else a kind is named by its key. */
  readonly title: string;
  /** Singular and plural after a number: `1 patch failure`, `12 patch failures`. */
  readonly one: string;
  readonly many: string;
  /** Other words that people may type for it. They are understood and never shown. */
  readonly also: readonly string[];
};

export const EVENT_KINDS = {
  'patch-failed': {
    title: 'Patch failed',
    one: 'patch failure',
    many: 'patch failures',
    also: ['failed patches', 'failures'],
  },
  'patch-installed': {
    title: 'Patch installed',
    one: 'installed patch',
    many: 'installed patches',
    also: ['applied patches', 'patches'],
  },
  'patch-removed': {
    title: 'Patch uninstalled',
    one: 'uninstalled patch',
    many: 'uninstalled patches',
    also: ['patch removals'],
  },
  'device-added': {
    title: 'Device added',
    one: 'new device',
    many: 'new devices',
    also: ['added devices', 'device additions'],
  },
  'device-removed': {
    title: 'Device removed',
    one: 'removed device',
    many: 'removed devices',
    also: ['deleted devices', 'device removals'],
  },
  'policy-failed': {
    title: 'Policy failed',
    one: 'policy failure',
    many: 'policy failures',
    also: ['failed policies'],
  },
  'policy-run': { title: 'Policy ran', one: 'policy run', many: 'policy runs', also: ['policy successes'] },
  'group-changed': {
    title: 'Group action',
    one: 'group action',
    many: 'group actions',
    also: ['group changes'],
  },
  'notification-sent': {
    title: 'Notification sent',
    one: 'notification',
    many: 'notifications',
    also: ['sent notifications'],
  },
  'notification-answered': {
    title: 'Notification answered',
    one: 'answered notification',
    many: 'answered notifications',
    also: ['notification answers', 'notification responses'],
  },
  'user-added': { title: 'User added', one: 'new user', many: 'new users', also: ['added users'] },
  'user-removed': {
    title: 'User removed',
    one: 'removed user',
    many: 'removed users',
    also: ['deleted users'],
  },
  'signed-in': { title: 'Signed in', one: 'sign-in', many: 'sign-ins', also: ['logins'] },
  'signed-out': { title: 'Signed out', one: 'sign-out', many: 'sign-outs', also: ['logouts'] },
  'limit-exceeded': {
    title: 'Device limit exceeded',
    one: 'exceeded device limit',
    many: 'exceeded device limits',
    also: ['device limit', 'endpoint limit'],
  },
  'slack-app': {
    title: 'Slack app changed',
    one: 'Slack app change',
    many: 'Slack app changes',
    also: ['slack apps'],
  },
} as const satisfies Readonly<Record<string, EventKindWords>>;

export type EventKind = keyof typeof EVENT_KINDS;

/** In the order in which they are offered. */
export const EVENT_KIND_NAMES = Object.keys(EVENT_KINDS) as readonly EventKind[]; // the keys of the object above

const KIND_BY_LOG_NAME: ReadonlyMap<string, EventKind> = new Map([
  [PATCH_FAILED, 'patch-failed'],
  [PATCH_APPLIED, 'patch-installed'],
  [PATCH_UNINSTALLED, 'patch-removed'],
  [DEVICE_ADDED, 'device-added'],
  [DEVICE_REMOVED, 'device-removed'],
  ['system.group.action', 'group-changed'],
  ['system.notification.sent', 'notification-sent'],
  ['system.notification.response', 'notification-answered'],
  ['user.create', 'user-added'],
  ['saml.user.create', 'user-added'],
  ['user.removed', 'user-removed'],
  ['user.login', 'signed-in'],
  ['user.logout', 'signed-out'],
  ['org.exceeded_endpoint_limit', 'limit-exceeded'],
  ['slack.app.added', 'slack-app'],
  ['slack.app.reinstalled', 'slack-app'],
]);

/** All names of §6. */
export const LOG_EVENT_NAMES: readonly string[] = [...KIND_BY_LOG_NAME.keys(), POLICY_ACTION].toSorted();

/**
 * The kind of this event; null for a name that is newer than §6.
 *
 * Assumption (§6): a policy action failed if it states an exit code other than 0; without an exit code it did not
 * report a failure.
 */
export function eventKindOf({ name, exitCode }: Pick<FleetEvent, 'name' | 'exitCode'>): EventKind | null {
  if (name === POLICY_ACTION) return exitCode === null || exitCode === 0 ? 'policy-run' : 'policy-failed';
  return KIND_BY_LOG_NAME.get(name) ?? null;
}

/** The exact name in the log of an event that no kind has. Names of the log have dots (§6), kinds have none. */
export type OtherEventName = `${string}.${string}`;
export type AnyEventKind = EventKind | OtherEventName;

/** Our own limit; the longest name of §6 has 28 characters. */
const MAX_NAME_LENGTH = 100;
const LOG_NAME = /^[a-z0-9]\w*(?:\.\w+)+$/i;

/** Whether the text can be the name of an event that no kind has. */
export function isOtherEventName(text: string): text is OtherEventName {
  return text.length <= MAX_NAME_LENGTH && LOG_NAME.test(text) && !LOG_EVENT_NAMES.includes(text);
}

/** The kind of the event, or its name where no kind has it; null for a name that cannot be subscribed to. */
export function anyEventKindOf(event: Pick<FleetEvent, 'name' | 'exitCode'>): AnyEventKind | null {
  return eventKindOf(event) ?? (isOtherEventName(event.name) ? event.name : null);
}

/** The words of a kind. An event that no kind has keeps its name. */
export function kindWords(kind: AnyEventKind): Pick<EventKindWords, 'title' | 'one' | 'many'> {
  return isEventKind(kind)
    ? EVENT_KINDS[kind]
    : { title: kind, one: `${kind} event`, many: `${kind} events` };
}

/** Kinds as people read them, such as `Patch failed, Device added`. */
export function eventKindTitles(kinds: readonly AnyEventKind[]): string {
  return kinds.map((kind) => kindWords(kind).title).join(', ');
}

/** The event names in the log (§6) that belong to this kind, some or all of their events. */
export function logNamesOfKind(kind: EventKind): readonly string[] {
  if (kind === 'policy-run' || kind === 'policy-failed') return [POLICY_ACTION];
  return [...KIND_BY_LOG_NAME].flatMap(([name, known]) => (known === kind ? [name] : []));
}

/** Finds a kind by its key, by any of its words, or by its name in the log where that name has one meaning. */
const KIND_BY_TYPED_WORD: ReadonlyMap<string, EventKind> = new Map([
  ...EVENT_KIND_NAMES.flatMap((kind) => {
    const { title, one, many, also } = EVENT_KINDS[kind];
    return [kind, title, one, many, ...also].map((word) => [fold(word), kind] as const);
  }),
  ...[...KIND_BY_LOG_NAME].filter(([, kind]) => logNamesOfKind(kind).length === 1),
]);

/** The kind that a person typed; null when it is none. */
export function parseEventKind(text: string): EventKind | null {
  return KIND_BY_TYPED_WORD.get(fold(text)) ?? null;
}

export function isEventKind(text: string): text is EventKind {
  return Object.hasOwn(EVENT_KINDS, text);
}

/**
 * The script output of a policy (§6) may hold secrets and names of people. No card, list, file or alert shows it:
 * they show the exit code, and the service's console has the rest. `hidden`: there are such texts.
 */
export function shownEventText({ name, failure, text }: Pick<FleetEvent, 'name' | 'failure' | 'text'>): Pick<
  FleetEvent,
  'failure' | 'text'
> & {
  readonly hidden: boolean;
} {
  if (name !== POLICY_ACTION) return { failure, text, hidden: false };
  return { failure: null, text: null, hidden: failure !== null || text !== null };
}

/** The same for a stored reason. */
export function shownStoredReason({
  kind,
  reason,
}: {
  readonly kind: AnyEventKind;
  readonly reason: string | null;
}): string | null {
  return isPolicyEventKind(kind) || reason === '' ? null : reason;
}

/** Problems last until something ends them; events of every other kind are only reported. */
export function isProblemKind(kind: AnyEventKind): boolean {
  return kind === 'patch-failed' || kind === 'policy-failed' || kind === 'limit-exceeded';
}

/** Whether a script ran for events of this kind. */
export function isPolicyEventKind(kind: AnyEventKind): boolean {
  return kind === 'policy-failed' || kind === 'policy-run';
}

/** A patch as an alert keeps it; the version is there where the agent stated it. */
type NamedPatch = Pick<PatchMention, 'name' | 'displayName'> & {
  readonly version?: string | undefined;
};

export function namedPatches(patches: readonly PatchMention[]): readonly NamedPatch[] {
  return patches.map(({ name, displayName, version }) => ({
    name,
    displayName,
    ...(version === null || version === '' ? {} : { version }),
  }));
}

/** What a patch event says: which packages failed, and why. */
export type PatchFailure = {
  readonly patches: readonly NamedPatch[];
  /** The agent's words. */
  readonly agentText: string | null;
};

/** An update of Windows, as in the vendor's own example; `0x80070643` or `Timeout` is an error. */
const KB_ARTICLE = /^KB\d{6,8}$/i;

/**
 * Assumption (§6): `failure` holds the agent's words; where the row names no patches it may be the patch alone. It is taken
 * for one only where it surely is: an update of Windows, or one of the packages that are `known` to be meant.
 */
export function patchFailure(event: FleetEvent, known: readonly string[] = []): PatchFailure {
  const patches = namedPatches(event.patches);
  const agentText = event.failure ?? event.text;
  if (
    patches.length === 0 &&
    agentText !== null &&
    (KB_ARTICLE.test(agentText) || known.includes(agentText))
  ) {
    return { patches: [{ name: agentText, displayName: null }], agentText: null };
  }
  return { patches, agentText };
}
