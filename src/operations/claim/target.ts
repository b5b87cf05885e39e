/** One device of an operation, or its group, from stored to sent: pure. */

import type { FleetError, IssueOutcome } from '../../fleet/fleet.ts';
import type { FleetAction, FleetEdit } from '../../fleet/model/actions.ts';
import type { FleetCommand } from '../../fleet/model/resources.ts';
import { findQueuedDuplicate } from '../../fleet/queue-entries.ts';
import { type Instant, later } from '../../lib/clock.ts';
import type { OperationId } from '../../lib/ids.ts';
import type { Baseline, TargetFacts, TargetRecord } from '../../store/port/records.ts';
import { clip, errorText, nameText, targetGoneText } from '../evidence-text.ts';
import { EDIT_DEADLINE_MS, initialDeadline } from '../look-schedule.ts';
import type { ActionRead } from './action-read.ts';
import { baselineOf, type DeviceRead } from './device-read.ts';

/** Stored, nothing read and nothing sent. */
export function newTarget(operationId: OperationId, facts: TargetFacts, now: Instant): TargetRecord {
  return {
    operationId,
    deviceId: facts.deviceId,
    displayName: facts.displayName,
    state: 'ready',
    before: { ...EMPTY_BASELINE, at: now },
    queueEntryId: null,
    issuedAt: now,
    acceptedAt: null,
    queuedAt: null,
    missedAt: null,
    answeredAt: null,
    endedAt: null,
    response: null,
    evidence: null,
    endCause: null,
    deadlineAt: initialDeadline(now, null),
  };
}

const EMPTY_BASELINE: Omit<Baseline, 'at'> = {
  connected: null,
  lastRefreshTime: null,
  lastDisconnectTime: null,
  uptime: null,
  needsReboot: null,
  queueIds: [],
  missing: [],
  policy: null,
};

/**
 * The claim, written before the one POST. Where the same command already waits in the queue it ends instead: a
 * second one would run too, and asking the approver again would not make the first one go away.
 */
export function claimDevice(
  target: TargetRecord,
  command: FleetCommand,
  found: DeviceRead,
  now: Instant,
): TargetRecord {
  const same = findQueuedDuplicate(command, found.queue);
  if (same !== null) {
    const what = 'the same command is already in the device’s queue';
    return targetNotSent(target, `${what}. A second one would also run`, now);
  }
  return {
    ...target,
    state: 'issuing',
    before: baselineOf(found, command, now),
    issuedAt: now,
    deadlineAt: initialDeadline(now, found.device.connected),
  };
}

/** Ended before anything was sent; nothing failed. `why`: the end of a sentence. */
export function targetNotSent(target: TargetRecord, why: string, now: Instant): TargetRecord {
  return { ...target, state: 'not_sent', endedAt: now, evidence: `Not sent: ${why}.` };
}

/** Ended because it could not be sent: the service never saw it, or turned it away unread. */
export function targetUnsent(target: TargetRecord, error: FleetError, now: Instant): TargetRecord {
  return targetNotSent(target, errorText(error, error.held === true ? '' : clip(error.detail, 200)), now);
}

/** The same because the device or group that the command is about no longer exists. */
export function goneBeforeSending(
  target: TargetRecord,
  command: Pick<FleetAction, 'kind'>,
  now: Instant,
): TargetRecord {
  return { ...targetNotSent(target, targetGoneText(command), now), endCause: 'gone' };
}

/** The target after the POST: accepted, refused or unknown. */
export function targetAfterSending(
  target: TargetRecord,
  outcome: Exclude<IssueOutcome, { kind: 'withheld' }>,
  now: Instant,
): TargetRecord {
  switch (outcome.kind) {
    case 'accepted':
      return { ...target, state: 'accepted', acceptedAt: now, evidence: NOT_SEEN_YET };
    case 'unsent':
      return targetUnsent(target, outcome.error, now);
    case 'refused':
      return { ...target, state: 'refused', endedAt: now, evidence: refusedText(outcome.error) };
    case 'unknown': {
      const evidence = `Patchbay got no clear answer: ${errorText(outcome.error)}. The command may or may not have arrived. ${LOOKING_FOR_COMMAND_TEXT}`;
      return { ...target, state: 'unknown', evidence };
    }
  }
}

const NOT_SEEN_YET =
  'The management service accepted the command. Patchbay hasn’t seen it in the device’s queue yet and keeps checking.';

/** Evidence of a refusal. An error without an HTTP status means that the command never left Patchbay. */
export function refusedText(error: FleetError, what: 'command' | 'change' = 'command'): string {
  // `errorText` already names the reason where Patchbay held the call back.
  const words = error.held === true ? '' : clip(error.detail, 200);
  const end =
    error.status === null
      ? `The ${what} could not be sent`
      : `The management service did not accept the ${what}`;
  const next = error.kind === 'throttled' ? ' Try again later.' : '';
  const cause = errorText(error, words);
  return error.held === true
    ? `${end}. Nothing was changed. ${cause}.${next}`
    : `${end}. Nothing was changed. Cause: ${cause}.${next}`;
}

/** A claim whose process ended before it stored the answer: the command may have been sent. */
export function targetAfterInterruption(target: TargetRecord): TargetRecord {
  const what =
    'Patchbay stopped while sending the command. The management service may or may not have accepted it.';
  return { ...target, state: 'unknown', evidence: `${what} ${LOOKING_FOR_COMMAND_TEXT}` };
}

const LOOKING_FOR_COMMAND_TEXT =
  'Patchbay is looking for the command in the device’s queue and won’t send it again.';

/** Written before the one call; or the end of the target where there is nothing to be sent. */
export function claimFor(target: TargetRecord, read: ActionRead, now: Instant): TargetRecord {
  return read.kind === 'edit' ? claimEdit(target, read, now) : claimDevice(target, read.command, read, now);
}

type EditWithFacts = { readonly edit: FleetEdit; readonly facts: TargetFacts };

/**
 * A second group of one name below one parent is not made: nobody could tell the two apart, nor find the new one if
 * its answer is lost.
 */
function claimEdit(target: TargetRecord, { edit, facts }: EditWithFacts, now: Instant): TargetRecord {
  if (edit.kind === 'group-create' && facts.deviceId === null && facts.twin !== null) {
    const name = nameText(edit.group.name);
    return targetNotSent(target, `a group named ${name} already exists under the same parent`, now);
  }
  return { ...target, state: 'issuing', issuedAt: now, deadlineAt: later(now, EDIT_DEADLINE_MS) };
}
