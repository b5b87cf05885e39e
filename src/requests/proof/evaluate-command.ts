/**
 * Judges one followed command by what the service shows now, and reads its device's queue as far as that needs it. Each state
 * stands on evidence: `accepted` (the service said so), `queued` (its entry is in the queue), `answered` (the entry was answered
 * or left), `verified` (the device shows the effect). A fast device may skip some. What is not proven in time is said to be
 * unknown.
 */
import { FleetFailure, type FleetReader, type Lane } from '../../fleet/fleet.ts';
import type { FleetCommand } from '../../fleet/model/actions.ts';
import { policyIdOf } from '../../fleet/model/policy-status.ts';
import type { Device, QueueEntry } from '../../fleet/model/resources.ts';
import { exitCodeOfStored, isSameCommand, isUnanswered, toStoredAnswer } from '../../fleet/queue-entries.ts';
import type { Instant } from '../../lib/clock.ts';
import type { Evidence, OfflineFacts } from '../../store/port/evidence.ts';
import { type Baseline, isFollowed, type RequestTarget } from '../../store/port/request-records.ts';
import { updatedDeadline } from '../look-schedule.ts';
import { type DeviceObservation, type Effect, movedPolicyBaseline } from './effects.ts';

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

type QueueMatch = {
  readonly target: RequestTarget;
  readonly position: QueuePosition;
  /** What the queue says, without what the device shows; null: nothing. */
  readonly evidence: Evidence | null;
};

/**
 * `waits`: it, or one that may be ours, is in the queue. `missed`: it was, and this is the first look that does not
 * list it; a list may be short for a moment. `over`: what the device shows may be its effect.
 */
type QueuePosition = 'waits' | 'missed' | 'over';

type QueueObservation = Omit<DeviceObservation, 'packages'> & {
  readonly command: FleetCommand;
  readonly queue: readonly QueueEntry[];
};

/** The target as far as the queue moves it. One that left without an answer is queued again when it is listed again. */
function matchQueue(observation: QueueObservation): QueueMatch {
  const { command, target, queue } = observation;
  if (target.queueEntryId !== null) {
    const entry = queue.find(({ id }) => id === target.queueEntryId);
    return entry === undefined ? entryMissing(observation) : entryListed(observation, entry);
  }
  const candidates = entriesPossiblyOurs(command, target.before, queue);
  const [only] = candidates;
  if (only === undefined) {
    // Assumption (§4.3): a remediation that was asked for at the policy itself need not stand in the device's queue.
    const inQueue = command.kind === 'policy-remediate' ? 'unasked' : 'not-seen';
    return { target, position: 'over', evidence: { kind: 'accepted', inQueue } };
  }
  return candidates.length === 1 ? entryListed(observation, only) : ambiguousEntries(target, candidates);
}

/** Or may wait because only this list does not show it, so that reading its effect would be for nothing. */
export function waitsInQueue(
  command: FleetCommand,
  target: RequestTarget,
  queue: readonly QueueEntry[],
): boolean {
  const { queueEntryId, missedAt, state } = target;
  if (queueEntryId === null) return entriesPossiblyOurs(command, target.before, queue).some(isUnanswered);
  const entry = queue.find(({ id }) => id === queueEntryId);
  return entry === undefined ? missedAt === null && state !== 'answered' : isUnanswered(entry);
}

/** What an answer says, as it is stored; null: the entry left the queue without one. */
function answerFacts(stored: string | null): Evidence {
  return stored === null ? { kind: 'left-queue' } : { kind: 'answered', exitCode: exitCodeOfStored(stored) };
}

/** Null: it is online, or that is not known. */
function offlineFacts({ connected, lastDisconnectTime }: Device): OfflineFacts {
  return connected === false ? { since: lastDisconnectTime } : null;
}

