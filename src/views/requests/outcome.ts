/** The outcome of a command or an edit for each device or group: the evidence, and when it got into its state. */
import { changesRecord, type FleetAction } from '../../fleet/model/actions.ts';
import { exitCodeOfStored } from '../../fleet/queue-entries.ts';
import type { Instant } from '../../lib/clock.ts';
import { saysGone } from '../../store/port/evidence.ts';
import {
  hasFailed,
  isFollowed,
  isLate,
  type RequestTarget,
  type RequestWithTargets,
  totalOf,
} from '../../store/port/request-records.ts';
import { deviceButton, groupButton, queueButton } from '../device/device-buttons.ts';
import { policyButton } from '../fleet/policy-list.ts';
import { actions, type Button, context, rowBlocks, section } from '../kit/blocks.ts';
import { bold, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import type { Block } from '../kit/limits.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { CardState } from '../models/request-model.ts';
import { targetName } from '../text/common-text.ts';
import { evidenceText } from './evidence.ts';
import { requestAgainButton } from './request-buttons.ts';
import { memberLabel, targetState } from './request-label.ts';

const BUDGET = 5_000;

/** One device in full, several a line each. */
export function outcomeBlocks({ action, targets, counts, rollout }: RequestWithTargets): readonly Block[] {
  const [only] = targets;
  if (only !== undefined && totalOf(counts) === 1)
    // The card of what is held says why, and who can let it go on.
    return only.state === 'ready' && rollout !== null && rollout.hold !== null
      ? []
      : targetOutcome(only, action);
  const rows = targets.map((target) => {
    const { sign, words } = memberLabel(target);
    const state = md`${targetName(target, targets, bold)}: ${trustedMrkdwn(sign)} ${trustedMrkdwn(words)}.`;
    const account = targetState(target.state) === 'waiting' ? [] : accountText(target, action);
    return joinMrkdwn([state, ...account], ' ');
  });
  return [
    ...rowBlocks(rows, { budget: BUDGET, more: (left) => md`${left} more devices not shown.` }),
    ...keepsCheckingText(targets),
  ];
}

type TargetNoun = 'command' | 'change';

function nounOf(action: FleetAction): TargetNoun {
  return changesRecord(action) ? 'change' : 'command';
}

/** Until when those that are still open are followed. */
function keepsCheckingText(targets: readonly RequestTarget[]): readonly Block[] {
  const deadlines = targets
    .filter((one) => isFollowed(one) && !isLate(one))
    .map(({ deadlineAt }) => deadlineAt);
  const [last] = deadlines.toSorted((a, b) => b - a);
  return last === undefined ? [] : [context(md`Checking until ${relativeDate(last)}.`)];
}

/** The title of the card names the state: here is the evidence, and the time. Of what has ended the result comes first. */
function targetOutcome(target: RequestTarget, action: FleetAction): readonly Block[] {
  const noun = nounOf(action);
  const account = accountText(target, action);
  const since = sinceText(target, noun);
  const until = untilText(target, noun);
  const parts = target.endedAt === null ? [...since, ...account, ...until] : [...account, ...since];
  return [...(parts.length === 0 ? [] : [section(joinMrkdwn(parts, ' '))]), ...responseText(target)];
}

/** What a person can do next: request again what was not sent, or look at the one device or its queue. */
export function nextStepButtons(request: RequestWithTargets): readonly Block[] {
  const { action, targets } = request;
  const [only] = targets;
  if (only === undefined) return [];
  const again = requestAgainButton(request);
  const state = targetState(only.state);
  const isGone = saysGone(only.evidence);
  if (only.deviceId === null) {
    if (isGone) return [];
    // What was not made has no page.
    const makes = action.kind === 'group-create' || action.kind === 'policy-create';
    const shown = again !== null && makes ? null : recordButton(action);
    return state === 'waiting' && again === null ? [] : actions(again, shown);
  }
  // Nothing can be requested of a device that is gone, and nothing shown.
  if (isGone) return [];
  const isOpenQuestion = state === 'unknown' || state === 'not_verified';
  const queue = isOpenQuestion && !changesRecord(action) ? queueButton(only.deviceId, 'Queue') : null;
  if (again !== null || queue !== null) return actions(again, queue, deviceButton(only.deviceId));
  if (changesRecord(action)) return EDIT_SHOWN.has(state) ? actions(deviceButton(only.deviceId)) : [];
  return IN_QUEUE.has(state) ? actions(queueButton(only.deviceId, 'Queue')) : [];
}

/** States of an edit in which the device may show it. */
const EDIT_SHOWN: ReadonlySet<CardState> = new Set(['verified', 'not_verified', 'unknown']);
/** States of a command in which its queue says most. */
const IN_QUEUE: ReadonlySet<CardState> = new Set(['accepted', 'queued']);

/** A new group or policy is found by its name; an edited one by its id, because it may have been renamed. */
function recordButton(order: FleetAction): Button | null {
  if (order.kind === 'policy-create') return policyButton(order.policy.name);
  if (order.kind === 'policy-edit') return policyButton(order.policyId);
  if (order.kind === 'group-create') return groupButton(order.group.name);
  return order.kind === 'group-edit' || order.kind === 'group-remove' ? groupButton(order.groupId) : null;
}

/** The exit code of the device's answer, unless the evidence states it. */
function responseText(target: RequestTarget): readonly Block[] {
  const { response, evidence } = target;
  const exitCode = exitCodeOfStored(response);
  if (exitCode === null || evidence.some((one) => 'exitCode' in one && one.exitCode !== null)) return [];
  if (hasFailed(target))
    return [
      context(
        md`The device answered the command itself with exit code ${exitCode}. The failure was reported separately.`,
      ),
    ];
  return [context(md`The device answered with exit code ${exitCode}.`)];
}

/** When it got into its state; nothing where that is not known. */
function sinceText(target: RequestTarget, noun: TargetNoun): readonly Mrkdwn[] {
  switch (target.state) {
    case 'ready':
      return [];
    case 'not_sent':
    case 'not_needed':
      return timed('The request ended', target.endedAt);
    case 'issuing':
      return timed('Sending since', target.issuedAt);
    case 'accepted':
      return timed('Accepted', target.acceptedAt);
    case 'queued':
      return timed('The command has been in the device’s queue since', target.queuedAt);
    case 'answered':
      return timed('Answered', target.answeredAt);
    case 'verified':
      return timed('Verified', target.endedAt);
    case 'refused':
      return timed('Tried', target.endedAt);
    case 'not_verified':
      if (target.evidence.some(({ kind }) => kind === 'still-queued')) return [];
      return hasFailed(target)
        ? timed('Patchbay saw the failure', target.endedAt)
        : timed('Patchbay stopped checking', target.endedAt);
    case 'unknown':
      return target.endedAt === null
        ? timed(`Patchbay tried to send the ${noun}`, target.issuedAt)
        : timed('Patchbay stopped checking', target.endedAt);
  }
}

/** Until when an open target is followed, and what may happen after that. */
function untilText(target: RequestTarget, noun: TargetNoun): readonly Mrkdwn[] {
  const { state, deadlineAt } = target;
  if (isLate(target)) return state === 'unknown' ? [md`Wait for it before you request it again.`] : [];
  switch (state) {
    case 'unknown':
      return [
        ...timed('Patchbay looks for it until', deadlineAt),
        md`Wait until then before you request it again.`,
      ];
    case 'accepted':
      return timed('Checking until', deadlineAt);
    case 'queued':
    case 'answered':
      return [
        ...timed('Checking for the result until', deadlineAt),
        ...(state === 'queued' && noun === 'command' ? [RUNS_UNREPORTED] : []),
      ];
    default:
      return [];
  }
}

/** A queued command has no way back, whoever still looks at it. */
const RUNS_UNREPORTED = md`After that, the device may still run the command, but Patchbay no longer reports it.`;

function timed(words: string, at: Instant | null): readonly Mrkdwn[] {
  return at === null ? [] : [md`${trustedMrkdwn(words)} ${relativeDate(at)}.`];
}

/** The evidence, or what the state means where there is none: evidence mostly explains the state, too. */
function accountText(target: RequestTarget, action: FleetAction): readonly Mrkdwn[] {
  const stated = evidenceText(target.evidence, action);
  const meaning = explanationText(target, nounOf(action));
  switch (target.state) {
    case 'ready':
      return [delayText(target, action) ?? meaning].filter((part) => part !== null);
    case 'answered':
      return [stated === null ? meaning : md`${stated} ${UNVERIFIED}`].filter((part) => part !== null);
    default:
      return [stated ?? meaning].filter((part) => part !== null);
  }
}

/** Why it was not sent at once; null: nothing is known to be in the way. */
export function delayText({ evidence }: RequestTarget, action: FleetAction): Mrkdwn | null {
  const stated = evidenceText(evidence, action);
  return stated === null ? null : md`${stated} Patchbay tries again by itself.`;
}

const UNVERIFIED = md`Not verified yet.`;

/** What the state means, and what it does not. */
function explanationText({ state, endedAt }: RequestTarget, noun: TargetNoun): Mrkdwn | null {
  const it = trustedMrkdwn(noun);
  switch (state) {
    case 'ready':
      return md`Checking the current state, then sending.`;
    case 'refused':
      return md`The management service did not accept the ${it}. Nothing was changed.`;
    case 'accepted':
      return noun === 'change'
        ? md`The management service accepted the change, but does not show it yet.`
        : null;
    case 'queued':
      return md`The command can’t be canceled.`;
    case 'answered':
      return md`The device answered the command. ${UNVERIFIED}`;
    case 'issuing':
    case 'verified':
      return null;
    case 'not_sent':
    case 'not_needed':
      return md`Nothing was changed.`;
    case 'not_verified':
      return noun === 'change'
        ? md`Couldn’t confirm that the change was made.`
        : md`The management service accepted the command, but Patchbay couldn’t confirm that it ran.`;
    case 'unknown':
      return endedAt === null
        ? md`Patchbay got no clear answer: the management service may or may not have accepted the ${it}. Patchbay is looking for it and won’t send it again.`
        : md`Patchbay got no clear answer: the management service may or may not have accepted the ${it}. Patchbay stopped looking for it and won’t send it again. Check before you request it again.`;
  }
}
