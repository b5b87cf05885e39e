/** The audit: who did what and when, newest first, one sentence for each activity. */
import { FIELD_LABELS } from '../../fleet/facts/edit-changes.ts';
import { isActionKind } from '../../fleet/model/actions.ts';
import { EVENT_KINDS, isEventKind } from '../../fleet/model/event-kinds.ts';
import { DAY, type Instant, instant } from '../../lib/clock.ts';
import { channelId, type DeviceId, personId } from '../../lib/ids.ts';
import type { AuditEntry, AuditRecord } from '../../store/port/store.ts';
import { context, rowBlocks, section } from '../kit/blocks.ts';
import { escapeMrkdwn, escapeValue, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { mentionChannel, mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { pageButtons } from '../kit/pager.ts';
import { type CsvTable, csvTable, utcTimestamp } from '../kit/table.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { AuditActivity, AuditNames, Paging } from '../models/list-model.ts';
import { auditSentence } from '../requests/evidence.ts';
import { countText, joinWithAndMrkdwn } from '../text/common-text.ts';

export type AuditView = {
  readonly kind: 'audit';
  /** Null: the whole audit. */
  readonly device: DeviceId | null;
  readonly rows: readonly AuditActivity[];
  /** Lines on all pages; `paging` counts entries. */
  readonly lines: number;
  readonly names: AuditNames;
  readonly since: Instant;
  /** There were more entries than are read at once, so the oldest are missing. */
  readonly cut: boolean;
  readonly paging: Paging;
};

const BUDGET = 9_000;
const QUOTED = 240;
const DETAILS = 12;
/** IDs and digests, which only the CSV file shows. */
const HIDDEN_DETAILS: ReadonlySet<string> = new Set(['seal']);
/** Characters of a hash: nobody can make another entry with the same ones. */
const HASH_SHOWN = 32;
/** Details that are whole sentences. */
const SENTENCES = ['evidence', 'note'] as const;

export function renderAudit({ device, rows, lines, names, since, cut, paging }: AuditView): RenderedMessage {
  const subject = device === null ? md`` : md` for device ${detailValueText('device', device, names)}`;
  const entries = countText(paging.total, 'entry', 'entries');
  const gathered = lines === paging.total ? md`` : md` (related ones share a line)`;
  const period = countText(Math.round((paging.asOf - since) / DAY), 'day');
  const more = (left: number) => md`${left} more lines on this page not shown. The CSV file has them.`;
  return buildMessage({
    text: md`Audit${subject}: ${entries}.`,
    body: [
      section(md`*Audit${subject}*`),
      ...rowBlocks(
        rows.map((act) => activityLine(act, names)),
        { budget: BUDGET, more, spaced: true, none: md`No activity in this period.` },
      ),
      ...(cut ? [context(md`Older entries in this period were not read.`)] : []),
    ],
    footer: pageButtons(paging, md`${entries} in the last ${period}${gathered}`),
  });
}

function activityLine({ entries, order }: AuditActivity, names: AuditNames): Mrkdwn {
  const [{ at, actor }] = entries;
  const steps = notableSteps(entries);
  const who = actor === 'patchbay' ? md`Patchbay` : mentionPerson(actor);
  const device = entries.map(({ detail }) => detail['device'] ?? null).find((id) => id !== null) ?? null;
  const about = { order, names, device };
  const first = steps.find(({ action }) => actionTemplate(action)?.includes('{it}'));
  const done = joinWithAndMrkdwn(
    steps.map((entry) => entryText(entry, { ...about, isFirst: entry === first })),
  );
  // An action of a newer version is worded like a command.
  const kind = order?.['command'];
  const action = { kind: isActionKind(kind) ? kind : 'scan' } as const;
  const quotedNotes = sentencesOf(entries).map((words) => md` ${auditSentence(words, action, QUOTED)}`);
  const changes = changesText(changesIn(entries, order));
  return md`${relativeDate(at)} · ${who} ${done}.${changes}${joinMrkdwn(quotedNotes, '')}`;
}

/** A claim is written before the step that matters; it counts where Patchbay got no further. */
function notableSteps(entries: AuditActivity['entries']): readonly AuditRecord[] {
  const done = entries.filter(({ action }) => action !== 'operation.issuing');
  return done.length > 0 ? done : [entries[0]];
}

/** The changes of an edit. An edit without approval stores none at its end, so those of its request are used. */
function changesIn(entries: AuditActivity['entries'], order: AuditDetail | null): AuditDetail {
  const own = entries.findLast(({ detail }) => Object.keys(detail).some(isChange))?.detail;
  const isEnd = entries.some(({ action }) => action === 'operation.verified');
  return own ?? (isEnd ? order : null) ?? {};
}

type EntryContext = {
  readonly order: AuditDetail | null;
  readonly device: AuditDetail[string];
  readonly names: AuditNames;
  readonly isFirst: boolean;
};

/** What was done. Details that the sentence does not contain follow in brackets. */
function entryText(
  { action, subject, detail }: AuditRecord,
  { order, device, names, isFirst }: EntryContext,
): Mrkdwn {
  const template = actionTemplate(action);
  const used = new Set<string>(SENTENCES);
  const words =
    template === null
      ? escapeMrkdwn(action, DISPLAY_LIMIT.label)
      : fillTemplate(
          chooseParts(template, (name) => (detail[name] ?? '') !== ''),
          (name) => {
            if (name === 'subject') return escapeMrkdwn(numbered(subject), DISPLAY_LIMIT.label);
            if (name !== 'it' && name !== 'a') {
              used.add(name);
              return detailValueText(name, detail[name] ?? null, names);
            }
            used.add('device');
            if (name === 'a') for (const key of ORDER_DETAILS) used.add(key);
            return name === 'it' && !isFirst
              ? md`it`
              : actionText(name === 'a' ? 'a' : 'the', order ?? detail, device, names);
          },
        );
  const rest = Object.entries(detail)
    .filter(
      ([name, value]) =>
        value !== null && value !== '' && !HIDDEN_DETAILS.has(name) && !isChange(name) && !used.has(name),
    )
    .slice(0, DETAILS)
    .map(([name, value]) => labelledDetail(name, detailValueText(name, value, names)));
  return rest.length === 0 ? words : md`${words} (${joinMrkdwn(rest, ', ')})`;
}

/** Such as `silence #1` for `silence 1`, which reads as a count. */
function numbered(subject: string): string {
  return subject.replace(/^(silence|subscription) (?=\d+$)/, '$1 #');
}

/** Details that the name of a command already contains. */
const ORDER_DETAILS = ['command', 'devices', 'policy', 'fields', 'group', 'severities'];

function labelledDetail(name: string, value: Mrkdwn): Mrkdwn {
  return SELF_EVIDENT.has(name)
    ? value
    : md`${escapeMrkdwn(LABELS.get(name) ?? name, DISPLAY_LIMIT.label)}: ${value}`;
}

const SELF_EVIDENT: ReadonlySet<string> = new Set(['device', 'policy', 'why']);

/** After these the evidence is what Patchbay waited for, which soon no longer holds. */
const PASSING: ReadonlySet<string> = new Set(['operation.issuing', 'operation.accepted', 'operation.queued']);

/** The notes, and the evidence of the last step where it holds for good. The file has the evidence of every step. */
function sentencesOf(entries: AuditActivity['entries']): readonly string[] {
  const notes = entries.map(({ detail }) => detail['note'] ?? '');
  const last = entries.findLast(({ detail }) => (detail['evidence'] ?? '') !== '');
  const evidence = last === undefined || PASSING.has(last.action) ? null : last.detail['evidence'];
  return [...new Set([...notes, evidence ?? ''].map(String))].filter((words) => words !== '');
}

/** The entries as they were written, newest first: one line of the audit may stand for several. */
export function auditCsv({ rows, paging }: AuditView): CsvTable {
  const all = rows.flatMap(({ entries }) => entries).toSorted((a, b) => b.sequence - a.sequence);
  const table = csvTable(all, {
    sequence: (entry) => entry.sequence,
    time: (entry) => utcTimestamp(entry.at),
    who: (entry) => entry.actor,
    action: (entry) => entry.action,
    subject: (entry) => entry.subject,
    detail: (entry) => JSON.stringify(entry.detail),
    hash: (entry) => entry.hash.slice(0, HASH_SHOWN),
  });
  return { ...table, omittedRows: Math.max(paging.total - all.length, 0) };
}

type AuditDetail = AuditEntry['detail'];

/** More are only counted. The CSV file has all, and each gets a line of its own once its command is sent. */
const MAX_DEVICES = 20;

/** Such as `an edit (tags) of web-01 (#4001)`. `device`: the one device that the entry is about, or null. */
function actionText(
  article: 'a' | 'the',
  order: AuditDetail | null,
  device: AuditDetail[string],
  names: AuditNames,
): Mrkdwn {
  const subject = actionSubject(order, device, names);
  const command = order?.['command'] ?? null;
  if (order === null || command === null)
    return subject === null ? md`the command` : md`the command for ${subject}`;
  const noun = fillTemplate(NOUNS.get(String(command)) ?? 'command {command} for', (name) =>
    detailValueText(name, order[name] ?? null, names),
  );
  const first = article === 'a' && /^[aeiou]/.test(noun) ? 'an' : article;
  const severities = order['severities'] ?? null;
  const chosen =
    severities === null
      ? md``
      : md` chosen by severity (${escapeMrkdwn(String(severities).split(' ').join(' or '))})`;
  return md`${trustedMrkdwn(first)} ${noun} ${subject ?? md`a device`}${chosen}`;
}

function actionSubject(
  order: AuditDetail | null,
  device: AuditDetail[string],
  names: AuditNames,
): Mrkdwn | null {
  if (device !== null) return detailValueText('device', device, names);
  const devices = order?.['devices'] ?? '';
  if (devices !== '') return detailValueText('devices', devices, names);
  const group = order?.['group'] ?? null;
  return group === null ? null : md`the group ${detailValueText('group', group, names)}`;
}

/** The template without the parts in `[…]` whose detail `has` does not know. */
function chooseParts(template: string, has: (name: string) => boolean): string {
  return template.replaceAll(/\[([^\]|]*)(?:\|([^\]]*))?\]/g, (_, part: string, otherwise = '') => {
    const [, name = ''] = /\{(\w+)\}/.exec(part) ?? [];
    return has(name) ? part : String(otherwise);
  });
}

