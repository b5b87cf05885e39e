/** Where a sent command stands in the device's queue: pure. */
import type { Instant } from '../clock.ts';
import type { Device, FleetCommand, QueueEntry } from '../fleet/model.ts';
import type { TargetRecord } from '../store/records.ts';
import { isPending, newEntries } from './queue.ts';
import { clip, QUOTE_LENGTH, timeText } from './words.ts';

export type Trace = {
  readonly target: TargetRecord;
  /** Whether the command, or one that may be ours, still waits in the queue. */
  readonly pending: boolean;
  /** What the queue says, without what the device shows. */
  readonly said: string;
};

type Looked = {
  readonly command: FleetCommand;
  readonly target: TargetRecord;
  readonly queue: readonly QueueEntry[];
  readonly device: Device;
  readonly now: Instant;
};

/** The target as far as the queue moves it. States only go forward. */
export function trace(looked: Looked): Trace {
  const { command, target, queue } = looked;
  if (target.queueEntryId !== null) {
    return follow(looked, queue.find((entry) => entry.id === target.queueEntryId) ?? null);
  }
  const candidates = newEntries(command, target.before, queue);
  const [only] = candidates;
  if (only === undefined) return notSeen(target);
  return candidates.length === 1 ? follow(looked, only) : ambiguous(target, candidates);
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

function follow({ target, device, now }: Looked, entry: QueueEntry | null): Trace {
  const seen = entry === null ? target : { ...target, queueEntryId: entry.id };
  const queued = { ...seen, queuedAt: seen.queuedAt ?? (entry === null ? null : now) };
  if (entry !== null && isPending(entry) && target.state !== 'answered') {
    const said = queuedText(target, entry, device);
    return { target: { ...queued, state: 'queued', evidence: said }, pending: true, said };
  }
  const words = entry === null ? null : entry.response;
  const response = words === null ? target.response : clip(words, QUOTE_LENGTH);
  const said = answeredText(response);
  const answered = { ...queued, state: 'answered', answeredAt: target.answeredAt ?? now, response } as const;
  return { target: { ...answered, evidence: said }, pending: false, said };
}

function notSeen(target: TargetRecord): Trace {
  const said = 'The service accepted the command; it is not seen in the device’s queue.';
  return { target, pending: false, said };
}

function ambiguous(target: TargetRecord, candidates: readonly QueueEntry[]): Trace {
  const said = `The device’s queue has ${candidates.length} new entries of this command; which one is ours cannot be told.`;
  return { target: { ...target, evidence: said }, pending: candidates.some(isPending), said };
}

function queuedText(target: TargetRecord, entry: QueueEntry, device: Device): string {
  const found = target.acceptedAt === null ? 'The answer to the command was lost, but it is' : 'It is';
  return `${found} in the device’s queue (entry ${entry.id})${offlineText(device)}.`;
}

function offlineText({ connected, lastDisconnectTime }: Device): string {
  if (connected !== false) return '';
  const since = lastDisconnectTime === null ? '' : ` since ${timeText(lastDisconnectTime)}`;
  return `; the device is offline${since}, and it will run when the device returns`;
}

function answeredText(response: string | null): string {
  if (response === null) return 'The command left the device’s queue; no answer was seen.';
  return response === '' ? 'The device answered without words.' : `The device answered: “${response}”.`;
}
