/** Which entries of a device's command queue may be ours. Pure. */
import type { FleetCommand, QueueEntry } from '../fleet/model.ts';
import { saysTheSame } from '../fleet/pending.ts';
import { policyOf } from '../fleet/standing.ts';
import type { Before } from '../store/records.ts';

/**
 * Entries that may be ours: the same command, not there before. The service gives no id on acceptance, so two of
 * them cannot be told apart. Assumption (§2.7): an entry of a policy carries its id, ours 0 or null, or the id of
 * the policy that the command is about.
 */
export function newEntries(
  command: FleetCommand,
  before: Before,
  queue: readonly QueueEntry[],
): readonly QueueEntry[] {
  const known = new Set(before.queueIds);
  const about = policyOf(command);
  return queue.filter(
    (entry) =>
      !known.has(entry.id) &&
      (entry.policyId === null || entry.policyId === 0 || entry.policyId === about) &&
      saysTheSame(command, entry),
  );
}
