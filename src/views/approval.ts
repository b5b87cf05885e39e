/** The card of a request: its state, what is requested, by whom and why, and what an approver decides by; then who decided and the outcome. */

import { type FleetEdit, isEdit, isGroupEdit } from '../fleet/orders.ts';
import type { ApprovalRecord, OperationRecord, TargetFacts } from '../store/records.ts';
import { lowerFirst, upperFirst } from '../text.ts';
import { changeBlocks } from './changes.ts';
import { decisionButtons } from './decision-buttons.ts';
import { factBlocks, factLine, installBlocks, packageBlocks } from './facts.ts';
import { actions, context, section } from './kit/blocks.ts';
import { heading, joined, literal, type Mrkdwn, md, trusted } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { sentence } from './kit/sentence.ts';
import { type Labelled, SIGN, stateTitle } from './kit/signs.ts';
import { when, whenOr } from './kit/when.ts';
import type { Block, CardState, RenderedMessage, View } from './model.ts';
import { outcome, stateWords, wayOn } from './outcome.ts';
import { operationState } from './states.ts';
import { commandWords, count, deedTitle, STATE_SIGNS, STATE_WORDS } from './words.ts';

export function renderApproval({
  approval,
  operation,
  shared = false,
}: Extract<View, { kind: 'approval' }>): RenderedMessage {
  const label = approvalLabel(approval, operation);
  const text = stateLine(label, approval);
  if (approval.state !== 'waiting') {
    return message({
      text,
      body: [
        section(cardTitle(label, approval)),
        section(requestedBy(approval)),
        ...decisionBlocks(approval, operation),
        ...noteBlocks(approval),
        ...decided(approval, shared),
      ],
      end: operation === null ? [] : wayOn(operation),
    });
  }
  // What is decided is what is seen: of one thing nothing but the note may be left out.
  const whole = approval.targets.length === 1;
  const rest = decidedOn(approval, shared);
  const top = [section(cardTitle(label, approval)), section(requestedBy(approval)), ...noteBlocks(approval)];
  return message({
    text,
    body: [...top, ...(whole ? [] : rest)],
    end: [...(whole ? rest : []), ...actions(...decisionButtons(approval))],
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
  const between = [...noteBlocks(approval), ...changes(approval, shared)];
  const end = context(deadline(approval), ...(card === null ? [] : [card]));
  if (known === null) return [section(top), ...between, end];
  return between.length === 0
    ? [section(md`${top}\n${known}`), end]
    : [section(top), ...between, section(known), end];
}

function decidedOn(approval: ApprovalRecord, shared: boolean): readonly Block[] {
  return [...facts(approval, shared), context(deadline(approval))];
}

/** What cannot be undone, and until when it can be decided. */
function deadline(approval: ApprovalRecord): Mrkdwn {
  return md`${warning(approval)} ${until(approval)}`;
}

/** What was decided on: below what became of it. */
function decided(approval: ApprovalRecord, shared: boolean): readonly Block[] {
  const { command, targets } = approval;
  const [only, ...others] = targets;
  if (only === undefined) return [];
  if (others.length > 0) {
    return [...facts(approval, shared), context(md`Device data as of ${when(only.asOf)}.`)];
  }
  // The facts of then would contradict the outcome if they looked like those of now.
  const line = factLine(only, shared, command);
  const then = line === null ? [] : [context(md`As of ${when(only.asOf)}: ${line}`)];
  return [...changes(approval, shared), ...then];
}

function facts(approval: ApprovalRecord, shared: boolean): readonly Block[] {
  const { command, targets } = approval;
  return [...changes(approval, shared), ...factBlocks(targets, shared, command)];
}

/** What is to be installed, or changed field by field. */
function changes({ command, targets }: ApprovalRecord, shared: boolean): readonly Block[] {
  return [
    ...packageBlocks(command),
    ...installBlocks(targets, command),
    ...changeBlocks(command, targets, shared),
  ];
}

type Requested = Pick<OperationRecord, 'command'> & {
  readonly targets: readonly { readonly displayName: string }[];
};

/** The first line of the card of a request: its state, what is requested and of which device. */
export function cardTitle(label: Labelled, { command, targets }: Requested): Mrkdwn {
  return stateTitle(label, commandWords(command), subjectOf(targets));
}

/** The same for notifications. */
export function stateLine({ sign, words }: Labelled, { command, targets }: Requested): Mrkdwn {
  const names = targets.map(({ displayName }) => displayName);
  return md`${trusted(sign)} ${trusted(words)}: ${deedTitle(command, names)}`;
}

/** Who wants it, and why. */
export function requestedBy({
  requesterId,
  reason: why,
}: Pick<ApprovalRecord, 'requesterId' | 'reason'>): Mrkdwn {
  const by = md`Requested by ${person(requesterId)}`;
  return why === null || why === '' ? by : md`${by} · ${reason(why)}`;
}

/** What is requested and of which device, in bold. */
export function requestTitle({ command, targets }: Requested): Mrkdwn {
  return heading(commandWords(command), subjectOf(targets));
}

function subjectOf(targets: Requested['targets']): string {
  const [only, ...others] = targets;
  return only !== undefined && others.length === 0 ? only.displayName : `${targets.length} devices`;
}

/** What the requester gave as the reason. */
export function reason(text: string | null): Mrkdwn {
  return text === null || text === '' ? md`No reason given.` : md`Reason: ${literal(text, SHOWN.sentence)}`;
}

/**
 * What happened to it on the way. What sent it back, and who had approved it, belong to the card until it is approved
 * anew: then something is sent after all.
 */
export function noteBlocks(approval: ApprovalRecord): readonly Block[] {
  const { note, state, approvedBy, approvedAt } = approval;
  if (note === null || note === '' || state === 'approved') return [];
  const again = state === 'waiting' ? md`*Review again:* ` : md``;
  if (approvedBy === null) return [section(md`${again}${sentence(note)}`)];
  const at = approvedAt === null ? md`` : md` ${when(approvedAt)}`;
  return [section(md`${again}Approved by ${person(approvedBy)}${at}. ${sentence(note)}`)];
}

const QUEUED = md`*Once approved, it can’t be canceled.*`;
/** A run by hand shows no notification on the device ("management API in practice" 6). */
const POLICY_RUNS = md`Runs the policy and its scripts without notifying anyone at the device. *Once approved, it can’t be canceled.*`;

/** A command in a queue has no way back, and an offline device runs it at an hour nobody chose. */
function warning({ command, targets }: ApprovalRecord): Mrkdwn {
  if (isEdit(command)) return editWarning(command, targets);
  const final = command.kind === 'policy-remediate' ? POLICY_RUNS : QUEUED;
  const offline = targets.filter((target) => target.deviceId !== null && target.connected === false);
  const [only, ...others] = offline;
  if (only === undefined) return final;
  return others.length === 0
    ? md`${final} ${literal(only.displayName)} is offline: the command runs as soon as it’s back online.`
    : md`${final} ${count(offline.length, 'device')} are offline: the command runs as soon as they’re back online.`;
}

/** An edit shows at once, and what applies to devices follows the record. */
function editWarning(edit: FleetEdit, targets: readonly TargetFacts[]): Mrkdwn {
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
        : md`*Applies as soon as it’s approved, also to the group’s ${count(devices, 'device')}.*`;
    }
  }
}

