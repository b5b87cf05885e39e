/** Words for alerts: what happened to whom, what somebody subscribed to, what is silent. */
import { HAPPENINGS, happeningTitles } from '../../fleet/happenings.ts';
import type { AlertFilter, SilenceScope } from '../../store/alert-records.ts';
import type { AlertKind, AlertRecord } from '../../store/records.ts';
import { code, joined, literal, type Mrkdwn, md, strong } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { count, listed } from '../words.ts';

/** The beginning of a heading that a name ends. */
export const ALERT_HEADINGS: Readonly<Record<AlertKind, string>> = {
  'patch-failed': 'Patch failed on',
  'patch-installed': 'Patch installed on',
  'patch-removed': 'Patch uninstalled on',
  'device-added': 'New device',
  'device-removed': 'Removed device',
  'policy-failed': 'Policy failed on',
  'policy-run': 'Policy ran on',
  'group-changed': 'Action on a group by',
  'notification-sent': 'Notification sent to',
  'notification-answered': 'Notification answered on',
  'user-added': 'New user of the console:',
  'user-removed': 'Removed user of the console:',
  'signed-in': 'Sign-in to the console by',
  'signed-out': 'Sign-out of the console by',
  'limit-exceeded': 'More devices than allowed:',
  'slack-app': 'The service’s own Slack app changed:',
};

/** Of its device, else of its user. Users are named by number: their names are personal. */
export function alertSubject({ deviceName, deviceId, userId }: AlertRecord): string {
  if (deviceName !== null && deviceName !== '') return deviceName;
  if (deviceId !== null) return `#${deviceId}`;
  return userId === null ? 'a device that the service did not name' : `user #${userId}`;
}

/** Different ones in the order in which they come, the first few in full. */
export function alertSubjects(alerts: readonly AlertRecord[], of: number): Mrkdwn {
  const names = [...new Set(alerts.map(alertSubject))];
  const left = of - names.length;
  return left > 0 ? md`${listed(names, names.length)} and ${left} more` : listed(names, names.length);
}

export function patchNames({ packages }: AlertRecord): Mrkdwn {
  if (packages.length === 0) return md`a patch that the service did not name`;
  return listed(packages.map(({ name, displayName }) => displayName ?? name));
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
    group === null ? null : md`of the group ${literal(group.name)} and those below it`,
    policy === null ? null : md`of the policy ${literal(policy.name)}`,
    tag === null ? null : md`of devices tagged ${code(tag, SHOWN.label)}`,
    os === null ? null : md`of devices with ${code(os, SHOWN.label)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? md`` : md` ${joined(parts, ', ')}`;
}

export function scopeWords({ kinds, group, device, patch }: SilenceScope): Mrkdwn {
  const parts = [
    device === null ? null : md`of ${literal(device.name)}`,
    group === null ? null : md`of the group ${literal(group.name)} and those below it`,
    patch === null ? null : md`about ${code(patch, SHOWN.label)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? kindWords(kinds) : md`${kindWords(kinds)} ${joined(parts, ', ')}`;
}
