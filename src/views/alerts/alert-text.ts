/** Texts of alerts, of subscriptions' filters and of silences' scopes. */
import {
  type EventKind,
  eventKindTitles,
  isEventKind,
  isProblemKind,
  kindWords,
} from '../../fleet/model/event-kinds.ts';
import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import { compareNames } from '../../lib/text.ts';
import type {
  AlertFilter,
  AlertKind,
  AlertMember,
  AlertState,
  EventFacts,
  ShownAlert,
  SilenceScope,
} from '../../store/port/alert-records.ts';
import { context } from '../kit/blocks.ts';
import {
  bold,
  boldHeading,
  escapeMrkdwn,
  escapeValue,
  inlineCode,
  joinMrkdwn,
  type Mrkdwn,
  md,
  trustedMrkdwn,
} from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT } from '../kit/limits.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { SIGN, type Sign } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import { countText, listMrkdwn, policyNameText, withRest } from '../text/common-text.ts';

type EventWords = {
  /** Ends with a name, and starts with the event’s own name. */
  readonly heading: string;
  /** Stands before the time of an event, such as `Failed` in `Failed today at 9:00 AM`. */
  readonly verb: Mrkdwn;
};

const EVENT_WORDS: Readonly<Record<EventKind, EventWords>> = {
  'patch-failed': { heading: 'Patch failed on', verb: md`Failed` },
  'patch-installed': { heading: 'Patch installed on', verb: md`Installed` },
  'patch-removed': { heading: 'Patch uninstalled on', verb: md`Uninstalled` },
  'device-added': { heading: 'Device added:', verb: md`Added` },
  'device-removed': { heading: 'Device removed:', verb: md`Removed` },
  'policy-failed': { heading: 'Policy failed on', verb: md`Failed` },
  'policy-run': { heading: 'Policy ran on', verb: md`Ran` },
  'group-changed': { heading: 'Group action by', verb: md`Logged` },
  'notification-sent': { heading: 'Notification sent to', verb: md`Sent` },
  'notification-answered': { heading: 'Notification answered on', verb: md`Answered` },
  'user-added': { heading: 'User added to the console:', verb: md`Added` },
  'user-removed': { heading: 'User removed from the console:', verb: md`Removed` },
  'signed-in': { heading: 'Signed in to the console:', verb: md`Signed in` },
  'signed-out': { heading: 'Signed out of the console:', verb: md`Signed out` },
  'limit-exceeded': { heading: 'Device limit exceeded:', verb: md`Exceeded` },
  'slack-app': { heading: 'Slack app changed in the management service:', verb: md`Changed` },
};

export function eventVerb(kind: AlertKind): Mrkdwn {
  return isEventKind(kind) ? EVENT_WORDS[kind].verb : md`Logged`;
}

/** The event’s name on screen, with a sign where it reports a problem. */
export function kindTitle(kind: AlertKind): Mrkdwn {
  const title = isEventKind(kind) ? bold(kindWords(kind).title) : inlineCode(kind);
  return isProblemKind(kind) ? md`${trustedMrkdwn(SIGN.failed)} ${title}` : title;
}

/** Null: the alert reports no problem, so it has no state. */
export function alertStateOf({
  kind,
  open,
  closed,
  members,
  acknowledgedBy,
}: Pick<ShownAlert, 'kind' | 'open' | 'closed' | 'members' | 'acknowledgedBy'>): AlertState | null {
  if (!isProblemKind(kind)) return null;
  if (open > 0) return acknowledgedBy === null ? 'firing' : 'acknowledged';
  return closed < members ? 'resolved' : 'closed';
}

const STATE_SIGNS: Readonly<Record<AlertState, Sign>> = {
  firing: SIGN.failed,
  acknowledged: SIGN.running,
  resolved: SIGN.good,
  closed: SIGN.ended,
};

/** The first line of an alert: its sign, what happened, where, and with which patches or policy. */
export function alertTitle(alert: ShownAlert, patches?: number): Mrkdwn {
  const state = alertStateOf(alert);
  const [first] = alert.shown;
  const about = first === undefined ? md`` : alertAboutText({ ...first, packages: alert.packages }, patches);
  const title = md`${alertHeading(alert, state)}${about}`;
  return state === null ? title : md`${trustedMrkdwn(STATE_SIGNS[state])} ${title}`;
}

/** One device is named, several are counted; alerts about users may have neither. */
function alertHeading(alert: ShownAlert, state: AlertState | null): Mrkdwn {
  const { kind, devices, shown } = alert;
  const [first] = shown;
  const words = headingWords(alert, state);
  if (devices > 1)
    return isEventKind(kind)
      ? md`*${trustedMrkdwn(words)} ${devicesText(alert, state)}*`
      : md`${inlineCode(kind)}: *${countText(devices, 'device')}*`;
  if (first === undefined || !isNamed(first))
    return isEventKind(kind) ? bold(kindWords(kind).title) : inlineCode(kind);
  const name = alertSubjectText(first);
  return isEventKind(kind) ? boldHeading(words, name) : md`${inlineCode(kind)}: ${bold(name)}`;
}

function headingWords({ kind, fixedDevices, devices }: ShownAlert, state: AlertState | null): string {
  if (state === 'closed') return 'Closed without proof on';
  if (state !== 'resolved') return isEventKind(kind) ? EVENT_WORDS[kind].heading : kind;
  const all = devices > 1 && fixedDevices === devices ? ' all' : '';
  return kind === 'policy-failed' ? `Ran with exit code 0 on${all}` : `Fixed on${all}`;
}

