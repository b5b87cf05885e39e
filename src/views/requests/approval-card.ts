/** The card of a request: its state, what is requested, by whom and why, and what an approver decides by; then who decided and the outcome. */

import { type FleetEdit, isEdit, isGroupEdit } from '../../fleet/model/actions.ts';
import { lowerFirst, upperFirst } from '../../lib/text.ts';
import type { ApprovalRecord, OperationRecord, TargetFacts } from '../../store/port/records.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { boldHeading, escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { type Labelled, SIGN, stateTitle } from '../kit/signs.ts';
import { renderSentence } from '../kit/stored-sentences.ts';
import { dateOr, relativeDate } from '../kit/timestamps.ts';
import type { Block, CardState, RenderedMessage, View } from '../model.ts';
import { actionTitle, commandPhrase, countText, STATE_SIGNS, STATE_TEXTS } from '../text/common-text.ts';
import { operationState } from './card-state.ts';
import { decisionButtons } from './decision-buttons.ts';
import { editChangeBlocks } from './edit-changes.ts';
import { factLine, installBlocks, packageBlocks, targetFactBlocks } from './facts.ts';
import { nextStepButtons, outcomeBlocks, stateText } from './outcome.ts';

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
  // What is decided is what is seen: of one thing nothing but the note may be left out.
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

/** All that is to be known of a request for one thing before it is decided: four lines, and those of what is changed. */
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

/** What cannot be undone, and until when it can be decided. */
function deadline(approval: ApprovalRecord): Mrkdwn {
  return md`${warningText(approval)} ${expiryText(approval)}`;
}

/** What was decided on: below what became of it. */
function decided(approval: ApprovalRecord, shared: boolean): readonly Block[] {
  const { command, targets } = approval;
  const [only, ...others] = targets;
  if (only === undefined) return [];
  if (others.length > 0) {
    return [...requestFacts(approval, shared), context(md`Device data as of ${relativeDate(only.asOf)}.`)];
  }
  // The facts of then would contradict the outcome if they looked like those of now.
  const line = factLine(only, shared, command);
  const then = line === null ? [] : [context(md`As of ${relativeDate(only.asOf)}: ${line}`)];
  return [...changes(approval, shared), ...then];
}

function requestFacts(approval: ApprovalRecord, shared: boolean): readonly Block[] {
  const { command, targets } = approval;
  return [...changes(approval, shared), ...targetFactBlocks(targets, shared, command)];
}

