/** What was sent to devices lately, what is still under way first. */
import type { OperationRecord } from '../store/records.ts';
import { lines, section } from './kit/blocks.ts';
import { type Mrkdwn, md, trusted } from './kit/escape.ts';
import { link, person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { pager } from './kit/pager.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { stateWords } from './outcome.ts';
import { operationState } from './states.ts';
import { count, deedTitle, STATE_WORDS } from './words.ts';

type OperationsView = Extract<View, { kind: 'operations' }>;

const BUDGET = 8_000;

export function renderOperations({ rows, open, paging }: OperationsView): RenderedMessage {
  const total = md`${count(paging.total, 'command')}, ${open} under way`;
  const more = (left: number) => md`${left} more on this page did not fit.`;
  return message({
    text: md`Commands sent lately: ${total}.`,
    body: [
      section(md`*Commands sent lately*`),
      ...(rows.length === 0
        ? [section(md`Nothing was sent yet.`)]
        : lines(rows.map(row), { budget: BUDGET, more })),
    ],
    end: pager(paging, total),
  });
}

function row({ operation, link: address }: OperationsView['rows'][number]): Mrkdwn {
  const names = operation.targets.map(({ displayName }) => displayName);
  const words = md`*${stateOf(operation)}*`;
  const card = address === null ? md`` : md` · ${link(address, md`Open the card`)}`;
  return md`${words} · ${deedTitle(operation.command, names)} · ${person(operation.requesterId)} ${when(operation.requestedAt)}${card}`;
}

/** Nobody decides any more: what waits here was requested, or is being sent. */
function stateOf(operation: OperationRecord): Mrkdwn {
  const state = operationState(operation);
  if (state !== 'waiting') return trusted(STATE_WORDS[state]);
  const isSending = operation.targets.some((target) => target.state === 'issuing');
  return stateWords({ state: isSending ? 'issuing' : 'ready' });
}
