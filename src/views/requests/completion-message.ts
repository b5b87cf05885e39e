/** How a request ended, in a direct message to the requester: the state, the evidence, and where the card is. */

import { lowerFirst } from '../../lib/text.ts';
import type { ApprovalRecord, OperationRecord } from '../../store/port/records.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { md, trustedMrkdwn } from '../kit/escape.ts';
import { linkTo } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import type { Labelled } from '../kit/signs.ts';
import { renderSentence } from '../kit/stored-sentences.ts';
import type { Block, RenderedMessage } from '../model.ts';
import type { RecordView } from '../models/records-model.ts';
import { actionTitle } from '../text/common-text.ts';
import {
  approvalLabel,
  cardTitle,
  decisionBlocks,
  decisionNoteBlocks,
  NEEDS_APPROVAL_AGAIN,
  operationLabel,
  requestTitle,
  stateLine,
} from './approval-card.ts';
import { operationState } from './card-state.ts';
import { outcomeBlocks } from './outcome.ts';
import { requestAgainButton } from './request-again.ts';

export function renderCompletionMessage({
  ended,
  link: url,
}: Extract<RecordView, { kind: 'told' }>): RenderedMessage {
  const request = ended.kind === 'approval' ? ended.approval : ended.operation;
  const names = request.targets.map(({ displayName }) => displayName);
  const { sign, words, isCount } = labelOf(ended);
  const plain = md`Your request: ${actionTitle(request.command, names)}`;
  const title = md`Your request: ${requestTitle(request)}`;
  return buildMessage({
    text:
      isCount === true
        ? md`${trustedMrkdwn(sign)} ${plain}: ${trustedMrkdwn(words)}`
        : md`${trustedMrkdwn(sign)} ${trustedMrkdwn(words)}. ${plain}`,
    body: [
      section(
        isCount === true
          ? md`${trustedMrkdwn(sign)} ${title}: ${trustedMrkdwn(words)}`
          : md`${trustedMrkdwn(sign)} *${trustedMrkdwn(words)}.* ${title}`,
      ),
      ...endedBlocks(ended),
    ],
    footer: [
      ...actions(ended.operation === null ? null : requestAgainButton(ended.operation)),
      ...cardLink(url),
    ],
  });
}

function cardLink(url: string | null): readonly Block[] {
  return url === null ? [] : [context(linkTo(url, md`Open the request`))];
}

/** Tells the requester or the approver that an approved request was not sent. */
export function renderReturnedForReapproval({
  to,
  approval,
  operation,
  link: url,
}: Extract<RecordView, { kind: 'returned' }>): RenderedMessage {
  const { note } = approval;
  const label = returnedLabel(approval, operation);
  const isNotSent = operation !== null && operationState(operation) === 'not_sent';
  const why = note === null || note === '' ? [] : [section(renderSentence(note))];
  return buildMessage({
    text: stateLine(label, approval),
    body: [
      section(cardTitle(label, approval)),
      section(to === 'requester' ? md`You requested this.` : md`You approved this.`),
      ...(isNotSent ? outcomeBlocks(operation) : why),
    ],
    footer: cardLink(url),
  });
}

/** A delayed message names the state that the request has by then. */
function returnedLabel(approval: ApprovalRecord, operation: OperationRecord | null): Labelled {
  const { sign, words } = approvalLabel(approval, operation);
  if (approval.state === 'waiting') return NEEDS_APPROVAL_AGAIN;
  if (operation !== null && operationState(operation) === 'not_sent') return { sign, words };
  // Earlier versions withdrew what could not be requested again.
  if (approval.state === 'withdrawn' && approval.decidedBy === null)
    return { sign, words: 'Not sent and withdrawn' };
  return { sign, words: `Needed approval again, now ${lowerFirst(words)}` };
}

type EndedView = Extract<RecordView, { kind: 'told' }>['ended'];

function labelOf(ended: EndedView): Labelled {
  return ended.kind === 'approval'
    ? approvalLabel(ended.approval, ended.operation)
    : operationLabel(ended.operation);
}

function endedBlocks(ended: EndedView) {
  if (ended.kind === 'operation') return outcomeBlocks(ended.operation);
  const { approval, operation } = ended;
  // Patchbay ended it, so the message says why: its card may never have been posted.
  const unasked = approval.state === 'expired' || approval.state === 'withdrawn';
  const why = unasked && approval.decidedBy === null ? decisionNoteBlocks(approval) : [];
  return [...decisionBlocks(approval, operation), ...why];
}
