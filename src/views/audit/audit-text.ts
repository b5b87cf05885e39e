/** Sentences for the actions of the audit. The store has short names, which other programs can count. */
import { FIELD_LABELS } from '../../fleet/facts/edit-changes.ts';
import { EVENT_KINDS, isEventKind } from '../../fleet/model/event-kinds.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';

/**
 * `{it}` is the command and its device, `{a}` the same named for the first time, `{subject}` what the entry is filed
 * under; other braces hold a detail. What stands in `[…]` is left out where its detail is absent; after a `|` stands
 * what replaces it then.
 */
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['operation.requested', 'requested {a}'],
  ['operation.issuing', 'was about to send {it}'],
  ['operation.accepted', 'sent {it}'],
  ['operation.queued', 'saw {it} in the queue'],
  ['operation.answered', 'received the response to {it}'],
  ['operation.verified', 'verified {it}'],
  ['operation.not_verified', 'could not verify {it}'],
  ['operation.not_sent', 'did not send {it}'],
  ['operation.not_needed', 'did not send {it}, which was no longer needed'],
  ['operation.refused', 'could not send {it}'],
  ['operation.unknown', 'lost the answer to {it}'],
  ['approval.requested', 'requested approval of {a}'],
  ['approval.approved', 'approved {it}'],
  ['approval.denied', 'denied {it}'],
  ['approval.withdrawn', 'withdrew the request for {it}'],
  ['approval.reason-added', 'added a reason to the request for {it}'],
  ['approval.expired', 'expired the request for {it}'],
  ['approval.unposted', 'could not post the card of the request for {it}'],
  ['approval.sent-back', 'returned the request for {it} to the approvers'],
  ['approval.refused', 'tried to {decision} {it} and was refused'],
  ['window.refused', 'submitted a window[ to {decision} {it}] and was refused'],
  ['rollout.paused', 'paused the rollout of {it} in wave {wave}'],
  ['rollout.resumed', 'resumed the rollout of {it} in wave {wave}'],
  ['rollout.continued', 'continued the rollout of {it} with wave {wave}'],
  ['rollout.continued-without', 'continued the rollout of {it} without the offline devices of wave {wave}'],
  ['rollout.stopped', 'stopped the rollout of {it} with {unsent} devices not sent'],
  ['rollout.closed', 'closed the rollout of {it} with {unsent} devices not sent'],
  [
    'rollout.unresumed',
    'ended the rollout of {it} with {unsent} devices not sent: nobody let it go on for 7 days',
  ],
  [
    'rollout.unauthorized',
    'ended the rollout of {it} with {unsent} devices not sent: its requester lost the role',
  ],
  ['rollout.expired', 'held the rollout of {it} in wave {wave}: its approval ended'],
  ['rollout.away', 'held the rollout of {it} in wave {wave}: Patchbay had not been running'],
  ['rollout.unproven', 'stopped the rollout of {it} after wave {wave}: no device of it is verified'],
  ['rollout.braked', 'stopped the rollout of {it} in wave {wave}: {bad} of {ended} devices failed'],
  [
    'rollout.unanswered',
    'stopped the rollout of {it} in wave {wave}: the last {sends} commands got no clear answer',
  ],
  ['rollout.drifted', 'stopped the rollout of {it} in wave {wave}: {bad} of {ended} devices changed'],
  ['rollout.wave-ended', 'finished wave {wave} of the rollout of {it}'],
  ['access.refused', 'tried {attempt} and was refused[: it needs the {need} role]'],
  ['access.foreign', 'was rejected for coming from another {origin}'],
  ['changes.paused', 'paused all changes'],
  ['changes.pause-reason-added', 'added a reason to the pause'],
  ['changes.resumed', 'resumed changes'],
  [
    'alerts.silenced',
    'silenced [{events}|alerts][ for {device}][ in the group {group}][ for the package {package}][ until {until}] ({subject})',
  ],
  ['alerts.sound-again', 'ended {subject}'],
  ['alerts.acknowledged', 'acknowledged [the alert {kind}|an alert][ on {device}]'],
  ['alerts.storm-acknowledged', 'acknowledged {alerts} alerts[ {kind}][ on {devices}]'],
  [
    'alerts.subscribed',
    'subscribed to [{events}|alerts][ in the group {group}][ for {policy}][ with the tag {tag}][ with {os}][ in {channel}] ({subject})',
  ],
  [
    'alerts.unsubscribed',
    'ended {subject} to [{events}|alerts][ in the group {group}][ for {policy}][ with the tag {tag}][ with {os}][ in {channel}]',
  ],
  ['outcome.untold', 'could not notify [{person}|the requester] of the outcome'],
  ['alias.shared', 'shared the alias {subject}[: {line}]'],
  ['alias.removed', 'removed the shared alias {subject}'],
  ['saved.shared', 'shared the saved target {subject}[: {line}]'],
  ['saved.removed', 'removed the shared saved target {subject}'],
  ['removals.accepted', 'accepted that up to {missing} are no longer in the lists of the fleet'],
]);