/** The template with each `{name}` in words. */
function fillTemplate(template: string, words: (name: string) => Mrkdwn): Mrkdwn {
  const parts = template.split(/\{(\w+)\}/);
  return joinMrkdwn(
    parts.map((part, at) => (at % 2 === 0 ? trustedMrkdwn(part) : words(part))),
    '',
  );
}

function detailValueText(name: string, value: AuditDetail[string], names: AuditNames): Mrkdwn {
  const text = String(value ?? 'unknown');
  switch (name) {
    case 'device':
      return nameOrNumber(text, names.devices);
    case 'devices':
      return namesText(text.split(' ').map((id) => nameOrNumber(id, names.devices)));
    case 'group':
      return nameOrNumber(text, names.groups);
    case 'policy':
      return nameOrNumber(text, names.policies, 'policy ');
    case 'channel':
      // Slack shows no name for a direct message.
      return text.startsWith('D') ? md`direct messages` : mentionChannel(channelId(text));
    case 'person':
      return /^[UW]/.test(text) ? mentionPerson(personId(text)) : mentionChannel(channelId(text));
    default:
      return name === 'until' && typeof value === 'number'
        ? relativeDate(instant(value))
        : auditValueText(name, text);
  }
}

/** `web-01 (#4001)`. An unknown ID stays a number, and what is not a number is shown as it is. */
function nameOrNumber(id: string, names: ReadonlyMap<number, string>, sign: '#' | 'policy ' = '#'): Mrkdwn {
  if (!/^\d+$/.test(id)) return escapeMrkdwn(id);
  const name = names.get(Number(id));
  const number = trustedMrkdwn(`${sign}${id}`);
  return name === undefined ? number : md`${escapeValue(name)} (${number})`;
}