function entryListed(observation: QueueObservation, entry: QueueEntry): QueueMatch {
  const { target, device } = observation;
  const seen = {
    ...target,
    queueEntryId: entry.id,
    queuedAt: target.queuedAt ?? observation.now,
    missedAt: null,
  };
  if (!isUnanswered(entry)) return entryAnswered(observation, seen, toStoredAnswer(entry.response));
  // An answer that was seen is not unsaid by an older list.
  if (target.response !== null) return entryAnswered(observation, seen, target.response);
  const evidence: Evidence = {
    kind: 'queued',
    entry: entry.id,
    answerLost: target.acceptedAt === null,
    offline: offlineFacts(device),
  };
  const before = movedBaseline(target.before, observation);
  const queued = { ...seen, state: 'queued', answeredAt: null, before, evidence: [evidence] } as const;
  return { target: queued, position: 'waits', evidence };
}

/** Only the second look in a row that does not list the entry counts: a list may be short for a moment. */
function entryMissing(observation: QueueObservation): QueueMatch {
  const { target, now } = observation;
  if (target.state === 'answered') return entryAnswered(observation, target, target.response);
  const { missedAt } = target;
  if (missedAt !== null && missedAt < now) return entryAnswered(observation, target, null);
  return { target: { ...target, missedAt: missedAt ?? now }, position: 'missed', evidence: null };
}

function entryAnswered(
  { now }: QueueObservation,
  target: RequestTarget,
  response: string | null,
): QueueMatch {
  const evidence = answerFacts(response);
  const answeredAt = target.answeredAt ?? now;
  return {
    target: { ...target, state: 'answered', answeredAt, response, evidence: [evidence] },
    position: 'over',
    evidence,
  };
}

/** What happens to a device while our entry waits is not its effect, so the comparison starts after it. */
function movedBaseline(before: Baseline, { command, device, events }: QueueObservation): Baseline {
  return {
    ...before,
    lastRefreshTime: device.lastRefreshTime ?? before.lastRefreshTime,
    lastDisconnectTime: device.lastDisconnectTime ?? before.lastDisconnectTime,
    uptime: device.uptime ?? before.uptime,
    policy: movedPolicyBaseline(before.policy, command, { device, events }),
  };
}

function ambiguousEntries(target: RequestTarget, candidates: readonly QueueEntry[]): QueueMatch {
  const answerLost = target.state === 'unknown';
  const evidence: Evidence = { kind: 'ambiguous', entries: candidates.length, answerLost };
  const position = candidates.some(isUnanswered) ? 'waits' : 'over';
  return { target: { ...target, evidence: [evidence] }, position, evidence };
}

/**
 * Entries that may be ours: the same command, not there before. The service gives no id on acceptance, so two of
 * them cannot be told apart. Assumption (§2.7): an entry of a policy carries its id, ours 0 or null, or the id of
 * the policy that the command is about.
 */
export function entriesPossiblyOurs(
  command: FleetCommand,
  before: Baseline,
  queue: readonly QueueEntry[],
): readonly QueueEntry[] {
  const known = new Set(before.queueIds);
  const about = policyIdOf(command);
  return queue.filter(
    (entry) =>
      !known.has(entry.id) &&
      (entry.policyId === null || entry.policyId === 0 || entry.policyId === about) &&
      isSameCommand(command, entry),
  );
}

/** Refusals of the one entry that say nothing about it: the list of all decides. */
const INCONCLUSIVE_ERRORS: readonly string[] = ['forbidden', 'invalid', 'unreadable'];

/** Its own entry once its id is known, also after it left the list; else the list. Throws FleetFailure. */
export async function readQueueFor(
  reader: Pick<FleetReader, 'queue' | 'queueEntry'>,
  { deviceId, queueEntryId }: Pick<RequestTarget, 'deviceId' | 'queueEntryId'>,
  lane: Lane,
): Promise<readonly QueueEntry[]> {
  if (deviceId === null) return [];
  const entry =
    queueEntryId === null
      ? null
      : await reader.queueEntry(deviceId, queueEntryId, { lane }).catch((error: unknown) => {
          if (error instanceof FleetFailure && INCONCLUSIVE_ERRORS.includes(error.error.kind)) return null;
          throw error;
        });
  return entry === null ? await reader.queue(deviceId, { lane }) : [entry];
}