/** Null for an action of a newer version. */
export function actionTemplate(action: string): string | null {
  return ACTIONS.get(action) ?? null;
}

/** Commands as nouns, up to their device. */
const NOUNS: ReadonlyMap<string, string> = new Map([
  ['scan', 'scan of'],
  ['reboot', 'reboot of'],
  ['patch-all', 'installation of all missing patches on'],
  ['patch', 'installation of patches on'],
  ['patch-each', 'installation of missing patches on'],
  ['policy-test', 'test of {policy} on'],
  ['policy-remediate', 'remediation of {policy} on'],
  ['device-edit', 'edit ({fields}) of'],
  ['group-create', 'creation ({fields}) of'],
  ['group-edit', 'edit ({fields}) of'],
  ['policy-create', 'creation ({fields}) of'],
  ['policy-edit', 'edit ({fields}) of'],
  ['device-remove', 'removal of'],
  ['group-remove', 'removal of'],
]);

/** A command of a newer version is shown by its stored name. */
export function commandNoun(command: string): string {
  return NOUNS.get(command) ?? 'command {command} for';
}

const MAX_DETAIL_LENGTH = 240;

const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['own-request', 'it was their own request'],
  ['not-requester', 'it was someone else’s request'],
  ['not-allowed', 'their role doesn’t allow it'],
  ['unknown-window', 'Patchbay doesn’t know the window'],
  ['other-person', 'the window was opened for somebody else'],
  ['other-view', 'the window wasn’t the one that Patchbay opened'],
  ['used-window', 'the window was submitted before'],
  ['ended-window', 'the window had expired'],
  ['stale-card', 'the request or its rollout had changed'],
  ['already', 'it was decided already'],
]);

/** Stored values in words: names of fields and events, and why somebody was refused. */
export function auditValueText(name: string, value: string): Mrkdwn {
  if (name === 'kind') return eventTitle(value);
  if (name === 'events')
    return value === 'all'
      ? md`all alerts`
      : md`${joinMrkdwn(value.split(', ').map(eventTitle), ', ')} alerts`;
  const reason = name === 'why' ? REFUSALS.get(value) : undefined;
  const words = name === 'fields' ? value.split(' ').map(auditFieldText).join(', ') : value;
  return escapeMrkdwn(reason ?? words, MAX_DETAIL_LENGTH);
}

/** The title of an event kind. One of a newer version is shown by its stored name. */
function eventTitle(name: string): Mrkdwn {
  return md`“${escapeMrkdwn(isEventKind(name) ? EVENT_KINDS[name].title : name)}”`;
}

/** Names of details in brackets, where the stored name says too little. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['kept', 'alerts held'],
  ['role', 'their role'],
  ['skipped', 'more attempts not recorded'],
]);

export function auditLabel(name: string): string {
  return LABELS.get(name) ?? name;
}

/** The name of a field inside a sentence. One of a newer version is shown by its stored name. */
export function auditFieldText(name: string): string {
  return new Map<string, string>(Object.entries(FIELD_LABELS)).get(name) ?? name;
}