function devicesText({ devices, fixedDevices }: ShownAlert, state: AlertState | null): Mrkdwn {
  const all = countText(devices, 'device');
  if (state === 'resolved' && fixedDevices < devices)
    return md`${fixedDevices} of ${all}, ${devices - fixedDevices} closed`;
  return state === 'resolved' || fixedDevices === 0 ? all : md`${all}, ${fixedDevices} fixed`;
}

/** The end of a title: up to `patches` patches by name and version, or else the policy. */
export function alertAboutText(
  { packages, policyId, policyName }: Pick<EventFacts, 'packages' | 'policyId' | 'policyName'>,
  patches = 10,
): Mrkdwn {
  if (packages.length > 0) {
    const names = packages.map(({ name, displayName, version = '' }) =>
      `${displayName ?? name} ${version}`.trimEnd(),
    );
    return md`: ${listMrkdwn(names, patches)}`;
  }
  return policyId === null ? md`` : md`: ${policyNameText(policyId, policyName)}`;
}

type Subject = Pick<EventFacts, 'deviceName' | 'deviceId' | 'userId'>;

function isNamed({ deviceName, deviceId, userId }: Subject): boolean {
  return (deviceName !== null && deviceName !== '') || deviceId !== null || userId !== null;
}

/** The name of the alert's device or user, unescaped. Users are named by number, because their names are personal. */
export function alertSubjectText({ deviceName, deviceId, userId }: Subject): string {
  if (deviceName !== null && deviceName !== '') return deviceName;
  if (deviceId !== null) return `#${deviceId}`;
  return userId === null ? 'unnamed device' : `user #${userId}`;
}

/** Each name once, sorted, then how many of the total `of` are left. Null where none has a name. */
export function alertSubjectsText(members: readonly AlertMember[], of: number): Mrkdwn | null {
  const names = [...new Set(members.filter(isNamed).map(alertSubjectText))].toSorted(compareNames);
  if (names.length === 0) return null;
  return withRest(listMrkdwn(names, names.length), of - names.length);
}

/** Who has the alert; null where nobody has it or has to. */
export function ownerText({ acknowledgedBy, acknowledgedAt, ...alert }: ShownAlert): Mrkdwn | null {
  if (acknowledgedBy === null) return alertStateOf({ ...alert, acknowledgedBy }) === 'firing' ? NOBODY : null;
  const at = acknowledgedAt === null ? md`` : md` ${relativeDate(acknowledgedAt)}`;
  return md`Acknowledged by ${mentionPerson(acknowledgedBy)}${at}.`;
}

const NOBODY = md`Nobody has acknowledged it.`;

/** The titles of these kinds in bold; `all alerts` for an empty list. */
export function eventKindsText(kinds: readonly AlertKind[]): Mrkdwn {
  return kinds.length === 0 ? md`all alerts` : bold(eventKindTitles(kinds));
}

/** Such as `12 patch failures`. */
export function eventKindCount(kind: AlertKind, alerts: number): Mrkdwn {
  const { one, many } = kindWords(kind);
  return isEventKind(kind)
    ? countText(alerts, one, many)
    : md`${alerts} ${inlineCode(kind)} ${trustedMrkdwn(alerts === 1 ? 'event' : 'events')}`;
}

/** Such as `patch failure`. */
export function eventKindNoun(kind: AlertKind): Mrkdwn {
  return isEventKind(kind) ? trustedMrkdwn(kindWords(kind).one) : md`${inlineCode(kind)} event`;
}

/** The filter of a subscription, to be appended to its kinds; empty without a filter. */
export function subscriptionFilterText({ group, policy, tag, os }: AlertFilter): Mrkdwn {
  const parts = [
    group === null ? null : md`in group ${escapeValue(group.name)} and its subgroups`,
    policy === null ? null : md`for policy ${escapeValue(policy.name)}`,
    tag === null ? null : md`on devices tagged ${inlineCode(tag, DISPLAY_LIMIT.label)}`,
    os === null ? null : md`on devices running ${inlineCode(os, DISPLAY_LIMIT.label)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? md`` : md` ${joinMrkdwn(parts, ', ')}`;
}

/** What a silence holds, such as `all alerts for web-01`. */
export function silenceScopeText({ kinds, group, device, patch }: SilenceScope): Mrkdwn {
  const parts = [
    device === null ? null : md`for ${escapeValue(device.name)}`,
    group === null ? null : md`in group ${escapeValue(group.name)} and its subgroups`,
    patch === null ? null : md`for package ${inlineCode(patch, DISPLAY_LIMIT.label)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? eventKindsText(kinds) : md`${eventKindsText(kinds)} ${joinMrkdwn(parts, ', ')}`;
}

export const HELD_UNTIL_END = md`These alerts are held, not posted. When the silence ends, each channel with held alerts gets one message that says how many, with a button that lists them. Requests for approval are still posted.`;

export function andReason(reason: string | null): Mrkdwn {
  return reason === null || reason === ''
    ? md``
    : md` Reason: ${escapeMrkdwn(reason, DISPLAY_LIMIT.sentence)}`;
}

/** What lists of alerts can’t know yet; empty where the event log was read within a minute. */
export function lateEventsNote(readAt: Instant | null, asOf: Instant): readonly Block[] {
  if (readAt !== null && asOf <= later(readAt, MINUTE)) return [];
  const read = readAt === null ? md`haven’t been read yet` : md`were last read ${relativeDate(readAt)}`;
  return [context(md`${trustedMrkdwn(SIGN.warning)} Events ${read}. Newer ones aren’t listed.`)];
}
