/** The kinds of events in the log (§6), by the names that people use for them. Pure. */

import { fold } from '../../lib/text.ts';
import {
  APP_ADDED,
  APP_REINSTALLED,
  DEVICE_ADDED,
  DEVICE_REMOVED,
  ENDPOINT_LIMIT,
  GROUP_ACTION,
  LOG_EVENT_NAMES,
  NOTIFICATION_RESPONSE,
  NOTIFICATION_SENT,
  PATCH_APPLIED,
  PATCH_FAILED,
  PATCH_UNINSTALLED,
  POLICY_ACTION,
  SAML_USER_CREATED,
  USER_CREATED,
  USER_LOGIN,
  USER_LOGOUT,
  USER_REMOVED,
} from './event-names.ts';
import type { FleetEvent } from './resources.ts';

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
  [GROUP_ACTION, 'group-changed'],
  [NOTIFICATION_SENT, 'notification-sent'],
  [NOTIFICATION_RESPONSE, 'notification-answered'],
  [USER_CREATED, 'user-added'],
  [SAML_USER_CREATED, 'user-added'],
  [USER_REMOVED, 'user-removed'],
  [USER_LOGIN, 'signed-in'],
  [USER_LOGOUT, 'signed-out'],
  [ENDPOINT_LIMIT, 'limit-exceeded'],
  [APP_ADDED, 'slack-app'],
  [APP_REINSTALLED, 'slack-app'],
]);

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
