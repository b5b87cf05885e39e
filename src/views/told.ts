/** How what somebody asked for ended, in a direct message: the state, on what it stands, and where its card is. */
import type { ApprovalRecord, OperationRecord } from '../store/records.ts';
import { againButton } from './again.ts';
import { decisionBlocks, decisionShort, noteBlocks, operationShort, requestTitle } from './approval.ts';
import { actions, context, section } from './kit/blocks.ts';
import { type Mrkdwn, md } from './kit/escape.ts';
import { link } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { sentence } from './kit/sentence.ts';
import type { RenderedMessage } from './model.ts';
import type { RecordView } from './models/records-model.ts';
import { outcome } from './outcome.ts';
import { operationState } from './states.ts';
import { deed } from './words.ts';

export function renderTold({ ended, link: url }: Extract<RecordView, { kind: 'told' }>): RenderedMessage {
  const asked = ended.kind === 'approval' ? ended.approval : ended.operation;
  const names = asked.targets.map(({ displayName }) => displayName);
  const card = link(url, md`Open the card`);
  return message({
    text: md`You asked to ${deed(asked.command, names)}: ${short(ended)}.`,
    body: [section(md`What you asked for: ${requestTitle(asked)}`), ...blocks(ended)],
    end: [
      ...actions(ended.operation === null ? null : againButton(ended.operation)),
      ...(url === null ? [] : [context(card)]),
    ],
  });
}

/** Notifies that what was approved did not run. */
export function renderReturned({
  to,
  approval,
  operation,
  link: url,
}: Extract<RecordView, { kind: 'returned' }>): RenderedMessage {
  const { note, command, targets } = approval;
  const what = deed(
    command,
    targets.map(({ displayName }) => displayName),
  );
  const whose =
    to === 'requester' ? md`Your request to ${what}` : md`The request to ${what} that you approved`;
  const said = md`${whose} ${returnedState(approval, operation)}.`;
  const why = note === null || note === '' ? [] : [section(sentence(note))];
  return message({
    text: said,
    body: [
      section(requestTitle(approval)),
      section(said),
      ...(operation !== null && operationState(operation) === 'not_sent' ? outcome(operation) : why),
    ],
    end: url === null ? [] : [context(link(url, md`Open the card`))],
  });
}

/** A message that was delayed says what became of the request since. */
function returnedState(approval: ApprovalRecord, operation: OperationRecord | null): Mrkdwn {
  if (approval.state === 'waiting') return md`needs approval again`;
  if (operation !== null && operationState(operation) === 'not_sent') return md`was not sent`;
  // Earlier versions withdrew what could not be asked again.
  if (approval.state === 'withdrawn' && approval.decidedBy === null) return md`was not sent and is withdrawn`;
  return md`needed approval again and is now ${decisionShort(approval, operation)}`;
}

type Ended = Extract<RecordView, { kind: 'told' }>['ended'];

function short(ended: Ended) {
  return ended.kind === 'approval'
    ? decisionShort(ended.approval, ended.operation)
    : operationShort(ended.operation);
}

function blocks(ended: Ended) {
  if (ended.kind === 'operation') return outcome(ended.operation);
  const { approval, operation } = ended;
  // What no person ended says why: its card may stand nowhere.
  const unasked = approval.state === 'expired' || approval.state === 'withdrawn';
  const why = unasked && approval.decidedBy === null ? noteBlocks(approval) : [];
  return [...decisionBlocks(approval, operation), ...why];
}
