/**
 * Judges one followed command by what the service shows now: pure. Each state stands on evidence: `accepted` (the
 * service said so), `queued` (its entry is in the queue), `answered` (the entry was answered or left), `verified`
 * (the device shows the effect). A fast device may skip some. What is not proven in time is said to be unknown.
 */
import type { FleetCommand } from '../../fleet/model/actions.ts';
import { policyIdOf } from '../../fleet/model/policy-status.ts';
import type { Device, QueueEntry } from '../../fleet/model/resources.ts';
import { exitCodeOfStored } from '../../fleet/queue-entries.ts';
import type { Instant } from '../../lib/clock.ts';
import type { Evidence } from '../../store/port/evidence.ts';
import { isFollowed, type RequestTarget } from '../../store/port/request-records.ts';
import { updatedDeadline } from '../look-schedule.ts';
import type { DeviceObservation, Effect } from './baseline.ts';
import { answerFacts, matchQueue, offlineFacts, type QueueMatch } from './queue-match.ts';

export type Observation = Omit<DeviceObservation, 'device'> & {
  readonly command: FleetCommand;
  readonly queue: readonly QueueEntry[];
  /** Null: the service does not know it any more. */
  readonly device: Device | null;
};

/** What the device shows of the command, compared with how it was before: pure. */
export type ObserveEffect = (observation: DeviceObservation) => Effect;

/** The target after one look; the same object where nothing moved. */
export function evaluateCommand(observation: Observation, observeEffect: ObserveEffect): RequestTarget {
  const { target, device } = observation;
  if (!isFollowed(target)) return target;
  const next =
    device === null ? targetGone(target, observation.now) : conclude(observation, device, observeEffect);
  return JSON.stringify(target) === JSON.stringify(next) ? target : next;
}

function conclude(observation: Observation, device: Device, observeEffect: ObserveEffect): RequestTarget {
  const { now } = observation;
  const match = matchQueue({ ...observation, device });
  const deadlineAt = updatedDeadline(match.target, device.connected, now);
  const target = { ...match.target, deadlineAt };
  if (match.position === 'missed') return target;
  if (match.position === 'waits')
    return now < deadlineAt ? target : timedOut(target, { device, match, missing: null, now });
  const effect = observeEffect({ ...observation, device, target });
  switch (effect.kind) {
    case 'proven':
      return targetProven(target, effect.evidence, observation);
    case 'failed':
      return { ...target, state: 'not_verified', endedAt: now, evidence: [effect.evidence] };
    case 'open':
      if (now >= deadlineAt) return timedOut(target, { device, match, missing: effect.missing, now });
      return target.state === 'unknown'
        ? declinedUnlisted(match, target, now)
        : { ...target, evidence: [...present(match.evidence), effect.missing] };
  }
}

/** Where nothing says that the device got the command, somebody else may have caused the effect: that proves nothing. */
function targetProven(target: RequestTarget, effect: Evidence, { command, now }: Observation): RequestTarget {
  if (target.state === 'unknown') {
    const endedAt = now < target.deadlineAt ? null : now;
    return { ...target, endedAt, evidence: [effect, { kind: 'cause-unknown' }] };
  }
  // The proof of a policy's run states the exit code of the run itself.
  const isStated = policyIdOf(command) !== null || exitCodeOfStored(target.response) === null;
  const evidence = isStated ? [effect] : [effect, answerFacts(target.response)];
  return { ...target, state: 'verified', endedAt: now, evidence };
}

type TimeoutContext = {
  readonly device: Device;
  readonly match: QueueMatch;
  readonly missing: Evidence | null;
  readonly now: Instant;
};

function timedOut(target: RequestTarget, { device, match, missing, now }: TimeoutContext): RequestTarget {
  if (target.state === 'unknown') {
    const why = match.evidence?.kind === 'ambiguous' ? match.evidence : ({ kind: 'stays-unknown' } as const);
    return declinedAfterAll(target, now) ?? { ...target, endedAt: now, evidence: [why] };
  }
  const evidence: readonly Evidence[] =
    match.position === 'waits'
      ? [{ kind: 'still-queued', offline: offlineFacts(device), at: now }]
      : [...present(match.evidence), { kind: 'unconfirmed' }, ...present(missing)];
  return { ...target, state: 'not_verified', endedAt: now, evidence };
}

function targetGone(target: RequestTarget, now: Instant): RequestTarget {
  const state = target.state === 'unknown' ? 'unknown' : 'not_verified';
  return { ...target, state, endedAt: now, evidence: [{ kind: 'unverifiable', thing: 'device' }] };
}

function present(evidence: Evidence | null): readonly Evidence[] {
  return evidence === null ? [] : [evidence];
}

/**
 * Of a call that was answered by a 2xx with an error in it. Looked for, and not there: the service's words count.
 * Null: its answer was lost, or it was found meanwhile.
 */
export function declinedAfterAll(target: RequestTarget, now: Instant): RequestTarget | null {
  const [lost] = target.evidence;
  if (target.state !== 'unknown' || lost?.kind !== 'answer-lost' || lost.error.declined !== true) return null;
  return { ...target, state: 'refused', endedAt: now, evidence: [{ kind: 'refused', error: lost.error }] };
}

/**
 * A command after a look at the queue that does not have it. Only the second one counts: a list may be short for a moment.
 * What need not stand in the queue is looked for until the deadline.
 */
function declinedUnlisted(match: QueueMatch, target: RequestTarget, now: Instant): RequestTarget {
  const { evidence } = match;
  const refused = declinedAfterAll(target, now);
  if (refused === null || evidence?.kind !== 'accepted' || evidence.inQueue !== 'not-seen') return target;
  const { missedAt } = target;
  return missedAt !== null && missedAt < now ? refused : { ...target, missedAt: missedAt ?? now };
}
