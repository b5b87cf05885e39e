/** Who did what and when, newest first: a sentence for each act. */
import type { AuditRecord } from '../store/records.ts';
import { changeSentence, hasChanges, isChange } from './audit-changes.ts';
import { and, type Detail, detailWords, filled, orderWords } from './audit-order.ts';
import { actionWords } from './audit-words.ts';
import { context, lines as linesOf, section } from './kit/blocks.ts';
import { code, joined, literal, type Mrkdwn, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { pager } from './kit/pager.ts';
import { sentence } from './kit/sentence.ts';
import { when } from './kit/when.ts';
import type { AuditAct, AuditNames, RenderedMessage, View } from './model.ts';
import { count } from './words.ts';

type AuditView = Extract<View, { kind: 'audit' }>;

const BUDGET = 9_000;
const QUOTED = 240;
const DETAILS = 12;
/** Ids and digests, which the file has. */
const UNSHOWN: ReadonlySet<string> = new Set(['seal', 'operation']);
/** Sentences of their own. */
const SENTENCES = ['evidence', 'note'] as const;
/** Earlier versions wrote the note of what sent a request back on every later entry, too. */
const NOTED: ReadonlySet<string> = new Set(['approval.sent-back', 'approval.abandoned', 'approval.unposted']);

export function renderAudit({ device, rows, lines, names, since, cut, paging }: AuditView): RenderedMessage {
  const subject = device === null ? md`` : md` for device ${detailWords('device', device, names)}`;
  const entries = count(paging.total, 'entry', 'entries');
  const gathered = lines === paging.total ? md`` : md` in ${count(lines, 'line')}`;
  const more = (left: number) => md`${left} more lines on this page not shown. The CSV file has them.`;
  return message({
    text: md`Audit${subject}: ${entries}.`,
    body: [
      section(md`*Audit${subject}*`),
      ...(rows.length === 0
        ? [section(md`No activity in this period.`)]
        : linesOf(
            rows.map((act) => line(act, names)),
            { budget: BUDGET, more },
          )),
      ...(cut ? [context(md`Older entries in this period were not read.`)] : []),
    ],
    end: pager(paging, md`${entries}${gathered} since ${when(since)}`),
  });
}

function line({ entries, order, reference }: AuditAct, names: AuditNames): Mrkdwn {
  const [{ at, actor }] = entries;
  const who = actor === 'patchbay' ? md`Patchbay` : person(actor);
  const about = { order, names, device: entries.map(deviceIn).find((id) => id !== null) ?? null };
  const first = entries.find(({ action }) => actionWords(action)?.includes('{it}'));
  const done = and(entries.map((entry) => deed(entry, { ...about, isFirst: entry === first })));
  const said = sentencesOf(entries).map((words) => md` ${sentence(words, QUOTED)}`);
  const changes = changeSentence(changesIn(entries, order));
  return md`${when(at)} · ${who} ${done}.${changes}${joined(said, '')} · ${code(reference, SHOWN.label)}`;
}

/** Where an edit ended, also what it was asked for with: without an approval its end keeps no facts. */
function changesIn(entries: AuditAct['entries'], order: Detail | null): Detail {
  const own = entries.findLast(({ detail }) => hasChanges(detail))?.detail;
  const isEnd = entries.some(({ action }) => action === 'operation.verified');
  return own ?? (isEnd ? order : null) ?? {};
}

type About = {
  readonly order: Detail | null;
  readonly device: Detail[string];
  readonly names: AuditNames;
  readonly isFirst: boolean;
};

/** What was done, with every detail that the words have no place for. */
function deed({ action, detail }: AuditRecord, { order, device, names, isFirst }: About): Mrkdwn {
  const template = actionWords(action);
  const used = new Set<string>(SENTENCES);
  const words =
    template === null
      ? literal(action, SHOWN.label)
      : filled(template, (name) => {
          if (name !== 'it' && name !== 'a') {
            used.add(name);
            return detailWords(name, detail[name] ?? null, names);
          }
          used.add('device');
          if (name === 'a') for (const key of ORDER) used.add(key);
          return name === 'it' && !isFirst
            ? md`it`
            : orderWords(name === 'a' ? 'a' : 'the', order ?? detail, device, names);
        });
  const rest = Object.entries(detail)
    .filter(
      ([name, value]) =>
        value !== null && value !== '' && !UNSHOWN.has(name) && !isChange(name) && !used.has(name),
    )
    .slice(0, DETAILS)
    .map(([name, value]) => labelled(name, detailWords(name, value, names)));
  return rest.length === 0 ? words : md`${words} (${joined(rest, ', ')})`;
}

/** What the noun of an order says. */
const ORDER = ['command', 'devices', 'policy', 'fields', 'group', 'severities'];

function labelled(name: string, value: Mrkdwn): Mrkdwn {
  return SELF_EVIDENT.has(name) ? value : md`${literal(name, SHOWN.label)}: ${value}`;
}

const SELF_EVIDENT: ReadonlySet<string> = new Set(['device', 'policy', 'why']);

function deviceIn({ detail }: AuditRecord): Detail[string] {
  return detail['device'] ?? null;
}

/** Of the steps of one act only the last evidence holds: each is what was known then. */
function sentencesOf(entries: AuditAct['entries']): readonly string[] {
  const notes = entries.filter(({ action }) => NOTED.has(action)).map(({ detail }) => detail['note'] ?? '');
  const evidence = entries.map(({ detail }) => detail['evidence'] ?? '').findLast((words) => words !== '');
  return [...new Set([...notes, evidence ?? ''].map(String))].filter((words) => words !== '');
}
