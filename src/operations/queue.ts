/** Reading a device's command queue: which entries say the same as a command, and which may be ours. Pure. */
import { decodeCommand } from '../fleet/commands.ts';
import type { FleetCommand, QueueEntry } from '../fleet/model.ts';
import type { Before } from '../store/records.ts';

/** Whether nobody answered the entry yet. An answer may be an empty text. */
export function isPending(entry: QueueEntry): boolean {
  return entry.response === null && entry.responseTime === null;
}

/** A waiting entry that would do the same, whoever put it there; null when there is none. */
export function pendingSame(command: FleetCommand, queue: readonly QueueEntry[]): QueueEntry | null {
  return queue.find((entry) => isPending(entry) && saysTheSame(command, entry)) ?? null;
}

/**
 * Entries that may be ours: the same command, not there before. The service gives no id on acceptance, so two of
 * them cannot be told apart. Assumption (§2.7): an entry of a policy carries its id, ours 0 or null.
 */
export function newEntries(
  command: FleetCommand,
  before: Before,
  queue: readonly QueueEntry[],
): readonly QueueEntry[] {
  const known = new Set(before.queueIds);
  return queue.filter(
    (entry) =>
      !known.has(entry.id) &&
      (entry.policyId === null || entry.policyId === 0) &&
      saysTheSame(command, entry),
  );
}

function saysTheSame(command: FleetCommand, entry: QueueEntry): boolean {
  const other = decodeCommand(entry);
  if (other === null || other.kind !== command.kind) return false;
  if (command.kind !== 'patch' || other.kind !== 'patch') return true;
  const names = new Set(command.packages);
  return other.packages.every((name) => names.has(name)) && names.size === new Set(other.packages).size;
}