function namesText(items: readonly Mrkdwn[]): Mrkdwn {
  const left = items.length - MAX_DEVICES;
  return left > 0
    ? md`${joinMrkdwn(items.slice(0, MAX_DEVICES), ', ')} and ${left} more devices (named in the CSV file)`
    : joinWithAndMrkdwn(items);
}

/** What an edit changed, as the audit keeps it: `FIELD.before`, `FIELD.after`, `tags.added` and `tags.removed`. */
const KEY = /^(\w+)\.(before|after|added|removed)$/;

function isChange(name: string): boolean {
  return KEY.test(name);
}

/** ` Group: Linux servers (#3) → Databases (#4); tags: blue added.`, or nothing. */
function changesText(detail: AuditDetail): Mrkdwn {
  const fields = [...new Set(Object.keys(detail).flatMap((name) => KEY.exec(name)?.[1] ?? []))];
  const parts = fields.flatMap((field) => fieldChange(field, detail) ?? []);
  return parts.length === 0 ? md`` : md` Changes: ${joinMrkdwn(parts, '; ')}.`;
}

function fieldChange(field: string, detail: AuditDetail): Mrkdwn | null {
  const of = (part: string): Mrkdwn | null => {
    const value = detail[`${field}.${part}`] ?? null;
    return value === null ? null : escapeMrkdwn(String(value), DISPLAY_LIMIT.label);
  };
  const [before, after, added, removed] = [of('before'), of('after'), of('added'), of('removed')];
  const changeWords = beforeAfterText(before, after) ?? addedRemovedText(added, removed);
  return changeWords === null ? null : md`${trustedMrkdwn(auditFieldText(field))} ${changeWords}`;
}

