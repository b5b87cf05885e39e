/** The audit: who did what and when, newest first, one sentence for each activity. */

import { type ActionKind, isActionKind } from '../../fleet/model/actions.ts';
import { DAY, type Instant } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { AuditRecord } from '../../store/port/records.ts';
import { context, rowBlocks, section } from '../kit/blocks.ts';
import { type CsvTable, csvTable, utcTimestamp } from '../kit/csv.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { pageButtons } from '../kit/pager.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Paging } from '../models/list-model.ts';
import type { AuditActivity, AuditNames } from '../models/records-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import { auditSentence } from '../requests/evidence/evidence-text.ts';
import { countText } from '../text/common-text.ts';
import {
  type AuditDetail,
  actionText,
  changesText,
  chooseParts,
  detailValueText,
  fillTemplate,
  hasChanges,
  isChange,
  joinWithAnd,
} from './audit-subject.ts';
import { actionTemplate, auditLabel } from './audit-text.ts';

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
  const about = { order, names, device: entries.map(deviceIn).find((id) => id !== null) ?? null };
  const first = steps.find(({ action }) => actionTemplate(action)?.includes('{it}'));
  const done = joinWithAnd(steps.map((entry) => entryText(entry, { ...about, isFirst: entry === first })));
  const action = actionOf(order);
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
  const own = entries.findLast(({ detail }) => hasChanges(detail))?.detail;
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
    : md`${escapeMrkdwn(auditLabel(name), DISPLAY_LIMIT.label)}: ${value}`;
}

const SELF_EVIDENT: ReadonlySet<string> = new Set(['device', 'policy', 'why']);

function deviceIn({ detail }: AuditRecord): AuditDetail[string] {
  return detail['device'] ?? null;
}

/** After these the evidence is what Patchbay waited for, which soon no longer holds. */
const PASSING: ReadonlySet<string> = new Set(['operation.issuing', 'operation.accepted', 'operation.queued']);

/** The notes, and the evidence of the last step where it holds for good. The file has the evidence of every step. */
function sentencesOf(entries: AuditActivity['entries']): readonly string[] {
  const notes = entries.map(({ detail }) => detail['note'] ?? '');
  const last = entries.findLast(({ detail }) => (detail['evidence'] ?? '') !== '');
  const evidence = last === undefined || PASSING.has(last.action) ? null : last.detail['evidence'];
  return [...new Set([...notes, evidence ?? ''].map(String))].filter((words) => words !== '');
}

/** The action that the words are about; one of a newer version is worded like a command. */
function actionOf(order: AuditActivity['order']): ActionKind {
  const kind = order?.['command'];
  return { kind: isActionKind(kind) ? kind : 'scan' };
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
