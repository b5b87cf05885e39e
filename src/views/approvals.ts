/** The requests that wait for approval, or one's own. */
import type { ApprovalRecord } from '../store/records.ts';
import { reason } from './approval.ts';
import { lines, section } from './kit/blocks.ts';
import { type Mrkdwn, md, trusted } from './kit/escape.ts';
import { link, person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { pager } from './kit/pager.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { count, deedTitle, stateLabel } from './words.ts';

type ApprovalsView = Extract<View, { kind: 'approvals' }>;

const BUDGET = 8_000;

export function renderApprovals({ mine, rows, paging }: ApprovalsView): RenderedMessage {
  const title = mine ? md`Your requests` : md`Requests waiting for approval`;
  const none = mine ? md`You have no requests that need approval.` : md`No requests are waiting.`;
  const more = (left: number) => md`${left} more on this page not shown.`;
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
  const why = approval.reason === null || approval.reason === '' ? md`` : md` · ${reason(approval.reason)}`;
  return md`${state(approval, deedTitle(command, names))}\nRequested by ${person(requesterId)} ${when(createdAt)}${why}${card}`;
}

function state({ state: now, expiresAt, decidedBy }: ApprovalRecord, what: Mrkdwn): Mrkdwn {
  const by = decidedBy === null ? md`` : md` · by ${person(decidedBy)}`;
  switch (now) {
    case 'waiting':
      return md`${trusted(stateLabel(now))}: ${what} · expires ${when(expiresAt)}`;
    case 'approved':
      // No sign: what happened after the approval is on the card.
      return md`Approved: ${what}${by}`;
    case 'denied':
    case 'withdrawn':
      return md`${trusted(stateLabel(now))}: ${what}${by}`;
    case 'expired':
      return md`${trusted(stateLabel(now))}: ${what} · ${when(expiresAt)}`;
  }
}
