/** Where a sent command stands in the device's queue: pure. */

import type { Device, FleetCommand, FleetEvent, QueueEntry } from '../../fleet/model/resources.ts';
import { isUnanswered, toStoredAnswer } from '../../fleet/queue-entries.ts';
import type { Instant } from '../../lib/clock.ts';
import type { Baseline, TargetRecord } from '../../store/port/records.ts';
import { answeredText, timePlaceholder } from '../evidence-text.ts';
import { movedPolicyBaseline } from './baseline.ts';
import { entriesPossiblyOurs } from './queue-reads.ts';

export type QueueMatch = {
  readonly target: TargetRecord;
  readonly position: QueuePosition;
  /** What the queue says, without what the device shows. */
  readonly queueText: string;
};

/**
 * `waits`: it, or one that may be ours, is in the queue. `missed`: it was, and this is the first look that does not
 * list it; a list may be short for a moment. `over`: what the device shows may be its effect.
 */
export type QueuePosition = 'waits' | 'missed' | 'over';

type QueueObservation = {
  readonly command: FleetCommand;
  readonly target: TargetRecord;
  readonly queue: readonly QueueEntry[];
  readonly device: Device;
  readonly events: readonly FleetEvent[];
  readonly now: Instant;
};

/** The target as far as the queue moves it. One that left without an answer is queued again when it is listed again. */
export function matchQueue(observation: QueueObservation): QueueMatch {
  const { command, target, queue } = observation;
  if (target.queueEntryId !== null) {
    const entry = queue.find(({ id }) => id === target.queueEntryId);
    return entry === undefined ? entryMissing(observation) : entryListed(observation, entry);
  }
  const candidates = entriesPossiblyOurs(command, target.before, queue);
  const [only] = candidates;
  if (only === undefined) return entryNeverSeen(command, target);
  return candidates.length === 1 ? entryListed(observation, only) : ambiguousEntries(target, candidates);
}

/** Whether the command still waits in the queue, so that reading its effect would be for nothing. */
export function waitsInQueue(
  command: FleetCommand,
  target: TargetRecord,
  queue: readonly QueueEntry[],
): boolean {
  const ours =
    target.queueEntryId === null
      ? entriesPossiblyOurs(command, target.before, queue)
      : queue.filter((entry) => entry.id === target.queueEntryId);
  return ours.some(isUnanswered);
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
  const queueText = queuedText(target, device);
  const before = movedBaseline(target.before, observation);
  const queued = { ...seen, state: 'queued', answeredAt: null, before, evidence: queueText } as const;
  return { target: queued, position: 'waits', queueText };
}

/** Only the second look in a row that does not list the entry counts: a list may be short for a moment. */
function entryMissing(observation: QueueObservation): QueueMatch {
  const { target, now } = observation;
  if (target.state === 'answered') return entryAnswered(observation, target, target.response);
  const { missedAt } = target;
  if (missedAt !== null && missedAt < now) return entryAnswered(observation, target, null);
  return { target: { ...target, missedAt: missedAt ?? now }, position: 'missed', queueText: '' };
}

function entryAnswered({ now }: QueueObservation, target: TargetRecord, response: string | null): QueueMatch {
  const queueText = answeredText(response);
  const answeredAt = target.answeredAt ?? now;
  return {
    target: { ...target, state: 'answered', answeredAt, response, evidence: queueText },
    position: 'over',
    queueText,
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

/** Assumption (§4.3): a remediation that was asked for at the policy itself need not stand in the device's queue. */
function entryNeverSeen(command: FleetCommand, target: TargetRecord): QueueMatch {
  const queueText =
    command.kind === 'policy-remediate'
      ? 'The management service accepted the command.'
      : 'The management service accepted the command. Patchbay hasn’t seen it in the device’s queue.';
  return { target, position: 'over', queueText };
}

function ambiguousEntries(target: TargetRecord, candidates: readonly QueueEntry[]): QueueMatch {
  const which = `the device’s queue has ${candidates.length} new entries like this command. It’s unclear which one belongs to it`;
  const queueText =
    target.state === 'unknown'
      ? `Patchbay got no clear answer, and ${which}. Patchbay won’t send it again.`
      : `The management service accepted the command, and ${which}.`;
  const position = candidates.some(isUnanswered) ? 'waits' : 'over';
  return { target: { ...target, evidence: queueText }, position, queueText };
}

function queuedText(target: TargetRecord, device: Device): string {
  const end = `The command can’t be canceled.${offlineText(device)}`;
  return target.acceptedAt === null
    ? `Patchbay got no clear answer, but the command is in the device’s queue. ${end}`
    : end;
}

function offlineText({ connected, lastDisconnectTime }: Device): string {
  if (connected !== false) return '';
  return lastDisconnectTime === null
    ? ' The device is offline and runs the command as soon as it’s back online.'
    : ` The device has been offline since ${timePlaceholder(lastDisconnectTime)} and runs the command as soon as it’s back online.`;
}
