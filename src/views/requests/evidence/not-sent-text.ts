/** Why nothing was sent, and what changed since the request, in words. */
import { FIELD_LABELS } from '../../../fleet/facts/edit-changes.ts';
import { type ActionKind, changesRecord, isRemoval, recordKindOf } from '../../../fleet/model/actions.ts';
import { instant } from '../../../lib/clock.ts';
import { durationText } from '../../../lib/text.ts';
import type { Drift, Evidence } from '../../../store/port/evidence.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../../kit/escape.ts';
import { DISPLAY_LIMIT } from '../../kit/limits.ts';
import { relativeDate } from '../../kit/timestamps.ts';
import { countText } from '../../text/common-text.ts';
import { type EvidenceTable, errorText, namesText, nameText, policyStatusPhrase, quoted } from './words.ts';

export const NOT_SENT_WORDS = {
  paused: pausedText,
  'pause-unread': () => md`Patchbay could not check whether changes are paused.`,
  'too-late': ({ since, how, maxAgeMs }) => {
    const limit = trustedMrkdwn(durationText(maxAgeMs));
    return md`Too late. It was ${trustedMrkdwn(how)} ${relativeDate(since)}. Changes older than ${limit} are not sent.`;
  },
  unread: ({ error }) => md`Too late. It could not be checked in time, because ${errorText(error)}.`,
  'not-read-yet': ({ error }) => md`The current state could not be read: ${errorText(error)}.`,
  unsent: ({ error }) => md`It could not be sent: ${errorText(error, true)}.`,
  delayed: () => md`Too late. Patchbay was delayed just before sending it.`,
  gone: ({ thing }) => md`The ${trustedMrkdwn(thing)} no longer exists in the management service.`,
  'not-needed': () => md`The management service no longer lists any of it as missing.`,
  'already-queued': () => md`The same command is already in the device’s queue. A second one would also run.`,
  'under-way': ({ since }, action) => {
    const of = recordKindOf(action) === 'device' ? md` of this device` : md``;
    return md`Another ${ACTION_NOUNS[action.kind]}${of} has been in progress since ${relativeDate(since)}. ${underWayReason(action)}`;
  },
  twin: ({ name }) => md`A group named ${nameText(name)} already exists under the same parent.`,
  'name-taken': ({ policy, name }) => md`Policy ${policy} is already named ${nameText(name)}.`,
  'request-waiting': () => md`Another request for the same change is already waiting.`,
  offline: ({ since }) =>
    since === null
      ? md`The device was offline.`
      : md`The device had been offline since ${relativeDate(since)}.`,
  stopped: ({ at }) => md`The rollout was stopped ${relativeDate(at)}.`,
  'rights-lost': ({ who }) =>
    who === 'requester'
      ? md`The requester no longer has the role to request it.`
      : md`Somebody who approved it is no longer an approver.`,
  'rights-unread': () =>
    md`Patchbay could not check in Slack that its requester and approvers still have their roles.`,
} satisfies Partial<EvidenceTable>;

function underWayReason(action: ActionKind): Mrkdwn {
  if (isRemoval(action)) return md`A second one isn’t needed.`;
  return changesRecord(action) ? md`Two at once could undo each other.` : md`A second one would also run.`;
}

/** Who paused them stands on the pause's own card. */
function pausedText({ since, endedAt, reason }: Extract<Evidence, { kind: 'paused' }>): Mrkdwn {
  const why = reason === null ? md`` : md` (reason: ${escapeMrkdwn(reason, 200)})`;
  return endedAt === null
    ? md`All changes have been paused since ${relativeDate(since)}${why}.`
    : md`All changes were paused from ${relativeDate(since)} to ${relativeDate(endedAt)}${why}.`;
}

const ACTION_NOUNS: Readonly<Record<ActionKind['kind'], Mrkdwn>> = {
  scan: md`scan`,
  reboot: md`reboot`,
  patch: md`installation of the same packages`,
  'patch-all': md`installation of the same packages`,
  'patch-each': md`installation of the same packages`,
  'policy-test': md`test of the policy`,
  'policy-remediate': md`remediation of the policy`,
  'device-edit': md`edit`,
  'group-edit': md`edit of the group`,
  'group-create': md`creation of the group`,
  'policy-create': md`creation of the policy`,
  'policy-edit': md`edit of the policy`,
  'device-remove': md`removal`,
  'group-remove': md`removal of the group`,
};

type Changed = Extract<Drift, { kind: 'changed' }>;
/** A clause that names what changed. */
export function driftText(drift: Drift): Mrkdwn {
  switch (drift.kind) {
    case 'gone':
      return md`${nameText(drift.name)} no longer exists in the management service`;
    case 'other-machine':
      return md`${nameText(drift.name)} is now another machine: its serial number, UUID or creation time is different`;
    case 'policy-hidden':
      return md`the management service doesn’t show the configuration of ${drift.policy === null ? md`the policy` : quoted(drift.policy)}`;
    case 'listed':
      return listedText(drift);
    case 'changed':
      return PHRASES.get(drift.field)?.(drift) ?? changedText(drift);
  }
}

