/** Recent commands, those in progress first. */
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { linkTo, mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { pageButtons } from '../kit/pager.ts';
import { SIGN } from '../kit/signs.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { RenderedMessage, View } from '../model.ts';
import { actionTitle, countText, stateLabel } from '../text/common-text.ts';
import { outcomeState } from './card-state.ts';
import { stateText } from './outcome.ts';
import { namesOf } from './request-card.ts';

type OperationListView = Extract<View, { kind: 'operations' }>;

const BUDGET = 8_000;

export function renderOperationList({ rows, open, paging }: OperationListView): RenderedMessage {
  const total = md`${countText(paging.total, 'command')}, ${open} in progress`;
  const more = (left: number) => md`${left} more on this page not shown.`;
  return buildMessage({
    text: md`Recent commands: ${total}`,
    body: [
      section(md`*Recent commands*`),
      ...(rows.length === 0
        ? [section(md`No commands yet.`)]
        : rowBlocks(rows.map(operationRow), { budget: BUDGET, more })),
    ],
    footer: pageButtons(paging, total),
  });
}

function operationRow({ request, link: address }: OperationListView['rows'][number]): Mrkdwn {
  const card = address === null ? md`` : md` · ${linkTo(address, md`Open the request`)}`;
  return md`${progressText(request)}: ${actionTitle(request.action, namesOf(request))} · ${mentionPerson(request.requesterId)} ${relativeDate(request.createdAt)}${card}`;
}

/** Nobody decides any more: what waits here was requested, or is being sent. */
function progressText({ counts }: RequestWithTargets): Mrkdwn {
  const state = outcomeState({ counts });
  if (state === 'not_verified' && (counts.failed ?? 0) > 0) return md`${trustedMrkdwn(SIGN.failed)} Failed`;
  if (state !== 'waiting') return trustedMrkdwn(stateLabel(state));
  const isSending = (counts.issuing ?? 0) > 0;
  return md`${trustedMrkdwn(SIGN.waiting)} ${stateText({ state: isSending ? 'issuing' : 'ready' })}`;
}