function until({ expiresAt, targets }: ApprovalRecord): Mrkdwn {
  const [first] = targets;
  const read = first === undefined ? md`` : md` Device data as of ${when(first.asOf)}.`;
  return md`Expires ${when(expiresAt)}.${read}`;
}

/** A decided request: who and when, and after an approval what became of it. */
export function decisionBlocks(
  approval: ApprovalRecord,
  operation: OperationRecord | null,
): readonly Block[] {
  const by = approval.decidedBy === null ? md`` : md` by ${person(approval.decidedBy)}`;
  const at = whenOr(approval.decidedAt, '');
  switch (approval.state) {
    case 'waiting':
      return [];
    case 'approved': {
      const approved = md`Approved${by} ${at}.`;
      return operation === null
        ? [section(md`${approved} ${rechecking(approval)}`)]
        : [section(approved), ...outcome(operation)];
    }
    case 'denied':
      return [section(md`Denied${by} ${at}. Nothing was sent.`)];
    case 'withdrawn': {
      const whose = approval.decidedBy === null ? md` by Patchbay` : by;
      return [section(md`Withdrawn${whose} ${at}. Nothing was sent.`)];
    }
    case 'expired':
      return [section(md`Expired ${when(approval.expiresAt)}: ${undecided(approval)}. Nothing was sent.`)];
  }
}

/** What waits with a note went back after its approval. */
function undecided({ approvedBy, note }: ApprovalRecord): Mrkdwn {
  return approvedBy === null && note === null ? md`no decision in time` : md`not approved again in time`;
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
  return { sign: STATE_SIGNS[operationState(operation)], words: upperFirst(operationShort(operation)) };
}

function labelOf(state: CardState): Labelled {
  return { sign: STATE_SIGNS[state], words: STATE_WORDS[state] };
}

/** The state of a command in a few words; of several devices, how many are in each. */
export function operationShort(operation: OperationRecord): Mrkdwn {
  const { targets } = operation;
  const counts = new Map<string, number>();
  for (const target of targets) counts.set(stateWords(target), (counts.get(stateWords(target)) ?? 0) + 1);
  const said = [...counts].map(([words, of]) =>
    targets.length === 1 ? lower(words) : md`${of} ${lower(words)}`,
  );
  return targets.length === 0 ? count(0, 'device') : joined(said, ', ');
}

function lower(words: string): Mrkdwn {
  return trusted(lowerFirst(words));
}