function listedText({ name, field, added, removed }: Extract<Drift, { kind: 'listed' }>): Mrkdwn {
  const clauses = [
    ...(added.length === 0 ? [] : [md`now also include ${namesText(added, escapeMrkdwn)}`]),
    ...(removed.length === 0 ? [] : [md`no longer include ${namesText(removed, escapeMrkdwn)}`]),
  ];
  return md`the ${fieldLabel(field)} of ${nameText(name)} ${joinMrkdwn(clauses, ' and ')}`;
}

function changedText({ name, field, item, was, now }: Changed): Mrkdwn {
  const thing =
    item === null
      ? md`the ${fieldLabel(field)} of ${nameText(name)}`
      : md`for ${nameText(name)}, the ${fieldLabel(field)} of ${nameText(item)}`;
  if (was === null || now === null) return md`${thing} changed`;
  return md`${thing} changed from ${valueText(was)} to ${valueText(now)}`;
}

function valueText(value: string | number | boolean): Mrkdwn {
  if (typeof value === 'boolean') return value ? md`yes` : md`no`;
  if (value === '') return md`not stated`;
  return typeof value === 'string' ? quoted(value) : md`${value}`;
}

/** What people say in other words. */
const PHRASES: ReadonlyMap<string, (drift: Changed) => Mrkdwn> = new Map([
  ['displayName', ({ name, now }) => md`${nameText(name)} is now named ${quoted(String(now))}`],
  ['connected', connectionText],
  ['needsReboot', ({ name }) => md`${nameText(name)} no longer requires a reboot`],
  [
    'lastDisconnectTime',
    ({ name, now }) =>
      md`${nameText(name)} disconnected ${relativeDate(instant(Number(now)))} and is back online`,
  ],
  [
    'members',
    ({ name }) => md`the list of devices that ${nameText(name)} applies to changed, though not its length`,
  ],
  [
    'policy.status',
    ({ name, now }) =>
      now === ''
        ? md`the management service no longer reports the policy’s result for ${nameText(name)}`
        : md`${nameText(name)} now ${policyStatusPhrase(Number(now))} for the policy`,
  ],
]);

function connectionText({ name, was, now }: Changed): Mrkdwn {
  const before = onlineText(was);
  return now === ''
    ? md`it is no longer known whether ${nameText(name)} is online (was ${before})`
    : md`${nameText(name)} is now ${onlineText(now)} (was ${before})`;
}

function onlineText(connected: Changed['was']): Mrkdwn {
  if (typeof connected !== 'boolean') return md`unknown`;
  return connected ? md`online` : md`offline`;
}

/** What people call a field of the facts: the longest part of its path that has a name. */
function fieldLabel(path: string): Mrkdwn {
  const parts = path.split('.');
  const paths = parts.map((_, at) => parts.slice(0, parts.length - at).join('.'));
  const known = paths.flatMap(
    (one) => LABELS.get(one) ?? OTHER_LABELS.get(one.split('.').at(-1) ?? '') ?? [],
  );
  return trustedMrkdwn(known[0] ?? 'details');
}

const LABELS: ReadonlyMap<string, string> = new Map([
  ['editable.intoGroup', 'new group'],
  ['editable.policies', 'new policies'],
  ['policies', 'requested policies'],
  ['parentName', 'requested parent group'],
  ['groups', 'requested groups'],
  ['group.refreshIntervalMinutes', 'scan interval in minutes'],
  ['policy.name', 'name'],
  ['policy.type', 'type'],
  ['removal.policiesAfter', 'policies after the removal'],
  ['removal.devices.count', 'number of devices'],
]);

/** By the last part of the path. */
const OTHER_LABELS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(FIELD_LABELS),
  ...['hostname', 'version', 'severity', 'policy', 'policies'].map((same) => [same, same] as const),
  ...['type', 'groups', 'settings', 'subgroups'].map((same) => [same, same] as const),
  ['lastLoggedInUser', 'last logged-in user'],
  ['osFamily', 'system family'],
  ['osName', 'system'],
  ['osVersion', 'system version'],
  ['deferred', 'deferral by users'],
  ['packages', 'missing packages'],
  ['cves', 'CVEs'],
  ['requiresReboot', 'need for a reboot'],
  ['digest', 'configuration or schedule'],
  ['parentName', 'parent group'],
  ['deviceCount', 'number of devices'],
  // Of a policy and of its groups, where it is a number; of a group, where it lists them.
  ['devices', 'number of devices'],
  ['listed', 'devices'],
  ['queued', 'waiting commands'],
]);

/** All of it as the end of a sentence that says what was not sent. */
export function driftedText({ subject, changes, more }: Extract<Evidence, { kind: 'drifted' }>): Mrkdwn {
  const all = changes.map(driftText);
  const fitting = fittingClauses(all);
  const left = more + all.length - fitting.length;
  const clauses = left === 0 ? fitting : [...fitting, countText(left, 'more change')];
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

const SUBJECTS = {
  device: md`The device`,
  devices: md`One or more devices`,
  'device-or-policy': md`The device or the policy`,
  'group-or-policy': md`The group or one of its policies`,
  group: md`The group or what goes with it`,
  policy: md`The policy or one of its groups`,
} as const;
