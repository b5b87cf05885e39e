/**
 * Judges one followed command by what the service shows now: pure. Each state stands on evidence: `accepted` (the
 * service said so), `queued` (its entry is in the queue), `answered` (the entry was answered or left), `verified`
 * (the device shows the effect). A fast device may skip some. What is not proven in time is said to be unknown.
 */

import { policyIdOf } from '../../fleet/model/policy-status.ts';
import type { Device, FleetCommand, FleetEvent, Package, QueueEntry } from '../../fleet/model/resources.ts';
import { exitCodeOfStored } from '../../fleet/queue-entries.ts';
import type { Instant } from '../../lib/clock.ts';
import type { TargetRecord } from '../../store/port/records.ts';
import { answeredText, timePlaceholder } from '../evidence-text.ts';
import { updatedDeadline } from '../look-schedule.ts';
import { observeEffect } from './effect.ts';
import { matchQueue, type QueueMatch } from './queue-match.ts';

export type Observation = {
  readonly command: FleetCommand;
  readonly target: TargetRecord;
  readonly queue: readonly QueueEntry[];
  /** Null: the service does not know it any more. */
  readonly device: Device | null;
  /** Null where they were not read. */
  readonly packages: readonly Package[] | null;
  readonly events: readonly FleetEvent[];
  readonly now: Instant;
};

export type TargetVerdict =
  | { readonly kind: 'same' }
  | { readonly kind: 'move'; readonly next: TargetRecord };

export function evaluateTarget(observation: Observation): TargetVerdict {
  const { target } = observation;
  if (!isFollowed(target)) return { kind: 'same' };
  const next =
    observation.device === null
      ? targetGone(target, observation.now)
      : conclude(observation, observation.device);
  return unchanged(target, next) ? { kind: 'same' } : { kind: 'move', next };
}

/** Whether there is something to find out: it was sent, as far as we know, and is not ended. */
export function isFollowed({ state, endedAt }: TargetRecord): boolean {
  return endedAt === null && state !== 'ready' && state !== 'issuing';
}

function conclude(observation: Observation, device: Device): TargetRecord {
  const { now } = observation;
  const match = matchQueue({ ...observation, device });
  const deadlineAt = updatedDeadline(match.target, device.connected, now);
  const target = { ...match.target, deadlineAt };
  if (match.position === 'missed') return target;
  if (match.position === 'waits')
    return now < deadlineAt ? target : timedOut(target, { device, match, missing: '', now });
  const found = observeEffect({ ...observation, device, target: target });
  switch (found.kind) {
    case 'proven':
      return targetProven(target, { evidence: found.evidence, command: observation.command, now });
    case 'failed':
      return { ...target, state: 'not_verified', endedAt: now, evidence: found.evidence, endCause: 'failed' };
    case 'open':
      if (now >= deadlineAt) return timedOut(target, { device, match, missing: found.missing, now });
      return target.state === 'unknown'
        ? target
        : { ...target, evidence: `${match.queueText} ${found.missing}` };
  }
}

/** Without evidence that the device got the command, the effect may have another cause, so it proves nothing. */
function targetProven(target: TargetRecord, { evidence: effect, command, now }: ProofOfEffect): TargetRecord {
  if (target.state === 'unknown') {
    const endedAt = now < target.deadlineAt ? null : now;
    return { ...target, endedAt, evidence: `${effect} ${EFFECT_OF_UNKNOWN_CAUSE}` };
  }
  // The proof of a policy's run states the exit code of the run itself.
  const isStated = policyIdOf(command) !== null || exitCodeOfStored(target.response) === null;
  const evidence = isStated ? effect : `${effect} ${answeredText(target.response)}`;
  return { ...target, state: 'verified', endedAt: now, evidence };
}

type ProofOfEffect = { readonly evidence: string; readonly command: FleetCommand; readonly now: Instant };

const EFFECT_OF_UNKNOWN_CAUSE =
  'This may have another cause, because Patchbay got no clear answer to the command. It was not sent again.';

type TimeoutContext = {
  readonly device: Device;
  readonly match: QueueMatch;
  readonly missing: string;
  readonly now: Instant;
};

function timedOut(target: TargetRecord, { device, match, missing, now }: TimeoutContext): TargetRecord {
  if (target.state === 'unknown') return { ...target, endedAt: now, evidence: STAYS_UNKNOWN_TEXT };
  const evidence =
    match.position === 'waits'
      ? stillQueued(device)
      : `${match.queueText} Couldn’t confirm that it ran. ${missing}`;
  return { ...target, state: 'not_verified', endedAt: now, evidence };
}

const STAYS_UNKNOWN_TEXT =
  'Patchbay got no clear answer and found no matching entry in the device’s queue. The device may or may not have received the command. It was not sent again.';

function stillQueued(device: Device): string {
  return `Still in the device’s queue when Patchbay stopped checking.${offlineNow(device)} A queued command can’t be canceled, so it may still run.`;
}

function offlineNow({ connected, lastDisconnectTime }: Device): string {
  if (connected !== false) return '';
  return lastDisconnectTime === null
    ? ' The device is offline.'
    : ` The device has been offline since ${timePlaceholder(lastDisconnectTime)}.`;
}

function targetGone(target: TargetRecord, now: Instant): TargetRecord {
  const evidence = 'The device no longer exists in the management service, so nothing can be verified.';
  return {
    ...target,
    state: target.state === 'unknown' ? 'unknown' : 'not_verified',
    endedAt: now,
    evidence,
    endCause: 'gone',
  };
}

function unchanged(before: TargetRecord, after: TargetRecord): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
