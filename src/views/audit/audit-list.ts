/** Who did what and when, newest first: a sentence for each act. */
import type { AuditRecord } from '../../store/port/records.ts';
import { context, rowBlocks as linesOf, section } from '../kit/blocks.ts';
import { escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { pageButtons } from '../kit/pager.ts';
import { renderSentence } from '../kit/stored-sentences.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { AuditActivity, AuditNames, RenderedMessage, View } from '../model.ts';
import { countText } from '../text/common-text.ts';
import { changesText, hasChanges, isChange } from './audit-changes.ts';
import { type AuditDetail, actionText, detailValueText, fillTemplate, joinWithAnd } from './audit-subject.ts';
import { actionTemplate } from './audit-text.ts';

type AuditView = Extract<View, { kind: 'audit' }>;

const BUDGET = 9_000;
const QUOTED = 240;
const DETAILS = 12;
/** Ids and digests, which the file has. */
const HIDDEN_DETAILS: ReadonlySet<string> = new Set(['seal', 'operation']);
/** Sentences of their own. */
const SENTENCES = ['evidence', 'note'] as const;
/** Earlier versions wrote the note of what sent a request back on every later entry, too. */
const ACTIONS_WITH_NOTES: ReadonlySet<string> = new Set([
  'approval.sent-back',
  'approval.abandoned',
  'approval.unposted',
]);

export function renderAudit({ device, rows, lines, names, since, cut, paging }: AuditView): RenderedMessage {
  const subject = device === null ? md`` : md` for device ${detailValueText('device', device, names)}`;
  const entries = countText(paging.total, 'entry', 'entries');
  const gathered = lines === paging.total ? md`` : md` in ${countText(lines, 'line')}`;
  const more = (left: number) => md`${left} more lines on this page not shown. The CSV file has them.`;
  return buildMessage({
    text: md`Audit${subject}: ${entries}.`,
    body: [
      section(md`*Audit${subject}*`),
      ...(rows.length === 0
        ? [section(md`No activity in this period.`)]
        : linesOf(
            rows.map((act) => activityLine(act, names)),
            { budget: BUDGET, more },
          )),
      ...(cut ? [context(md`Older entries in this period were not read.`)] : []),
    ],
    footer: pageButtons(paging, md`${entries}${gathered} since ${relativeDate(since)}`),
  });
}

function activityLine({ entries, order, reference }: AuditActivity, names: AuditNames): Mrkdwn {
  const [{ at, actor }] = entries;
  const who = actor === 'patchbay' ? md`Patchbay` : mentionPerson(actor);
  const about = { order, names, device: entries.map(deviceIn).find((id) => id !== null) ?? null };
  const first = entries.find(({ action }) => actionTemplate(action)?.includes('{it}'));
  const done = joinWithAnd(entries.map((entry) => entryText(entry, { ...about, isFirst: entry === first })));
  const quotedNotes = sentencesOf(entries).map((words) => md` ${renderSentence(words, QUOTED)}`);
  const changes = changesText(changesIn(entries, order));
  return md`${relativeDate(at)} · ${who} ${done}.${changes}${joinMrkdwn(quotedNotes, '')} · ${inlineCode(reference, DISPLAY_LIMIT.label)}`;
}

/** Where an edit ended, also what it was asked for with: without an approval its end keeps no facts. */
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

/** What was done, with every detail that the words have no place for. */
function entryText({ action, detail }: AuditRecord, { order, device, names, isFirst }: EntryContext): Mrkdwn {
  const template = actionTemplate(action);
  const used = new Set<string>(SENTENCES);
  const words =
    template === null
      ? escapeMrkdwn(action, DISPLAY_LIMIT.label)
      : fillTemplate(template, (name) => {
          if (name !== 'it' && name !== 'a') {
            used.add(name);
            return detailValueText(name, detail[name] ?? null, names);
          }
          used.add('device');
          if (name === 'a') for (const key of ORDER_DETAILS) used.add(key);
          return name === 'it' && !isFirst
            ? md`it`
            : actionText(name === 'a' ? 'a' : 'the', order ?? detail, device, names);
        });
  const rest = Object.entries(detail)
    .filter(
      ([name, value]) =>
        value !== null && value !== '' && !HIDDEN_DETAILS.has(name) && !isChange(name) && !used.has(name),
    )
    .slice(0, DETAILS)
    .map(([name, value]) => labelledDetail(name, detailValueText(name, value, names)));
  return rest.length === 0 ? words : md`${words} (${joinMrkdwn(rest, ', ')})`;
}

/** What the noun of an order says. */
const ORDER_DETAILS = ['command', 'devices', 'policy', 'fields', 'group', 'severities'];

function labelledDetail(name: string, value: Mrkdwn): Mrkdwn {
  return SELF_EVIDENT.has(name) ? value : md`${escapeMrkdwn(name, DISPLAY_LIMIT.label)}: ${value}`;
}

const SELF_EVIDENT: ReadonlySet<string> = new Set(['device', 'policy', 'why']);

function deviceIn({ detail }: AuditRecord): AuditDetail[string] {
  return detail['device'] ?? null;
}

/** Of the steps of one act only the last evidence holds: each is what was known then. */
function sentencesOf(entries: AuditActivity['entries']): readonly string[] {
  const notes = entries
    .filter(({ action }) => ACTIONS_WITH_NOTES.has(action))
    .map(({ detail }) => detail['note'] ?? '');
  const evidence = entries.map(({ detail }) => detail['evidence'] ?? '').findLast((words) => words !== '');
  return [...new Set([...notes, evidence ?? ''].map(String))].filter((words) => words !== '');
}
