/** Reading a device's command queue: what still waits, and what says the same as a command. Pure. */
import { decodeCommand } from './commands.ts';
import type { FleetCommand, QueueEntry } from './model.ts';

/** Whether nobody answered the entry yet. Assumption (§2.7): a response or the time of one is an answer. */
export function isPending(entry: Pick<QueueEntry, 'response' | 'responseTime'>): boolean {
  return entry.response === null && entry.responseTime === null;
}

/** A waiting entry that would do the same, whoever put it there; null when there is none. */
export function pendingSame(command: FleetCommand, queue: readonly QueueEntry[]): QueueEntry | null {
  return queue.find((entry) => isPending(entry) && saysTheSame(command, entry)) ?? null;
}

/** Whether the entry is this command, its packages in any order. */
export function saysTheSame(command: FleetCommand, entry: QueueEntry): boolean {
  const other = decodeCommand(entry);
  if (other === null || other.kind !== command.kind) return false;
  if ('policyId' in command) return 'policyId' in other && other.policyId === command.policyId;
  if (command.kind !== 'patch' || other.kind !== 'patch') return true;
  const names = new Set(command.packages);
  return other.packages.every((name) => names.has(name)) && names.size === new Set(other.packages).size;
}
