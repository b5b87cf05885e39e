/** Recent commands, those in progress first. */
import type { OperationRecord } from '../store/records.ts';
import { lines, section } from './kit/blocks.ts';
import { type Mrkdwn, md, trusted } from './kit/escape.ts';
import { link, person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { pager } from './kit/pager.ts';
import { SIGN } from './kit/signs.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { stateWords } from './outcome.ts';
import { operationState } from './states.ts';
import { count, deedTitle, stateLabel } from './words.ts';

type OperationsView = Extract<View, { kind: 'operations' }>;

const BUDGET = 8_000;

export function renderOperations({ rows, open, paging }: OperationsView): RenderedMessage {
  const total = md`${count(paging.total, 'command')}, ${open} in progress`;
  const more = (left: number) => md`${left} more on this page not shown.`;
  return message({
    text: md`Recent commands: ${total}`,
    body: [
      section(md`*Recent commands*`),
      ...(rows.length === 0
        ? [section(md`No commands yet.`)]
        : lines(rows.map(row), { budget: BUDGET, more })),
    ],
    end: pager(paging, total),
  });
}

function row({ operation, link: address }: OperationsView['rows'][number]): Mrkdwn {
  const names = operation.targets.map(({ displayName }) => displayName);
  const card = address === null ? md`` : md` · ${link(address, md`Open the card`)}`;
  return md`${stateOf(operation)}: ${deedTitle(operation.command, names)} · ${person(operation.requesterId)} ${when(operation.requestedAt)}${card}`;
}

/** Nobody decides any more: what waits here was requested, or is being sent. */
function stateOf(operation: OperationRecord): Mrkdwn {
  const state = operationState(operation);
  if (state !== 'waiting') return trusted(stateLabel(state));
  const isSending = operation.targets.some((target) => target.state === 'issuing');
  return md`${trusted(SIGN.waiting)} ${stateWords({ state: isSending ? 'issuing' : 'ready' })}`;
}
