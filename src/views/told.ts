/** How a request ended, in a direct message to the requester: the state, the evidence, and where the card is. */
import type { ApprovalRecord, OperationRecord } from '../store/records.ts';
import { lowerFirst } from '../text.ts';
import { againButton } from './again.ts';
import {
  approvalLabel,
  cardTitle,
  decisionBlocks,
  noteBlocks,
  operationLabel,
  requestTitle,
  stateLine,
} from './approval.ts';
import { actions, context, section } from './kit/blocks.ts';
import { md, trusted } from './kit/escape.ts';
import { link } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { sentence } from './kit/sentence.ts';
import type { Labelled } from './kit/signs.ts';
import type { Block, RenderedMessage } from './model.ts';
import type { RecordView } from './models/records-model.ts';
import { outcome } from './outcome.ts';
import { operationState } from './states.ts';
import { deedTitle } from './words.ts';

export function renderTold({ ended, link: url }: Extract<RecordView, { kind: 'told' }>): RenderedMessage {
  const request = ended.kind === 'approval' ? ended.approval : ended.operation;
  const names = request.targets.map(({ displayName }) => displayName);
  const { sign, words } = labelOf(ended);
  return message({
    text: md`${trusted(sign)} ${trusted(words)}. Your request: ${deedTitle(request.command, names)}`,
    body: [
      section(md`${trusted(sign)} *${trusted(words)}.* Your request: ${requestTitle(request)}`),
      ...blocks(ended),
    ],
    end: [...actions(ended.operation === null ? null : againButton(ended.operation)), ...cardLink(url)],
  });
}

function cardLink(url: string | null): readonly Block[] {
  return url === null ? [] : [context(link(url, md`Open the card`))];
}

/** Notifies that what was approved did not run. */
export function renderReturned({
  to,
  approval,
  operation,
  link: url,
}: Extract<RecordView, { kind: 'returned' }>): RenderedMessage {
  const { note } = approval;
  const label = returnedLabel(approval, operation);
  const isNotSent = operation !== null && operationState(operation) === 'not_sent';
  const why = note === null || note === '' ? [] : [section(sentence(note))];
  return message({
    text: stateLine(label, approval),
    body: [
      section(cardTitle(label, approval)),
      section(to === 'requester' ? md`You requested this.` : md`You approved this.`),
      ...(isNotSent ? outcome(operation) : why),
    ],
    end: cardLink(url),
  });
}

/** A message that was delayed says what happened to the request since. */
function returnedLabel(approval: ApprovalRecord, operation: OperationRecord | null): Labelled {
  const { sign, words } = approvalLabel(approval, operation);
  if (approval.state === 'waiting') return { sign, words: 'Needs approval again' };
  if (operation !== null && operationState(operation) === 'not_sent') return { sign, words };
  // Earlier versions withdrew what could not be requested again.
  if (approval.state === 'withdrawn' && approval.decidedBy === null)
    return { sign, words: 'Not sent and withdrawn' };
  return { sign, words: `Needed approval again, now ${lowerFirst(words)}` };
}

type Ended = Extract<RecordView, { kind: 'told' }>['ended'];

function labelOf(ended: Ended): Labelled {
  return ended.kind === 'approval'
    ? approvalLabel(ended.approval, ended.operation)
    : operationLabel(ended.operation);
}

function blocks(ended: Ended) {
  if (ended.kind === 'operation') return outcome(ended.operation);
  const { approval, operation } = ended;
  // What no person ended says why: its card may stand nowhere.
  const unasked = approval.state === 'expired' || approval.state === 'withdrawn';
  const why = unasked && approval.decidedBy === null ? noteBlocks(approval) : [];
  return [...decisionBlocks(approval, operation), ...why];
}
