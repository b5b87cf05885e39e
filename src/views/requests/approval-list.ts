/** The requests that wait for approval, or one's own. */
import type { ApprovalRecord } from '../../store/port/records.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { linkTo, mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { pageButtons } from '../kit/pager.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { RenderedMessage, View } from '../model.ts';
import { actionTitle, countText, stateLabel } from '../text/common-text.ts';
import { approvalLabel, reasonText } from './approval-card.ts';

type ApprovalListView = Extract<View, { kind: 'approvals' }>;

const BUDGET = 8_000;

export function renderApprovalList({ mine, rows, paging }: ApprovalListView): RenderedMessage {
  const title = mine ? md`Your requests` : md`Requests waiting for approval`;
  const none = mine ? md`You have no requests that need approval.` : md`No requests are waiting.`;
  const more = (left: number) => md`${left} more on this page not shown.`;
  const total = countText(paging.total, 'request');
  return buildMessage({
    text: md`${title}: ${paging.total}.`,
    body: [
      section(md`*${title}*`),
      ...(rows.length === 0 ? [section(none)] : rowBlocks(rows.map(approvalRow), { budget: BUDGET, more })),
    ],
    footer: pageButtons(paging, total),
  });
}

function approvalRow({ approval, link: address }: ApprovalListView['rows'][number]): Mrkdwn {
  const { command, targets, requesterId, createdAt } = approval;
  const names = targets.map(({ displayName }) => displayName);
  const card = address === null ? md`` : md` · ${linkTo(address, md`Open the request`)}`;
  const why =
    approval.reason === null || approval.reason === '' ? md`` : md` · ${reasonText(approval.reason)}`;
  return md`${approvalStateText(approval, actionTitle(command, names))}\nRequested by ${mentionPerson(requesterId)} ${relativeDate(createdAt)}${why}${card}`;
}

function approvalStateText(approval: ApprovalRecord, what: Mrkdwn): Mrkdwn {
  const { state: now, expiresAt, decidedBy } = approval;
  const waiting = approvalLabel(approval, null);
  const by = decidedBy === null ? md`` : md` · by ${mentionPerson(decidedBy)}`;
  switch (now) {
    case 'waiting':
      return md`${trustedMrkdwn(waiting.sign)} ${trustedMrkdwn(waiting.words)}: ${what} · expires ${relativeDate(expiresAt)}`;
    case 'approved':
      // No sign: what happened after the approval is on the card.
      return md`Approved: ${what}${by}`;
    case 'denied':
    case 'withdrawn':
      return md`${trustedMrkdwn(stateLabel(now))}: ${what}${by}`;
    case 'expired':
      return md`${trustedMrkdwn(stateLabel(now))}: ${what} · ${relativeDate(expiresAt)}`;
  }
}
