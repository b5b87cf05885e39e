/** Where a sent command stands in the device's queue: pure. */
import type { Instant } from '../clock.ts';
import type { Device, FleetCommand, FleetEvent, QueueEntry } from '../fleet/model.ts';
import { isPending } from '../fleet/pending.ts';
import { storedAnswer } from '../fleet/stored-answer.ts';
import type { Before, TargetRecord } from '../store/records.ts';
import { policyMoved } from './policy-before.ts';
import { newEntries } from './queue.ts';
import { answeredText } from './response.ts';
import { timeToken } from './words.ts';

export type Trace = {
  readonly target: TargetRecord;
  readonly place: Place;
  /** What the queue says, without what the device shows. */
  readonly said: string;
};

/**
 * `waits`: it, or one that may be ours, is in the queue. `missed`: it was, and this is the first look that does not
 * list it; a list may be short for a moment. `over`: what the device shows may be its effect.
 */
export type Place = 'waits' | 'missed' | 'over';

type Looked = {
  readonly command: FleetCommand;
  readonly target: TargetRecord;
  readonly queue: readonly QueueEntry[];
  readonly device: Device;
  readonly events: readonly FleetEvent[];
  readonly now: Instant;
};

/** The target as far as the queue moves it. One that left without an answer is queued again when it is listed again. */
export function trace(looked: Looked): Trace {
  const { command, target, queue } = looked;
  if (target.queueEntryId !== null) {
    const entry = queue.find(({ id }) => id === target.queueEntryId);
    return entry === undefined ? unlisted(looked) : listed(looked, entry);
  }
  const candidates = newEntries(command, target.before, queue);
  const [only] = candidates;
  if (only === undefined) return notSeen(command, target);
  return candidates.length === 1 ? listed(looked, only) : ambiguous(target, candidates);
}

/** Whether the command still waits in the queue, so that reading its effect would be for nothing. */
export function waitsInQueue(
  command: FleetCommand,
  target: TargetRecord,
  queue: readonly QueueEntry[],
): boolean {
  const ours =
    target.queueEntryId === null
      ? newEntries(command, target.before, queue)
      : queue.filter((entry) => entry.id === target.queueEntryId);
  return ours.some(isPending);
}

function listed(looked: Looked, entry: QueueEntry): Trace {
  const { target, device } = looked;
  const seen = { ...target, queueEntryId: entry.id, queuedAt: target.queuedAt ?? looked.now, missedAt: null };
  if (!isPending(entry)) return answered(looked, seen, storedAnswer(entry.response));
  // An answer that was seen is not unsaid by an older list.
  if (target.response !== null) return answered(looked, seen, target.response);
  const said = queuedText(target, entry, device);
  const before = movedBefore(target.before, looked);
  const queued = { ...seen, state: 'queued', answeredAt: null, before, evidence: said } as const;
  return { target: queued, place: 'waits', said };
}

/** Only the second look in a row that does not list the entry counts: a list may be short for a moment. */
function unlisted(looked: Looked): Trace {
  const { target, now } = looked;
  if (target.state === 'answered') return answered(looked, target, target.response);
  const { missedAt } = target;
  if (missedAt !== null && missedAt < now) return answered(looked, target, null);
  return { target: { ...target, missedAt: missedAt ?? now }, place: 'missed', said: '' };
}

function answered({ now }: Looked, target: TargetRecord, response: string | null): Trace {
  const said = answeredText(response);
  const answeredAt = target.answeredAt ?? now;
  return {
    target: { ...target, state: 'answered', answeredAt, response, evidence: said },
    place: 'over',
    said,
  };
}

/** What happens to a device while our entry waits is not its effect, so the comparison starts after it. */
function movedBefore(before: Before, { command, device, events }: Looked): Before {
  return {
    ...before,
    lastRefreshTime: device.lastRefreshTime ?? before.lastRefreshTime,
    lastDisconnectTime: device.lastDisconnectTime ?? before.lastDisconnectTime,
    uptime: device.uptime ?? before.uptime,
    policy: policyMoved(before.policy, command, { device, events }),
  };
}

/** Assumption (§4.3): a remediation that was asked for at the policy itself need not stand in the device's queue. */
function notSeen(command: FleetCommand, target: TargetRecord): Trace {
  const said =
    command.kind === 'policy-remediate'
      ? 'The management service accepted the command.'
      : 'The management service accepted the command. Not seen in the device’s queue.';
  return { target, place: 'over', said };
}

function ambiguous(target: TargetRecord, candidates: readonly QueueEntry[]): Trace {
  const which = `the device’s queue has ${candidates.length} new entries like it. It’s unclear which one it is`;
  const said =
    target.state === 'unknown'
      ? `The answer to the command was lost, and ${which}. Patchbay won’t send it again.`
      : `The management service accepted the command, and ${which}.`;
  const place = candidates.some(isPending) ? 'waits' : 'over';
  return { target: { ...target, evidence: said }, place, said };
}

function queuedText(target: TargetRecord, entry: QueueEntry, device: Device): string {
  const where = `in the device’s queue (#${entry.id}). It can’t be canceled.${offlineText(device)}`;
  return target.acceptedAt === null
    ? `The answer to the command was lost, but it is ${where}`
    : `Waiting ${where}`;
}

function offlineText({ connected, lastDisconnectTime }: Device): string {
  if (connected !== false) return '';
  return lastDisconnectTime === null
    ? ' The device is offline: the command runs as soon as it’s back online.'
    : ` The device has been offline since ${timeToken(lastDisconnectTime)}: the command runs as soon as it’s back online.`;
}
