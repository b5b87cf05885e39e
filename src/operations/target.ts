/** One device of an operation, or its group, from stored to sent: pure. */
import type { Instant } from '../clock.ts';
import type { FleetError, IssueOutcome } from '../fleet/fleet.ts';
import type { FleetCommand } from '../fleet/model.ts';
import { pendingSame } from '../fleet/pending.ts';
import type { OperationId } from '../ids.ts';
import type { Before, TargetFacts, TargetRecord } from '../store/records.ts';
import { firstDeadline } from './schedule.ts';
import { beforeOf, type Found } from './survey.ts';
import { clip, errorText } from './words.ts';

/** Stored, nothing read and nothing sent. */
export function readyTarget(operationId: OperationId, facts: TargetFacts, now: Instant): TargetRecord {
  return {
    operationId,
    deviceId: facts.deviceId,
    displayName: facts.displayName,
    state: 'ready',
    before: { ...NOTHING_READ, at: now },
    queueEntryId: null,
    issuedAt: now,
    acceptedAt: null,
    queuedAt: null,
    missedAt: null,
    answeredAt: null,
    endedAt: null,
    response: null,
    evidence: null,
    deadlineAt: firstDeadline(now, null),
  };
}

const NOTHING_READ: Omit<Before, 'at'> = {
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
export function claim(ready: TargetRecord, command: FleetCommand, found: Found, now: Instant): TargetRecord {
  const same = pendingSame(command, found.queue);
  if (same !== null) {
    const what = `the same command is already in the device’s queue (#${same.id})`;
    return unsent(ready, `${what}. A second one would also run`, now);
  }
  return {
    ...ready,
    state: 'issuing',
    before: beforeOf(found, command, now),
    issuedAt: now,
    deadlineAt: firstDeadline(now, found.device.connected),
  };
}

/** Ended before anything was sent; nothing failed. `why`: the end of a sentence. */
export function unsent(target: TargetRecord, why: string, now: Instant): TargetRecord {
  return { ...target, state: 'not_sent', endedAt: now, evidence: `Not sent: ${why}.` };
}

/** What became of the POST. */
export function afterSending(
  target: TargetRecord,
  outcome: Exclude<IssueOutcome, { kind: 'withheld' }>,
  now: Instant,
): TargetRecord {
  switch (outcome.kind) {
    case 'accepted':
      return { ...target, state: 'accepted', acceptedAt: now, evidence: NOT_SEEN_YET };
    case 'refused':
      return { ...target, state: 'refused', endedAt: now, evidence: refusedText(outcome.error) };
    case 'unknown': {
      const evidence = `The answer to the command was lost: ${errorText(outcome.error)}. ${LOOKING}`;
      return { ...target, state: 'unknown', evidence };
    }
  }
}

const NOT_SEEN_YET = 'The management service accepted the command. Not seen in the device’s queue yet.';

/** Without a status there was no answer: the command never left, because there was no connection or no way to say it. */
export function refusedText(error: FleetError, what: 'command' | 'change' = 'command'): string {
  // What we held back ourselves has its reason in the words already.
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

/** Found claimed, with no word of what became of it: the process ended in between. It may have been sent. */
export function afterStop(target: TargetRecord): TargetRecord {
  const what =
    'Patchbay stopped while sending the command. The management service may or may not have accepted it.';
  return { ...target, state: 'unknown', evidence: `${what} ${LOOKING}` };
}

const LOOKING = 'Patchbay is looking for it in the device’s queue and won’t send it again.';
