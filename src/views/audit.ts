/** Who did what and when, newest first. */
import { instant } from '../clock.ts';
import { channelId } from '../ids.ts';
import type { AuditRecord } from '../store/records.ts';
import { actionWords, labelWords, valueWords } from './audit-words.ts';
import { context, lines, section } from './kit/blocks.ts';
import { code, joined, literal, type Mrkdwn, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { channel, person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { pager } from './kit/pager.ts';
import { sentence } from './kit/sentence.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { count } from './words.ts';

type AuditView = Extract<View, { kind: 'audit' }>;

const BUDGET = 8_000;
const DETAIL = 240;
const DETAILS = 6;
/** Of no use to a reader. */
const UNSHOWN: ReadonlySet<string> = new Set(['seal']);

export function renderAudit({ device, rows, since, cut, paging }: AuditView): RenderedMessage {
  const subject = device === null ? md`` : md` of device #${device}`;
  const total = md`${count(paging.total, 'entry', 'entries')} since ${when(since)}`;
  const more = (left: number) => md`${left} more on this page did not fit.`;
  return message({
    text: md`Audit${subject}: ${count(paging.total, 'entry', 'entries')}.`,
    body: [
      section(md`*Audit${subject}*`),
      ...(rows.length === 0
        ? [section(md`Nothing was done in this time.`)]
        : lines(rows.map(row), { budget: BUDGET, more })),
      ...(cut ? [context(md`There are older entries in this time that were not looked at.`)] : []),
    ],
    end: pager(paging, total),
  });
}

function row({ at, actor, action, subject, detail }: AuditRecord): Mrkdwn {
  const who = actor === 'patchbay' ? md`Patchbay` : person(actor);
  const parts = Object.entries(detail)
    .filter(([name, value]) => value !== null && value !== '' && !UNSHOWN.has(name))
    .slice(0, DETAILS)
    .map(([name, value]) => detailWords(name, shown(name, value)));
  const details = parts.length === 0 ? md`` : md` · ${joined(parts, ', ')}`;
  return md`${when(at)} · ${who} · ${literal(actionWords(action), SHOWN.label)}${details} · ${code(subject, SHOWN.label)}`;
}

function detailWords(name: string, value: Mrkdwn): Mrkdwn {
  const label = labelWords(name);
  return label === null ? value : md`${literal(label, SHOWN.label)}: ${value}`;
}

/** The end of a silence is kept as an instant, and a channel by its id, which nobody reads. */
function shown(name: string, value: unknown): Mrkdwn {
  if (name === 'channel') return channelWords(String(value));
  return name === 'until' && typeof value === 'number'
    ? when(instant(value))
    : sentence(valueWords(name, String(value)), DETAIL);
}

/** A direct message has no name that a mention of it would show. */
function channelWords(id: string): Mrkdwn {
  return id.startsWith('D') ? md`direct message` : channel(channelId(id));
}
