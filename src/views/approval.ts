/** The card of a request: what is asked and why while it waits, then who decided and what became of it. */

import { type FleetEdit, isEdit } from '../fleet/orders.ts';
import type { ApprovalRecord, OperationRecord, TargetFacts } from '../store/records.ts';
import { lowerFirst } from '../text.ts';
import { changeBlocks } from './changes.ts';
import { decisionButtons } from './decision-buttons.ts';
import { factBlocks, packageBlocks } from './facts.ts';
import { actions, context, section } from './kit/blocks.ts';
import { heading, joined, literal, type Mrkdwn, md, trusted } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { sentence } from './kit/sentence.ts';
import { when, whenOr } from './kit/when.ts';
import type { Block, RenderedMessage, View } from './model.ts';
import { outcome, stateWords, wayOn } from './outcome.ts';
import { cardState } from './states.ts';
import { commandWords, count, deed, nothingSent, STATE_WORDS } from './words.ts';

export function renderApproval({
  approval,
  operation,
  shared = false,
}: Extract<View, { kind: 'approval' }>): RenderedMessage {
  const names = approval.targets.map((target) => target.displayName);
  const text = md`Request to ${deed(approval.command, names)}: ${decisionShort(approval, operation)}.`;
  if (approval.state !== 'waiting') {
    const end = operation === null ? [] : wayOn(operation);
    return message({
      text,
      body: [...about(approval, shared), ...asOf(approval), ...decisionBlocks(approval, operation)],
      end,
    });
  }
  // What is decided is what is seen: of one thing nothing but the note may be left out.
  const whole = approval.targets.length === 1;
  const rest = decidedOn(approval, shared);
  return message({
    text,
    body: [...asked(approval), ...(whole ? [] : rest)],
    end: [...(whole ? rest : []), ...actions(...decisionButtons(approval))],
  });
}

/** All that is to be known of a request before it is decided. `shared`: without what is personal. */
export function requestBlocks(approval: ApprovalRecord, shared = false): readonly Block[] {
  return [...asked(approval), ...decidedOn(approval, shared)];
}

function decidedOn(approval: ApprovalRecord, shared: boolean): readonly Block[] {
  return [...facts(approval, shared), section(warning(approval)), context(until(approval))];
}

function about(approval: ApprovalRecord, shared: boolean): readonly Block[] {
  return [...asked(approval), ...facts(approval, shared)];
}

function asked(approval: ApprovalRecord): readonly Block[] {
  const who = section(md`${person(approval.requesterId)} asks for this. ${reason(approval.reason)}`);
  return [section(requestTitle(approval)), who, ...noteBlocks(approval)];
}

function facts({ command, targets }: ApprovalRecord, shared: boolean): readonly Block[] {
  return [
    ...factBlocks(targets, shared),
    ...packageBlocks(command),
    ...changeBlocks(command, targets, shared),
  ];
}

/** What is asked for and of which device, in bold. */
export function requestTitle({
  command,
  targets,
}: Pick<OperationRecord, 'command'> & {
  readonly targets: readonly { readonly displayName: string }[];
}): Mrkdwn {
  const [only, ...others] = targets;
  const subject = only !== undefined && others.length === 0 ? only.displayName : `${targets.length} devices`;
  return heading(commandWords(command), subject);
}

/** What the requester gave as the reason. */
export function reason(text: string | null): Mrkdwn {
  return text === null || text === ''
    ? md`No reason was given.`
    : md`Reason: ${literal(text, SHOWN.sentence)}`;
}

/**
 * What happened to it on the way. What sent it back, and who had approved it, belong to the card until it is approved
 * anew: then something is sent after all.
 */
export function noteBlocks(approval: ApprovalRecord): readonly Block[] {
  const { note, state, approvedBy, approvedAt } = approval;
  if (note === null || note === '' || state === 'approved') return [];
  if (approvedBy !== null) {
    const again = state === 'waiting' ? md`*Needs approval again:* ` : md``;
    const at = approvedAt === null ? md`` : md` ${when(approvedAt)}`;
    return [section(md`${again}It was approved by ${person(approvedBy)}${at}. ${sentence(note)}`)];
  }
  const label = state === 'waiting' ? md`*Changed since this was asked:*` : md`*Note:*`;
  return [section(md`${label} ${sentence(note)}`)];
}

