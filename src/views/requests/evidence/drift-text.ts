/** What changed since a request was approved, in words. */
import { FIELD_LABELS } from '../../../fleet/facts/field-labels.ts';
import type { Drift, Evidence } from '../../../store/port/evidence.ts';
import { joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../../kit/escape.ts';
import { DISPLAY_LIMIT } from '../../kit/limits.ts';
import { relativeDate } from '../../kit/timestamps.ts';
import { countText } from '../../text/common-text.ts';
import { namesText, nameText, policyStatusPhrase, policyText, quoted } from './words.ts';

/** A clause that names what changed. */
export function driftText(drift: Drift): Mrkdwn {
  switch (drift.kind) {
    case 'gone':
      return md`${nameText(drift.name)} no longer exists in the management service`;
    case 'other-machine':
      return md`${nameText(drift.name)} is now another machine: its serial number, UUID or creation time is different`;
    case 'hostname':
      return md`the hostname of ${nameText(drift.name)} is now ${quoted(drift.now)} (was ${quoted(drift.was)})`;
    case 'renamed':
      return md`${nameText(drift.name)} is now named ${quoted(drift.now)}`;
    case 'system':
      return md`${nameText(drift.name)} now runs ${quoted(drift.now)} (was ${quoted(drift.was)})`;
    case 'group':
      return md`${nameText(drift.name)} moved from ${groupText(drift.was)} to ${groupText(drift.now)}`;
    case 'connection':
      return connectionText(drift);
    case 'login':
      return loginText(drift);
    case 'reboot-done':
      return md`${nameText(drift.name)} no longer requires a reboot`;
    case 'restarted':
      return md`${nameText(drift.name)} disconnected ${relativeDate(drift.left)} and is back online`;
    case 'more-missing':
      return md`${nameText(drift.name)} is now also missing the ${packagesText(drift)}`;
    case 'fewer-missing':
      return md`${nameText(drift.name)} is no longer missing the ${packagesText(drift)}`;
    case 'package-changed':
      return packageChangeText(drift);
    case 'policy-applies':
      return drift.applies
        ? md`${policyText(drift.policy)} would now also apply`
        : md`${policyText(drift.policy)} would no longer apply`;
    case 'policy-renamed':
      return md`policy ${drift.policy.id} is now named ${quoted(drift.policy.name)} (was ${quoted(drift.was)})`;
    case 'policy-changed':
      return drift.shown
        ? md`the configuration or schedule of ${policyText(drift.policy)} changed`
        : md`the management service doesn’t show the configuration of ${policyText(drift.policy)}`;
    case 'policy-status':
      return drift.status === null
        ? md`the management service no longer reports the result of ${policyText(drift.policy)} for ${nameText(drift.name)}`
        : md`${nameText(drift.name)} now ${policyStatusPhrase(drift.status)} for ${policyText(drift.policy)}`;
    case 'field':
      return md`${fieldOf(drift)} changed from ${quoted(drift.was)} to ${quoted(drift.now)}`;
    case 'requested-field':
      return md`requested ${fieldOf(drift)} changed from ${quoted(drift.was)} to ${quoted(drift.now)}`;
    case 'more-queued':
      return md`${nameText(drift.name)} has new waiting commands: ${namesText(drift.commands)}`;
    case 'more-devices':
      return moreDevicesText(drift);
    case 'more-subgroups':
      return md`${nameText(drift.name)} has new subgroups: ${namesText(drift.groups)}`;
    case 'device-count':
      return md`${nameText(drift.name)} would now reach ${devicesText(drift.now)} (was ${devicesText(drift.was)})`;
    case 'fact':
      return md`${trustedMrkdwn(factLabel(drift.field))} of ${nameText(drift.name)} changed`;
    case 'addresses':
      return md`${trustedMrkdwn(FIELD_LABELS.addresses)} of ${nameText(drift.name)} changed`;
  }
}

function packageChangeText(drift: Extract<Drift, { kind: 'package-changed' }>): Mrkdwn {
  const { name, package: item, fact, was, now } = drift;
  const whose = md`${quoted(item)} on ${nameText(name)}`;
  if (fact === 'requiresReboot')
    return now.includes('true')
      ? md`${whose} now requires a reboot`
      : md`${whose} no longer requires a reboot`;
  const label = trustedMrkdwn(PACKAGE_LABELS[fact]);
  const [before, after] = [was, now].map((text) => (text === '' ? md`none` : quoted(text)));
  return md`the ${label} of ${whose} changed from ${before ?? md`none`} to ${after ?? md`none`}`;
}

const PACKAGE_LABELS = { version: 'version', severity: 'severity', cves: 'CVEs' } as const;

function devicesText(count: number | null): Mrkdwn {
  return count === null ? md`an unknown number of devices` : countText(count, 'device');
}

/** What people call a field of the facts: by the longest part of its path that has a name. */
function factLabel(path: string): string {
  const parts = path.split('.');
  const known = parts.flatMap((_, at) => FACT_LABELS.get(parts.slice(0, parts.length - at).join('.')) ?? []);
  return known[0] ?? 'a detail';
}

const FACT_LABELS: ReadonlyMap<string, string> = new Map([
  ['connected', 'the connection'],
  ['lastLoggedInUser', 'the last logged-in user'],
  ['lastDisconnectTime', 'the time of the last disconnect'],
  ['groupId', 'the group'],
  ['osFamily', 'the system family'],
  ['osName', 'the system'],
  ['osVersion', 'the system version'],
  ['needsReboot', 'whether a reboot is required'],
  ['exception', 'exclusion from reports'],
  ['deferred', 'deferral by users'],
  ['missing', 'the missing packages'],
  ['packages', 'the missing packages'],
  ['policy', 'the policy'],
  ['policy.type', 'the policy type'],
  ['editable.policies', 'the policies that would apply'],
  ['editable.intoGroup', 'the new group'],
  ['removal.policies', 'the policies'],
  ['removal.policiesAfter', 'the policies of the Default Group'],
  ['group.deviceCount', 'the number of devices'],
  ['group.policies', 'the policies'],
  ['group.parentId', 'the parent group'],
  ['group.parentName', 'the parent group'],
  ['parentName', 'the new parent group'],
  ['policies', 'the policies'],
  ['current.type', 'the policy type'],
  ['current.groups', 'the groups'],
  ['current.schedule', 'the schedule'],
  ['current.settings', 'the settings'],
  ['groups', 'the groups'],
  ['devices', 'the number of devices'],
]);

function moreDevicesText({ name, devices, was, now }: Extract<Drift, { kind: 'more-devices' }>): Mrkdwn {
  return devices.length === 0
    ? md`${nameText(name)} now has ${now} devices (was ${was})`
    : md`${namesText(devices)} joined ${nameText(name)}, which now has ${now} devices (was ${was})`;
}

function fieldOf({ field, name }: Extract<Drift, { kind: 'field' | 'requested-field' }>): Mrkdwn {
  return md`${trustedMrkdwn(FIELD_LABELS[field])} of ${nameText(name)}`;
}

function groupText({ id, name }: Extract<Drift, { kind: 'group' }>['was']): Mrkdwn {
  if (id === null) return md`an unknown group`;
  return name === null ? md`group #${id}` : md`group ${quoted(name)}`;
}

function connectionText({ name, was, now }: Extract<Drift, { kind: 'connection' }>): Mrkdwn {
  const before = onlineText(was);
  return now === null
    ? md`it is no longer known whether ${nameText(name)} is online (was ${before})`
    : md`${nameText(name)} is now ${onlineText(now)} (was ${before})`;
}

function onlineText(connected: boolean | null): Mrkdwn {
  if (connected === null) return md`unknown`;
  return connected ? md`online` : md`offline`;
}

/** Who it is stands on no note: channels see it, and it is kept. */
function loginText({ name, who }: Extract<Drift, { kind: 'login' }>): Mrkdwn {
  switch (who) {
    case 'someone':
      return md`someone logged in to ${nameText(name)}`;
    case 'someone-else':
      return md`someone else logged in to ${nameText(name)}`;
    case 'nobody':
      return md`the management service no longer reports who last logged in to ${nameText(name)}`;
  }
}

function packagesText({
  packages,
  requested,
}: {
  readonly packages: readonly string[];
  readonly requested: boolean;
}): Mrkdwn {
  const noun = packages.length === 1 ? md`package` : md`packages`;
  return requested ? md`requested ${noun} ${namesText(packages)}` : md`${noun} ${namesText(packages)}`;
}

/** All of it as the end of a sentence that says what was not sent. */
export function driftedText({ subject, changes, more }: Extract<Evidence, { kind: 'drifted' }>): Mrkdwn {
  const all = changes.map(driftText);
  const fitting = fittingClauses(all);
  const clauses = [...fitting, ...moreText(more + all.length - fitting.length)];
  return md`${SUBJECTS[subject]} changed since the request — ${joinMrkdwn(clauses, '; ')}.`;
}

/** Longer names leave room for fewer changes: an approver's card has to hold its facts, too. The first is always there. */
function fittingClauses(clauses: readonly Mrkdwn[]): readonly Mrkdwn[] {
  let length = 0;
  return clauses.filter((clause, at) => {
    length += clause.length;
    return at === 0 || length <= DISPLAY_LIMIT.sentence;
  });
}

function moreText(more: number): readonly Mrkdwn[] {
  if (more === 0) return [];
  return [more === 1 ? md`1 more change` : md`${more} more changes`];
}

const SUBJECTS = {
  device: md`The device`,
  devices: md`One or more devices`,
  'device-or-policy': md`The device or the policy`,
  'group-or-policy': md`The group or one of its policies`,
  group: md`The group or what goes with it`,
  policy: md`The policy or one of its groups`,
} as const;