function beforeAfterText(before: Mrkdwn | null, after: Mrkdwn | null): Mrkdwn | null {
  if (after === null) return null;
  return before === null ? md`→ ${after}` : md`${before} → ${after}`;
}

function addedRemovedText(added: Mrkdwn | null, removed: Mrkdwn | null): Mrkdwn | null {
  const parts = [
    ...(added === null ? [] : [md`${added} added`]),
    ...(removed === null ? [] : [md`${removed} removed`]),
  ];
  return parts.length === 0 ? null : joinMrkdwn(parts, ', ');
}

/**
 * Sentences for the actions of the audit. `{it}` is the command and its device, `{a}` the same named for the first time, `{subject}` what the entry is filed
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
  ['approval.agreed', 'approved {it}, as one of several'],
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
  ['alerts.acknowledged', 'acknowledged [the alert {kind}|an alert][ on {device}][ on {devices}]'],
  [
    'alerts.subscribed',
    'subscribed to [{events}|alerts][ in the group {group}][ for {policy}][ with the tag {tag}][ with {os}][ in {channel}] ({subject})',
  ],
  [
    'alerts.unsubscribed',
    'ended {subject} to [{events}|alerts][ in the group {group}][ for {policy}][ with the tag {tag}][ with {os}][ in {channel}]',
  ],
  ['configuration.changed', 'took the changed configuration file: {changes}'],
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

const MAX_DETAIL_LENGTH = 240;

const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['own-request', 'it was their own request'],
  ['not-requester', 'it was someone else’s request'],
  ['not-allowed', 'their role doesn’t allow it'],
  ['others-decide', 'its rules name others to decide'],
  ['rule-refuses', 'a rule refuses it'],
  ['agreed-before', 'they had approved it before'],
  ['unknown-window', 'Patchbay doesn’t know the window'],
  ['other-person', 'the window was opened for somebody else'],
  ['other-view', 'the window wasn’t the one that Patchbay opened'],
  ['used-window', 'the window was submitted before'],
  ['ended-window', 'the window had expired'],
  ['stale-card', 'the request or its rollout had changed'],
  ['already', 'it was decided already'],
]);

/** Stored values in words: names of fields and events, and why somebody was refused. */
function auditValueText(name: string, value: string): Mrkdwn {
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

/** The name of a field inside a sentence. One of a newer version is shown by its stored name. */
function auditFieldText(name: string): string {
  return new Map<string, string>(Object.entries(FIELD_LABELS)).get(name) ?? name;
}
