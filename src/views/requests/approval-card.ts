/** The card of a request: its state, what is requested, by whom and why, and what an approver decides by; then who decided and the outcome. */

import { isGroupEdit } from '../../fleet/model/actions.ts';
import { lowerFirst } from '../../lib/text.ts';
import type { ApprovalRecord, OperationRecord, TargetFacts } from '../../store/port/records.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { boldHeading, escapeMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { type Labelled, SIGN, stateTitle } from '../kit/signs.ts';
import { renderSentence } from '../kit/stored-sentences.ts';
import { dateOr, relativeDate } from '../kit/timestamps.ts';
import type { Block, CardState, RenderedMessage, View } from '../model.ts';
import { actionTitle, commandPhrase, countText, STATE_SIGNS, STATE_TEXTS } from '../text/common-text.ts';
import { leastFarTarget } from './card-state.ts';
import { decisionButtons } from './decision-buttons.ts';
import { editChangeBlocks } from './edit-changes.ts';
import { factLine, installBlocks, packageBlocks, targetFactBlocks } from './facts.ts';
import { nextStepButtons, outcomeBlocks, targetLabel } from './outcome.ts';
import { warningText } from './request-warning.ts';

export function renderApprovalCard({
  approval,
  operation,
  shared = false,
}: Extract<View, { kind: 'approval' }>): RenderedMessage {
  const label = approvalLabel(approval, operation);
  const text = stateLine(label, approval);
  if (approval.state !== 'waiting') {
    return buildMessage({
      text,
      body: [
        section(cardTitle(label, approval)),
        section(requestedBy(approval)),
        ...decisionBlocks(approval, operation),
        ...decisionNoteBlocks(approval),
        ...decided(approval, shared),
      ],
      footer: operation === null ? [] : nextStepButtons(operation),
    });
  }
  // An approver decides by what the card shows, so for one thing only the note may be cut.
  const isSingle = approval.targets.length === 1;
  const rest = decidedFacts(approval, shared);
  const top = [
    section(cardTitle(label, approval)),
    section(requestedBy(approval)),
    ...decisionNoteBlocks(approval),
  ];
  return buildMessage({
    text,
    body: [...top, ...(isSingle ? [] : rest)],
    footer: [...(isSingle ? rest : []), ...actions(...decisionButtons(approval))],
  });
}

/** A waiting request for one thing as the Home shows it: title, requester, facts and deadline, and the changes of an edit. */
export function requestBlocks(
  approval: ApprovalRecord,
  { shared, card }: { readonly shared: boolean; readonly card: Mrkdwn | null },
): readonly Block[] {
  const { command, targets } = approval;
  const [only] = targets;
  const title = cardTitle(approvalLabel(approval, null), approval);
  const top = md`${title}\n${requestedBy(approval)}`;
  const known = only === undefined ? null : factLine(only, shared, command);
  const between = [...decisionNoteBlocks(approval), ...changes(approval, shared)];
  const end = context(deadline(approval), ...(card === null ? [] : [card]));
  if (known === null) return [section(top), ...between, end];
  return between.length === 0
    ? [section(md`${top}\n${known}`), end]
    : [section(top), ...between, section(known), end];
}

function decidedFacts(approval: ApprovalRecord, shared: boolean): readonly Block[] {
  return [...requestFacts(approval, shared), context(deadline(approval))];
}

/** The warning, and when the request expires. */
function deadline(approval: ApprovalRecord): Mrkdwn {
  return md`${warningText(approval)} ${expiryText(approval)}`;
}

/** What the approver decided on: shown below the outcome. */
function decided(approval: ApprovalRecord, shared: boolean): readonly Block[] {
  const { command, targets } = approval;
  const [only, ...others] = targets;
  if (only === undefined) return [];
  if (others.length > 0) {
    return [...requestFacts(approval, shared), context(dataAsOf(only))];
  }
  // Dated, because older facts would seem to contradict the outcome.
  const line = factLine(only, shared, command);
  const when = approval.state === 'approved' ? md`Before, as of` : md`As of`;
  const then = line === null ? [] : [context(md`${when} ${relativeDate(only.asOf)}: ${line}`)];
  return [...changes(approval, shared), ...then];
}

function requestFacts(approval: ApprovalRecord, shared: boolean): readonly Block[] {
  const { command, targets } = approval;
  return [...changes(approval, shared), ...targetFactBlocks(targets, shared, command)];
}

/** What is to be installed, or changed field by field. */
function changes({ command, targets, state }: ApprovalRecord, shared: boolean): readonly Block[] {
  return [
    ...packageBlocks(command),
    ...installBlocks(targets, command, state !== 'waiting'),
    ...editChangeBlocks(command, targets, shared),
  ];
}

type Requested = Pick<OperationRecord, 'command'> & {
  readonly targets: readonly { readonly displayName: string }[];
};

/** The first line of the card of a request: its state, what is requested and of which device. */
export function cardTitle(label: Labelled, { command, targets }: Requested): Mrkdwn {
  return stateTitle(label, commandPhrase(command), subjectOf(targets));
}

/** The same for notifications. */
export function stateLine({ sign, words, isCount }: Labelled, { command, targets }: Requested): Mrkdwn {
  const names = targets.map(({ displayName }) => displayName);
  if (isCount === true)
    return md`${trustedMrkdwn(sign)} ${actionTitle(command, names)}: ${trustedMrkdwn(words)}`;
  return md`${trustedMrkdwn(sign)} ${trustedMrkdwn(words)}: ${actionTitle(command, names)}`;
}

