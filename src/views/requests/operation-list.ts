/** Recent commands, those in progress first. */
import type { OperationRecord } from '../../store/port/records.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { linkTo, mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { pageButtons } from '../kit/pager.ts';
import { SIGN } from '../kit/signs.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { RenderedMessage, View } from '../model.ts';
import { actionTitle, countText } from '../text/common-text.ts';
import { leastFarTarget, targetState } from './card-state.ts';
import { stateText, targetLabel } from './outcome.ts';

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

function operationRow({ operation, link: address }: OperationListView['rows'][number]): Mrkdwn {
  const names = operation.targets.map(({ displayName }) => displayName);
  const card = address === null ? md`` : md` · ${linkTo(address, md`Open the request`)}`;
  return md`${operationStateText(operation)}: ${actionTitle(operation.command, names)} · ${mentionPerson(operation.requesterId)} ${relativeDate(operation.requestedAt)}${card}`;
}

/** Nobody decides any more: what waits here was requested, or is being sent. */
function operationStateText(operation: OperationRecord): Mrkdwn {
  const target = leastFarTarget(operation);
  if (target !== undefined && targetState(target.state) !== 'waiting') {
    const { sign, words } = targetLabel(target);
    return md`${trustedMrkdwn(sign)} ${trustedMrkdwn(words)}`;
  }
  const isSending = operation.targets.some((target) => target.state === 'issuing');
  return md`${trustedMrkdwn(SIGN.waiting)} ${stateText({ state: isSending ? 'issuing' : 'ready' })}`;
}
