/** Evidence and notes in words: the one place where facts that are stored become sentences. */
import { z } from 'zod';
import { FIELD_LABELS } from '../../fleet/facts/edit-changes.ts';
import { type ActionKind, changesRecord, isRemoval, recordKindOf } from '../../fleet/model/actions.ts';
import type { EditedField } from '../../fleet/model/changes.ts';
import { NEEDS_REMEDIATION, PENDING, UP_TO_DATE } from '../../fleet/model/policy-status.ts';
import { instant } from '../../lib/clock.ts';
import { tryParseJson } from '../../lib/json.ts';
import { byKind, bySomeKinds, type KindRows } from '../../lib/record-fields.ts';
import { durationText, lowerFirst, upperFirst } from '../../lib/text.ts';
import {
  type Drift,
  type ErrorFacts,
  type Evidence,
  type EvidenceList,
  evidenceSchema,
  noteSchema,
  type OfflineFacts,
  type RequestNote,
} from '../../store/port/evidence.ts';
import { escapeMrkdwn, escapeValue, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { relativeDate } from '../kit/timestamps.ts';
import {
  countText,
  joinWithAndMrkdwn,
  policyNameText,
  policyStatusText,
  withRest,
} from '../text/common-text.ts';
import { changeFaultText, heldText } from '../text/error-text.ts';

/** A sentence, or two, for each kind of evidence, by what was requested. */
type EvidenceTable = KindRows<Evidence, Mrkdwn, [action: ActionKind]>;

const MAX_NAME_LENGTH = 80;
/** How many names a sentence lists before it counts the rest. */
const MAX_LISTED_NAMES = 5;

function nameText(name: string): Mrkdwn {
  return escapeMrkdwn(name, MAX_NAME_LENGTH);
}

function quoted(text: string | null): Mrkdwn {
  return text === null ? md`nothing` : md`“${nameText(text)}”`;
}

/** `a, b and 3 more`. */
function namesText(names: readonly string[], look = escapeValue): Mrkdwn {
  const shown = names.slice(0, MAX_LISTED_NAMES).map((name) => look(name, MAX_NAME_LENGTH));
  const more = names.length - shown.length;
  return more > 0 ? withRest(joinMrkdwn(shown, ', '), more) : joinWithAndMrkdwn(shown);
}

/** A policy at the beginning of a sentence; a name stays as it is. */
function policySubject({ id, name }: { readonly id: number; readonly name: string | null }): Mrkdwn {
  return name === null || name === '' ? md`Policy ${id}` : policyNameText(id, name);
}

/** How a device stands with a policy, after its name. */
function policyStatusPhrase(status: number | null): Mrkdwn {
  const result = policyStatusText(status);
  if (status === NEEDS_REMEDIATION) return result;
  return status === UP_TO_DATE || status === PENDING ? md`is ${result}` : md`has ${result}`;
}

function exitCodeText(exitCode: number | null): Mrkdwn {
  return exitCode === null ? md`without an exit code` : md`with exit code ${exitCode}`;
}

/** What went wrong with a call that may have arrived, or with a look afterwards: it never says that nothing got there. */
function lostAnswerText(error: ErrorFacts): Mrkdwn {
  const isCut = error.kind === 'unreachable' && error.held === null;
  if (isCut) return md`the connection ended before the management service answered`;
  return errorText(error, error.declined === true);
}

/** What went wrong with a call, without its address. `detail`: the service's own words, where they are wanted. */
export function errorText({ kind, status, detail, declined, held }: ErrorFacts, withDetail = false): Mrkdwn {
  if (held !== null) return trustedMrkdwn(heldText(held));
  const parts = [
    ...(status === null ? [] : [md`HTTP ${status}`]),
    ...(withDetail && detail !== '' ? [escapeMrkdwn(detail, 200)] : []),
  ];
  const [first, second] = parts;
  const words = trustedMrkdwn(declined === true ? DECLINED_TEXT : ERROR_TEXTS[kind]);
  if (first === undefined) return words;
  return second === undefined ? md`${words} (${first})` : md`${words} (${first}, ${second})`;
}

const ERROR_TEXTS: Readonly<Record<ErrorFacts['kind'], string>> = {
  unreachable: 'the management service could not be reached',
  timeout: 'the management service did not answer in time',
  unauthorized: 'the management service rejected the API key',
  forbidden: 'the management service does not allow this, or the target no longer exists',
  missing: 'the management service could not find the device',
  invalid: 'the management service rejected the request',
  throttled: 'the management service is limiting requests',
  broken: 'the management service had an error',
  unreadable: 'the management service’s answer could not be read',
  'too-large': 'the management service’s answer was too large',
};

const DECLINED_TEXT = 'the management service answered with an error';

/** That the device is offline and its command waits, as a sentence of its own. Empty: it is not. */
function offlineSentence(offline: OfflineFacts): Mrkdwn {
  if (offline === null) return md``;
  return offline.since === null
    ? md` The device is offline${AND_RUNS}.`
    : md` The device has been offline since ${relativeDate(offline.since)}${AND_RUNS}.`;
}

const AND_RUNS = md` and runs the command as soon as it’s back online`;

/** Why nothing was sent. */
const NOT_SENT_WORDS = {
  paused: pausedText,
  'pause-unread': md`Patchbay could not check whether changes are paused.`,
  'too-late': ({ since, how, maxAgeMs }) => {
    const limit = trustedMrkdwn(durationText(maxAgeMs));
    return md`Too late. It was ${trustedMrkdwn(how)} ${relativeDate(since)}. Changes older than ${limit} are not sent.`;
  },
  unread: ({ error }) => md`Too late. It could not be checked in time, because ${errorText(error)}.`,
  'not-read-yet': ({ error }) => md`The current state could not be read: ${errorText(error)}.`,
  unsent: ({ error }) => md`It could not be sent: ${errorText(error, true)}.`,
  delayed: md`Too late. Patchbay was delayed just before sending it.`,
  gone: ({ thing }) => md`The ${trustedMrkdwn(thing)} no longer exists in the management service.`,
  'not-needed': md`The management service no longer lists any of it as missing.`,
  'already-queued': md`The same command is already in the device’s queue. A second one would also run.`,
  'under-way': ({ since }, action) => {
    const of = recordKindOf(action) === 'device' ? md` of this device` : md``;
    return md`Another ${ACTION_NOUNS[action.kind]}${of} has been in progress since ${relativeDate(since)}. ${underWayReason(action)}`;
  },
  twin: ({ name }) => md`A group named ${nameText(name)} already exists under the same parent.`,
  'name-taken': ({ policy, name }) => md`Policy ${policy} is already named ${nameText(name)}.`,
  'request-waiting': md`Another request for the same change is already waiting.`,
  offline: ({ since }) =>
    since === null
      ? md`The device was offline.`
      : md`The device had been offline since ${relativeDate(since)}.`,
  stopped: ({ at }) => md`The rollout was stopped ${relativeDate(at)}.`,
  'rights-lost': ({ who }) =>
    who === 'requester'
      ? md`The requester no longer has the role to request it.`
      : md`Somebody who approved it is no longer an approver.`,
  'rights-unread': md`Patchbay could not check in Slack that its requester and approvers still have their roles.`,
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
export const driftText = byKind<Drift, Mrkdwn>({
  gone: ({ name }) => md`${nameText(name)} no longer exists in the management service`,
  'other-machine': ({ name }) =>
    md`${nameText(name)} is now another machine: its serial number, UUID or creation time is different`,
  rule: ruleText,
  'policy-hidden': ({ policy }) =>
    md`the management service doesn’t show the configuration of ${policy === null ? md`the policy` : quoted(policy)}`,
  listed: listedText,
  changed: (drift) => PHRASES.get(drift.field)?.(drift) ?? changedText(drift),
});

function ruleText({ name, rule, does }: Extract<Drift, { kind: 'rule' }>): Mrkdwn {
  const whose = rule === null ? md`what no rule covers` : md`rule ${quoted(rule)}`;
  return does === 'refuses'
    ? md`by now ${whose} refuses this for ${nameText(name)}`
    : md`by now ${whose} asks for more approvals for ${nameText(name)}`;
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
  const texts = changes.map(driftText);
  const fitting = fittingClauses(texts);
  const left = more + texts.length - fitting.length;
  const clauses = left === 0 ? fitting : [...fitting, countText(left, 'more change')];
  const all = joinMrkdwn(clauses, '; ');
  return changes.every(({ kind }) => kind === 'rule')
    ? md`${all}.`
    : md`${SUBJECTS[subject]} changed since the request — ${all}.`;
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

/** What became of the call, what the queue, the record and the device show, and what all of it comes to. */
const SENT_WORDS = {
  refused: refusedText,
  unsendable: ({ fault }) => md`Nothing was sent: ${escapeMrkdwn(changeFaultText(fault), 200)}.`,
  'answer-lost': ({ error }, action) => {
    const arrived = changesRecord(action)
      ? md`The change may or may not have been made.`
      : md`The command may or may not have arrived.`;
    return md`Patchbay got no clear answer: ${lostAnswerText(error)}. ${arrived}`;
  },
  interrupted: (_, action) =>
    md`Patchbay stopped while sending the ${nounOf(action)}. The management service may or may not have accepted it.`,
  looking: (_, action) =>
    changesRecord(action)
      ? md`Patchbay is checking for the change and won’t send it again.`
      : md`Patchbay is looking for the command in the device’s queue and won’t send it again.`,
  accepted: ({ inQueue }) => ACCEPTED_WORDS[inQueue],
  queued: ({ answerLost, offline }) => {
    const lost = answerLost
      ? md`Patchbay got no clear answer, but the command is in the device’s queue. `
      : md``;
    return md`${lost}The command can’t be canceled.${offlineSentence(offline)}`;
  },
  ambiguous: ({ entries, answerLost }) => {
    const which = md`the device’s queue has ${entries} new entries like this command. It’s unclear which one belongs to it`;
    return answerLost
      ? md`Patchbay got no clear answer, and ${which}. Patchbay won’t send it again.`
      : md`The management service accepted the command, and ${which}.`;
  },
  answered: ({ exitCode }) =>
    exitCode === null ? md`The device answered.` : md`The device answered with exit code ${exitCode}.`,
  'left-queue': md`The command left the device’s queue. No answer was seen.`,
  // Read long afterwards, so it says nothing of the device as it is by then.
  'still-queued': ({ offline, at }) =>
    md`Patchbay stopped checking ${relativeDate(at)}. The command was still in the device’s queue${wasOffline(offline)}. A queued command can’t be canceled, so it may have run since, or may still run.`,
  unconfirmed: md`Couldn’t confirm that it ran.`,
  'cause-unknown': md`This may have another cause, because Patchbay got no clear answer to the command. It was not sent again.`,
  'stays-unknown': md`Patchbay got no clear answer and found no matching entry in the device’s queue. The device may or may not have received the command. It was not sent again. Check the device before you request it again.`,
  unverifiable: ({ thing }) =>
    md`The ${trustedMrkdwn(thing)} no longer exists in the management service, so nothing can be verified.`,
  'check-late': ({ error }) =>
    md`The check is late, because ${errorText(error)}. Patchbay tries again by itself.`,
  'unread-to-the-end': ({ error }) =>
    md`The outcome is unknown. Patchbay’s last check failed: ${lostAnswerText(error)}.`,
  // What the record shows after an edit or a removal.
  'shown-after-loss': md`Patchbay got no clear answer, but the change is visible now.`,
  'group-made': ({ group }) => md`It is group #${group}.`,
  'policy-made': ({ policy }) => md`It is policy #${policy}.`,
  confirmed: ({ fields, name }) =>
    md`The management service now shows the new ${fieldsText(fields)}${newNameText(name)}.`,
  'other-values': ({ fields }) => md`The management service shows other values for ${fieldsText(fields)}.`,
  'not-shown': ({ fields }) => md`Sent but not shown by the management service: ${fieldsText(fields)}.`,
  'also-changed': ({ fields }) =>
    md`${trustedMrkdwn(upperFirst(fieldsText(fields)))} also changed, maybe by someone else.`,
  'no-such-group': md`There is no group with this name under this parent.`,
  'several-groups': ({ groups }) => md`There are now ${groups} groups with this name.`,
  'no-such-policy': md`There is no policy with this name.`,
  'several-policies': ({ policies }) => md`There are now ${policies} policies with this name.`,
  'edit-unconfirmed': ({ answerLost }) =>
    answerLost
      ? md`Patchbay got no clear answer, so the management service may or may not have accepted the change.`
      : md`The management service accepted the change.`,
  removed: ({ thing }) => md`The ${trustedMrkdwn(thing)} no longer exists in the management service.`,
  'still-there': ({ thing }) => md`The management service still shows the ${trustedMrkdwn(thing)}.`,
  // What the device shows.
  refreshed: ({ at }) => md`The device’s data was refreshed ${relativeDate(at)}.`,
  'not-refreshed': ({ last }) =>
    last === null
      ? md`Its last refresh is still unknown.`
      : md`Its last refresh is still ${relativeDate(last)}.`,
  restarted: ({ left, flagCleared }) =>
    md`The device went offline ${relativeDate(left)} and is back online.${flagText(flagCleared)}`,
  'uptime-dropped': ({ flagCleared }) => md`The device’s uptime dropped.${flagText(flagCleared)}`,
  'not-back': ({ left }) => md`It went offline ${relativeDate(left)} and isn’t back online yet.`,
  'not-restarted': ({ uptimeDropped }) =>
    uptimeDropped
      ? md`No disconnect and reconnect seen. Its uptime dropped, but possibly before the command.`
      : md`No disconnect and reconnect seen, and its uptime did not drop.`,
  installed: installedText,
  'reported-installed': ({ packages }) =>
    md`The management service reported ${namesText(packages)} as installed.`,
  'install-failed': installFailedText,
  'not-installed': ({ packages, nameless }) =>
    md`Not installed yet: ${namesText(packages)}.${namelessText(nameless)}`,
  'packages-unread': md`The device’s packages have not been read yet.`,
  'policy-tested': ({ policy, exitCode }) =>
    md`The test of ${policyNameText(policy.id, policy.name)} ended ${exitCodeText(exitCode)}.`,
  'policy-result': ({ policy, at, status }) =>
    md`The management service updated the result of ${policyNameText(policy.id, policy.name)} ${relativeDate(at)}: the device ${policyStatusPhrase(status)}.`,
  'no-policy-result': ({ policy }) => md`No result of ${policyNameText(policy.id, policy.name)} yet.`,
  'policy-ran': ({ policy, exitCode }) => md`${policySubject(policy)} ran ${exitCodeText(exitCode)}.`,
  // A script may print secrets and names of people, so what it printed is in no evidence.
  'policy-failed': ({ policy, exitCode }) =>
    md`${policySubject(policy)} ran ${exitCodeText(exitCode)}. Its output is in the management service’s console.`,
  'policy-met': ({ policy }) =>
    md`The device is now up to date with ${policyNameText(policy.id, policy.name)}.`,
  'policy-unproven': ({ run, policy }) => {
    const ran =
      run === null ? md`` : md` The management service reported a run ${exitCodeText(run.exitCode)}.`;
    return md`No proof yet that ${policyNameText(policy.id, policy.name)} was remediated.${ran}`;
  },
} satisfies Partial<EvidenceTable>;

function nounOf(action: ActionKind): Mrkdwn {
  return changesRecord(action) ? md`change` : md`command`;
}

function wasOffline(offline: OfflineFacts): Mrkdwn {
  if (offline === null) return md``;
  return offline.since === null
    ? md`, and the device was offline`
    : md`, and the device had been offline since ${relativeDate(offline.since)}`;
}

function refusedText({ error }: Extract<Evidence, { kind: 'refused' }>, action: ActionKind): Mrkdwn {
  const noun = nounOf(action);
  // Without an HTTP status it never left Patchbay.
  const end =
    error.status === null
      ? md`The ${noun} could not be sent`
      : md`The management service did not accept the ${noun}`;
  const cause = error.held !== null ? errorText(error) : md`Cause: ${errorText(error, true)}`;
  const next = error.kind === 'throttled' ? md` Try again later.` : md``;
  return md`${end}. Nothing was changed. ${cause}.${next}`;
}

const ACCEPTED_WORDS = {
  'not-yet': md`The device’s queue hasn’t been read since.`,
  'not-seen': md`The management service accepted the command. Patchbay hasn’t seen it in the device’s queue.`,
  unasked: md`The management service accepted the command.`,
} as const;

/** What the service shows after an edit that it may have accepted; null: that is said as always. */
const shownInsteadText = bySomeKinds<Evidence, Mrkdwn>({
  'other-values': ({ fields }) => md`It shows other values for ${fieldsText(fields)}.`,
  'not-shown': ({ fields }) => md`The management service does not show ${fieldsText(fields)}.`,
  'still-there': ({ thing }) => md`It still shows the ${trustedMrkdwn(thing)}.`,
});

function newNameText(name: string | null | undefined): Mrkdwn {
  if (name === undefined) return md``;
  return name === null ? md` (none)` : md` “${nameText(name)}”`;
}

/** Every one of them, because each was requested. */
function fieldsText(fields: readonly EditedField[]): Mrkdwn {
  return namesText(
    fields.map((field) => FIELD_LABELS[field]),
    trustedMrkdwn,
  );
}

function flagText(flagCleared: boolean): Mrkdwn {
  return flagCleared ? md` A reboot is no longer required.` : md``;
}

function installedText({ packages }: { readonly packages: readonly string[] }): Mrkdwn {
  const [only, ...others] = packages;
  if (only === undefined)
    return md`No patches were missing before the command, so there was nothing to install.`;
  return others.length === 0
    ? md`${namesText(packages)} is installed.`
    : md`${others.length === 1 ? md`Both` : md`All ${packages.length}`} packages are installed.`;
}

function installFailedText(evidence: Extract<Evidence, { kind: 'install-failed' }>): Mrkdwn {
  const { packages, words, installed, total } = evidence;
  // Another program's own words.
  const said = words === null ? md`` : md`: “${escapeMrkdwn(words, 300)}”`;
  // In the order of the card's own list of packages.
  const names = namesText(packages.toSorted());
  const isAll = total > 1 && installed === 0 && packages.length === total;
  const which = isAll ? md`${total === 2 ? md`both` : md`all ${total}`} packages (${names})` : names;
  const rest = total > 1 && !isAll ? md` ${installed} of ${total} packages are installed.` : md``;
  return md`The management service reported that ${which} failed to install${said}.${rest}`;
}

/** It may be the failure of another package. */
function namelessText(nameless: { readonly words: string | null } | null): Mrkdwn {
  if (nameless === null) return md``;
  const words = nameless.words === null ? md`` : md` (“${escapeMrkdwn(nameless.words, 300)}”)`;
  return md` The management service reported a failed patch without its name${words}.`;
}

/** A sentence for each fact; null where there is none. `action`: what was requested. */
export function evidenceText(evidence: EvidenceList, action: ActionKind): Mrkdwn | null {
  if (evidence.length === 0) return null;
  return joinMrkdwn(sentencesOf(evidence, action), ' ');
}

/** Of an edit that is not confirmed, what the service shows comes before the last sentence. */
function sentencesOf(evidence: EvidenceList, action: ActionKind): readonly Mrkdwn[] {
  const [first, ...shown] = evidence;
  if (first?.kind !== 'edit-unconfirmed') return evidence.map((one) => oneText(one, action));
  return [
    oneText(first, action),
    ...shown.map((one) => shownInsteadText(one) ?? oneText(one, action)),
    ...(first.answerLost ? [md`It was not sent again.`] : []),
  ];
}

const oneText = byKind<Evidence, Mrkdwn, [action: ActionKind]>({
  ...NOT_SENT_WORDS,
  ...SENT_WORDS,
  drifted: driftedText,
});

/** Why a request was returned to its approvers, or withdrawn by Patchbay. */
export function noteText(note: RequestNote, action: ActionKind): Mrkdwn {
  switch (note.kind) {
    case 'drifted':
    case 'paused':
    case 'rights-lost':
      return md`Not sent: ${continued(oneText(note, action))}`;
    case 'rights-unread':
      return md`Not sent yet: ${continued(oneText(note, action))} It tries again each minute.`;
    case 'unposted':
      return md`Slack couldn’t show the card: ${escapeMrkdwn(note.why, 300)}`;
  }
}

/** A sentence of ours after a colon. */
function continued(sentence: Mrkdwn): Mrkdwn {
  return trustedMrkdwn(lowerFirst(sentence));
}

/** What the audit keeps of evidence or of a note, in words. */
export function auditSentence(stored: string, action: ActionKind, max: number): Mrkdwn {
  const json = tryParseJson(stored);
  const evidence = z.array(evidenceSchema).safeParse(json);
  if (evidence.success) return evidenceText(evidence.data, action) ?? md``;
  const note = noteSchema.safeParse(json);
  return note.success ? noteText(note.data, action) : escapeMrkdwn(stored, max);
}