/** Who requested it, and why. */
export function requestedBy({
  requesterId,
  reason: why,
}: Pick<ApprovalRecord, 'requesterId' | 'reason'>): Mrkdwn {
  const by = md`Requested by ${mentionPerson(requesterId)}`;
  return why === null || why === '' ? by : md`${by} · ${reasonText(why)}`;
}

/** What is requested and of which device, in bold. */
export function requestTitle({ command, targets }: Requested): Mrkdwn {
  return boldHeading(commandPhrase(command), subjectOf(targets));
}

function subjectOf(targets: Requested['targets']): string {
  const [only, ...others] = targets;
  return only !== undefined && others.length === 0 ? only.displayName : `${targets.length} devices`;
}

/** What the requester gave as the reason. */
export function reasonText(text: string | null): Mrkdwn {
  return text === null || text === ''
    ? md`No reason given.`
    : md`Reason: ${escapeMrkdwn(text, DISPLAY_LIMIT.sentence)}`;
}

/**
 * Why the request went back, and who had approved it before. Left out once it is approved again, because something is
 * sent then.
 */
export function decisionNoteBlocks(approval: ApprovalRecord): readonly Block[] {
  const { note, state, approvedBy, approvedAt } = approval;
  if (note === null || note === '' || state === 'approved') return [];
  if (approvedBy === null) return [section(renderSentence(note))];
  const at = approvedAt === null ? md`` : md` ${relativeDate(approvedAt)}`;
  return [section(md`${renderSentence(note)} It had been approved by ${mentionPerson(approvedBy)}${at}.`)];
}

function dataAsOf({ deviceId, asOf }: TargetFacts): Mrkdwn {
  return deviceId === null
    ? md`Group data as of ${relativeDate(asOf)}.`
    : md`Device data as of ${relativeDate(asOf)}.`;
}

function expiryText({ expiresAt, targets }: ApprovalRecord): Mrkdwn {
  const [first] = targets;
  const read = first === undefined ? md`` : md` ${dataAsOf(first)}`;
  return md`The request expires ${relativeDate(expiresAt)}.${read}`;
}

/** A decided request: who decided and when, and the outcome after an approval. */
export function decisionBlocks(
  approval: ApprovalRecord,
  operation: OperationRecord | null,
): readonly Block[] {
  const by = approval.decidedBy === null ? md`` : md` by ${mentionPerson(approval.decidedBy)}`;
  const at = dateOr(approval.decidedAt, '');
  switch (approval.state) {
    case 'waiting':
      return [];
    case 'approved': {
      const approved = md`Approved${by} ${at}.`;
      return operation === null
        ? [section(md`${approved} ${rechecking(approval)}`)]
        : [section(approved), ...outcomeBlocks(operation)];
    }
    case 'denied':
      return [section(md`Denied${by} ${at}. Nothing was sent.`)];
    case 'withdrawn': {
      const whose = approval.decidedBy === null ? md` by Patchbay` : by;
      return [section(md`Withdrawn${whose} ${at}. Nothing was sent.`)];
    }
    case 'expired':
      return [section(md`${pendingNote(approval)} ${relativeDate(approval.expiresAt)}. Nothing was sent.`)];
  }
}

/** A request with an earlier approval went back; records of earlier versions have only the note. */
function wentBack({ approvedBy, note }: Pick<ApprovalRecord, 'approvedBy' | 'note'>): boolean {
  return approvedBy !== null || note !== null;
}

function pendingNote({ approvedBy, note }: ApprovalRecord): Mrkdwn {
  return !wentBack({ approvedBy, note }) ? md`Nobody decided by` : md`Nobody decided again by`;
}

/** What follows an approval. It never says that nothing was sent yet, because the card may be read later. */
export function rechecking({ command, targets }: Pick<ApprovalRecord, 'command' | 'targets'>): Mrkdwn {
  if (isGroupEdit(command)) return md`Re-checking the group, then sending.`;
  return targets.length === 1
    ? md`Re-checking the device, then sending.`
    : md`Re-checking the devices, then sending.`;
}

/** A request that waits once more, because what was approved changed before it was sent. */
export const NEEDS_APPROVAL_AGAIN: Labelled = { sign: SIGN.waiting, words: 'Needs approval again' };

/** The state of a request as people read it. Approved and not yet sent is still waiting. */
export function approvalLabel(approval: ApprovalRecord, operation: OperationRecord | null): Labelled {
  if (approval.state === 'waiting' && wentBack(approval)) return NEEDS_APPROVAL_AGAIN;
  if (approval.state !== 'approved') return labelOf(approval.state);
  return operation === null ? { sign: SIGN.waiting, words: 'Approved' } : operationLabel(operation);
}

/** The state of a command as people read it; of several devices, the sign of the least advanced one. */
export function operationLabel(operation: OperationRecord): Labelled {
  const { targets } = operation;
  const target = leastFarTarget(operation);
  if (target === undefined) return { sign: SIGN.waiting, words: countText(0, 'device') };
  const label = targetLabel(target);
  return targets.length === 1
    ? label
    : { sign: label.sign, words: operationSummary(operation), isCount: true };
}

function labelOf(state: CardState): Labelled {
  return { sign: STATE_SIGNS[state], words: STATE_TEXTS[state] };
}

/** How many of several devices are in each state. */
function operationSummary({ targets }: OperationRecord): string {
  const counts = new Map<string, number>();
  for (const { words } of targets.map(targetLabel)) counts.set(words, (counts.get(words) ?? 0) + 1);
  return [...counts].map(([words, of]) => `${of} ${lowerFirst(words)}`).join(', ');
}