/** What is to be installed, or changed field by field. */
function changes({ command, targets }: ApprovalRecord, shared: boolean): readonly Block[] {
  return [
    ...packageBlocks(command),
    ...installBlocks(targets, command),
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
export function stateLine({ sign, words }: Labelled, { command, targets }: Requested): Mrkdwn {
  const names = targets.map(({ displayName }) => displayName);
  return md`${trustedMrkdwn(sign)} ${trustedMrkdwn(words)}: ${actionTitle(command, names)}`;
}

/** Who wants it, and why. */
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
 * What happened to it on the way. What sent it back, and who had approved it, belong to the card until it is approved
 * anew: then something is sent after all.
 */
export function decisionNoteBlocks(approval: ApprovalRecord): readonly Block[] {
  const { note, state, approvedBy, approvedAt } = approval;
  if (note === null || note === '' || state === 'approved') return [];
  const again = state === 'waiting' ? md`*Review again:* ` : md``;
  if (approvedBy === null) return [section(md`${again}${renderSentence(note)}`)];
  const at = approvedAt === null ? md`` : md` ${relativeDate(approvedAt)}`;
  return [section(md`${again}Approved by ${mentionPerson(approvedBy)}${at}. ${renderSentence(note)}`)];
}

const QUEUE_WARNING = md`*Once approved, it’s sent right away and can’t be canceled.*`;
/** A run by hand shows no notification on the device ("management API in practice" 6). */
const POLICY_RUN_WARNING = md`Runs the policy and its scripts without notifying anyone at the device. *Once approved, it’s sent right away and can’t be canceled.*`;

/** A command in a queue has no way back, and an offline device runs it at an hour nobody chose. */
function warningText({ command, targets }: ApprovalRecord): Mrkdwn {
  if (isEdit(command)) return editWarningText(command, targets);
  const final = command.kind === 'policy-remediate' ? POLICY_RUN_WARNING : QUEUE_WARNING;
  const offline = targets.filter((target) => target.deviceId !== null && target.connected === false);
  const [only, ...others] = offline;
  if (only === undefined) return final;
  return others.length === 0
    ? md`${final} It runs as soon as ${escapeMrkdwn(only.displayName)} is back online.`
    : md`${final} On ${countText(offline.length, 'offline device')}, it runs as soon as they’re back online.`;
}

/** An edit shows at once, and what applies to devices follows the record. */
function editWarningText(edit: FleetEdit, targets: readonly TargetFacts[]): Mrkdwn {
  switch (edit.kind) {
    case 'device-edit':
      return md`*Applies as soon as it’s approved. Other policies may then apply to the device.*`;
    case 'group-create':
      return md`*Applies as soon as it’s approved. Patchbay can’t delete the group later.*`;
    case 'group-edit': {
      const devices = targets.reduce(
        (sum, facts) => sum + (facts.deviceId === null ? (facts.group?.deviceCount ?? 0) : 0),
        0,
      );
      return devices === 0
        ? md`*Applies as soon as it’s approved, also to the group’s devices.*`
        : md`*Applies as soon as it’s approved, also to the group’s ${countText(devices, 'device')}.*`;
    }
  }
}

function expiryText({ expiresAt, targets }: ApprovalRecord): Mrkdwn {
  const [first] = targets;
  const read = first === undefined ? md`` : md` Device data as of ${relativeDate(first.asOf)}.`;
  return md`The request expires ${relativeDate(expiresAt)}.${read}`;
}

/** A decided request: who and when, and after an approval what became of it. */
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

/** What waits with a note went back after its approval. */
function pendingNote({ approvedBy, note }: ApprovalRecord): Mrkdwn {
  return approvedBy === null && note === null ? md`Nobody decided by` : md`Nobody decided again by`;
}

/** What follows an approval: never that nothing was sent yet, because the card may be read later. */
export function rechecking({ command, targets }: Pick<ApprovalRecord, 'command' | 'targets'>): Mrkdwn {
  if (isGroupEdit(command)) return md`Re-checking the group, then sending.`;
  return targets.length === 1
    ? md`Re-checking the device, then sending.`
    : md`Re-checking the devices, then sending.`;
}

/** The state of a request as people read it. Approved and not yet sent is still waiting. */
export function approvalLabel(approval: ApprovalRecord, operation: OperationRecord | null): Labelled {
  if (approval.state !== 'approved') return labelOf(approval.state);
  return operation === null ? { sign: SIGN.waiting, words: 'Approved' } : operationLabel(operation);
}

/** The state of a command as people read it; of several devices, the sign of the one that is least far. */
export function operationLabel(operation: OperationRecord): Labelled {
  return { sign: STATE_SIGNS[operationState(operation)], words: upperFirst(operationSummary(operation)) };
}

function labelOf(state: CardState): Labelled {
  return { sign: STATE_SIGNS[state], words: STATE_TEXTS[state] };
}

/** The state of a command in a few words; of several devices, how many are in each. */
export function operationSummary(operation: OperationRecord): Mrkdwn {
  const { targets } = operation;
  const counts = new Map<string, number>();
  for (const target of targets) counts.set(stateText(target), (counts.get(stateText(target)) ?? 0) + 1);
  const stateCounts = [...counts].map(([words, of]) =>
    targets.length === 1 ? lowerSentence(words) : md`${of} ${lowerSentence(words)}`,
  );
  return targets.length === 0 ? countText(0, 'device') : joinMrkdwn(stateCounts, ', ');
}

function lowerSentence(words: string): Mrkdwn {
  return trustedMrkdwn(lowerFirst(words));
}
