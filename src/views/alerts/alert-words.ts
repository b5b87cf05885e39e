/** Words for alerts: what happened to whom, what somebody subscribed to, what is silent. */
import { HAPPENINGS, happeningTitles } from '../../fleet/happenings.ts';
import type { AlertFilter, SilenceScope } from '../../store/alert-records.ts';
import type { AlertKind, AlertRecord } from '../../store/records.ts';
import { code, heading, joined, literal, type Mrkdwn, md, strong, trusted } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { SIGN } from '../kit/signs.ts';
import { count, listed, policyWords } from '../words.ts';

/** The beginning of a heading that a name ends. It starts with the event’s own name. */
export const ALERT_HEADINGS: Readonly<Record<AlertKind, string>> = {
  'patch-failed': 'Patch failed on',
  'patch-installed': 'Patch installed on',
  'patch-removed': 'Patch uninstalled on',
  'device-added': 'Device added:',
  'device-removed': 'Device removed:',
  'policy-failed': 'Policy failed on',
  'policy-run': 'Policy ran on',
  'group-changed': 'Group action by',
  'notification-sent': 'Notification sent to',
  'notification-answered': 'Notification answered on',
  'user-added': 'User added to the console:',
  'user-removed': 'User removed from the console:',
  'signed-in': 'Signed in to the console:',
  'signed-out': 'Signed out of the console:',
  'limit-exceeded': 'Device limit exceeded:',
  'slack-app': 'Slack app changed in the management service:',
};

/** Kinds that report a problem; the others get no sign. */
const PROBLEMS: ReadonlySet<AlertKind> = new Set(['patch-failed', 'policy-failed', 'limit-exceeded']);

/** The event’s name as a screen shows it: with its sign where it reports a problem. */
export function kindTitle(kind: AlertKind): Mrkdwn {
  return withSign(kind, strong(HAPPENINGS[kind].title));
}

/** `title` behind the sign of the kind, where it has one. */
function withSign(kind: AlertKind, title: Mrkdwn): Mrkdwn {
  return PROBLEMS.has(kind) ? md`${trusted(SIGN.failed)} ${title}` : title;
}

/** The first line of an alert: what happened, on which device, with which patches or policy. */
export function alertTitle(alert: AlertRecord, patches?: number): Mrkdwn {
  const { kind } = alert;
  if (!isNamed(alert)) return md`${kindTitle(kind)}${aboutWords(alert, patches)}`;
  const title = heading(ALERT_HEADINGS[kind], alertSubject(alert));
  return md`${withSign(kind, title)}${aboutWords(alert, patches)}`;
}

/** The same for alerts of several devices. */
export function alertsTitle(first: AlertRecord, devices: number): Mrkdwn {
  const title = md`*${trusted(ALERT_HEADINGS[first.kind])} ${count(devices, 'device')}*`;
  return md`${withSign(first.kind, title)}${aboutWords(first)}`;
}

/** The end of a title: the patches, up to so many by name, or else the policy. */
function aboutWords({ packages, policyId, policyName }: AlertRecord, patches = 10): Mrkdwn {
  if (packages.length > 0) {
    const names = packages.map(({ name, displayName }) => displayName ?? name);
    return md`: ${listed(names, patches)}`;
  }
  return policyId === null ? md`` : md`: ${policyWords(policyId, policyName)}`;
}

function isNamed({ deviceName, deviceId, userId }: AlertRecord): boolean {
  return (deviceName !== null && deviceName !== '') || deviceId !== null || userId !== null;
}

/** Of its device, else of its user. Users are named by number: their names are personal. */
export function alertSubject({ deviceName, deviceId, userId }: AlertRecord): string {
  if (deviceName !== null && deviceName !== '') return deviceName;
  if (deviceId !== null) return `#${deviceId}`;
  return userId === null ? 'unnamed device' : `user #${userId}`;
}

/** Different ones in the order in which they come, the first few in full; null where none has a name. */
export function alertSubjects(alerts: readonly AlertRecord[], of: number): Mrkdwn | null {
  const names = [...new Set(alerts.filter(isNamed).map(alertSubject))];
  if (names.length === 0) return null;
  const left = of - names.length;
  return left > 0 ? md`${listed(names, names.length)} and ${left} more` : listed(names, names.length);
}

/** Kinds by their titles. */
export function kindWords(kinds: readonly AlertKind[]): Mrkdwn {
  return kinds.length === 0 ? md`all alerts` : strong(happeningTitles(kinds));
}

/** Such as `12 patch failures`. */
export function kindCount(kind: AlertKind, alerts: number): Mrkdwn {
  const { one, many } = HAPPENINGS[kind];
  return count(alerts, one, many);
}

export function filterWords({ group, policy, tag, os }: AlertFilter): Mrkdwn {
  const parts = [
    group === null ? null : md`in group ${literal(group.name)} and its subgroups`,
    policy === null ? null : md`for policy ${literal(policy.name)}`,
    tag === null ? null : md`on devices tagged ${code(tag, SHOWN.label)}`,
    os === null ? null : md`on devices running ${code(os, SHOWN.label)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? md`` : md` ${joined(parts, ', ')}`;
}

export function scopeWords({ kinds, group, device, patch }: SilenceScope): Mrkdwn {
  const parts = [
    device === null ? null : md`for ${literal(device.name)}`,
    group === null ? null : md`in group ${literal(group.name)} and its subgroups`,
    patch === null ? null : md`for package ${code(patch, SHOWN.label)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? kindWords(kinds) : md`${kindWords(kinds)} ${joined(parts, ', ')}`;
}

/** What somebody gave as the reason, as an addition to a sentence; nothing where none was given. */
export function andReason(reason: string | null): Mrkdwn {
  return reason === null || reason === '' ? md`` : md` Reason: ${literal(reason, SHOWN.sentence)}`;
}