const QUEUED = md`Once approved, the command goes into the device’s queue. *A queued command cannot be cancelled.*`;
/** A run by hand shows no notification on the device ("management API in practice" 6). */
const POLICY_RUNS = md`Once approved, the device does whatever the policy says, its scripts included, and nobody at the device is told before. *A command that was sent cannot be cancelled.*`;

/** A command in a queue has no way back, and an offline device runs it at an hour nobody chose. */
function warning({ command, targets }: ApprovalRecord): Mrkdwn {
  if (isEdit(command)) return editWarning(command, targets);
  const final = command.kind === 'policy-remediate' ? POLICY_RUNS : QUEUED;
  const offline = targets.filter((target) => target.deviceId !== null && target.connected === false);
  const [only, ...others] = offline;
  if (only === undefined) return final;
  return others.length === 0
    ? md`${final}\n${literal(only.displayName)} is offline: it will run when it returns.`
    : md`${final}\n${count(offline.length, 'device')} are offline: it will run there when they return.`;
}

/** An edit shows at once, and what applies to devices follows the record. */
function editWarning(edit: FleetEdit, targets: readonly TargetFacts[]): Mrkdwn {
  switch (edit.kind) {
    case 'device-edit':
      return md`Once approved, the record is changed at once. *Other policies may apply to the device from then on.*`;
    case 'group-create':
      return md`Once approved, the group is made at once. *Patchbay cannot delete it again.*`;
    case 'group-edit': {
      const devices = targets.reduce(
        (sum, facts) => sum + (facts.deviceId === null ? (facts.group?.deviceCount ?? 0) : 0),
        0,
      );
      const whose = devices === 0 ? md`Its devices follow it` : md`Its ${count(devices, 'device')} follow it`;
      return md`Once approved, the group is changed at once. *${whose} from then on.*`;
    }
  }
}

/** The facts are those that were decided on, and grow old. */
function asOf({ targets }: ApprovalRecord): readonly Block[] {
  const [first] = targets;
  return first === undefined ? [] : [context(md`Facts as of ${when(first.asOf)}.`)];
}

function until({ expiresAt, targets }: ApprovalRecord): Mrkdwn {
  const [first] = targets;
  const read = first === undefined ? md`` : md` Facts as of ${when(first.asOf)}.`;
  return md`*${trusted(STATE_WORDS.waiting)}*. Expires ${when(expiresAt)}.${read}`;
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
      const approved = section(md`Approved${by} ${at}.`);
      return operation === null ? [approved, section(CHECKED)] : [approved, ...outcome(operation)];
    }
    case 'denied':
      return [section(md`*Denied*${by} ${at}. ${nothingSent(approval.command)}`)];
    case 'withdrawn': {
      const whose = approval.decidedBy === null ? md` by Patchbay` : by;
      return [section(md`*Withdrawn*${whose} ${at}. ${nothingSent(approval.command)}`)];
    }
    case 'expired':
      return [section(md`*Expired* ${when(approval.expiresAt)}: ${undecided(approval)}. Nothing was sent.`)];
  }
}

/** What waits with a note went back after its approval. */
function undecided({ approvedBy, note }: ApprovalRecord): Mrkdwn {
  return approvedBy === null && note === null
    ? md`nobody decided in time`
    : md`nobody approved it again in time`;
}

/** True whenever it is read: that nothing was sent yet may be over by then. */
const CHECKED = md`Patchbay reads the current facts before it sends anything.`;

/** For notifications, in the vocabulary of states. */
export function decisionShort(approval: ApprovalRecord, operation: OperationRecord | null): Mrkdwn {
  if (approval.state !== 'approved') return lower(STATE_WORDS[cardState(approval, operation)]);
  return operation === null ? md`approved` : md`approved, ${operationShort(operation)}`;
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
