/** The requests that wait for a decision, or one's own. */
import type { ApprovalRecord } from '../store/records.ts';
import { reason } from './approval.ts';
import { lines, section } from './kit/blocks.ts';
import { type Mrkdwn, md } from './kit/escape.ts';
import { link, person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { pager } from './kit/pager.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { count, deedTitle } from './words.ts';

type ApprovalsView = Extract<View, { kind: 'approvals' }>;

const BUDGET = 8_000;

export function renderApprovals({ mine, rows, paging }: ApprovalsView): RenderedMessage {
  const title = mine ? md`Your requests` : md`Requests that wait for a decision`;
  const none = mine
    ? md`You have asked for nothing that needs a decision.`
    : md`Nothing waits for a decision.`;
  const more = (left: number) => md`${left} more on this page did not fit.`;
  const total = count(paging.total, 'request');
  return message({
    text: md`${title}: ${paging.total}.`,
    body: [
      section(md`*${title}*`),
      ...(rows.length === 0 ? [section(none)] : lines(rows.map(row), { budget: BUDGET, more })),
    ],
    end: pager(paging, total),
  });
}

function row({ approval, link: address }: ApprovalsView['rows'][number]): Mrkdwn {
  const { command, targets, requesterId, createdAt } = approval;
  const names = targets.map(({ displayName }) => displayName);
  const card = address === null ? md`` : md` · ${link(address, md`Open the card`)}`;
  return md`${deedTitle(command, names)} · ${state(approval)}\nAsked for by ${person(requesterId)} ${when(createdAt)}. ${reason(approval.reason)}${card}`;
}

function state({ state: now, expiresAt, decidedBy }: ApprovalRecord): Mrkdwn {
  const by = decidedBy === null ? md`` : md` by ${person(decidedBy)}`;
  switch (now) {
    case 'waiting':
      return md`waits, expires ${when(expiresAt)}`;
    case 'approved':
      return md`approved${by}`;
    case 'denied':
      return md`denied${by}`;
    case 'withdrawn':
      return md`withdrawn${by}`;
    case 'expired':
      return md`expired ${when(expiresAt)}`;
  }
}
