/** Reads the queue of a device as far as a command needs it, and tells which entries may be ours. */

import { FleetFailure, type FleetReader, type Lane } from '../../fleet/fleet.ts';
import type { FleetCommand } from '../../fleet/model/actions.ts';
import { policyIdOf } from '../../fleet/model/policy-status.ts';
import type { QueueEntry } from '../../fleet/model/resources.ts';
import { isSameCommand } from '../../fleet/queue-entries.ts';
import type { Baseline } from '../../store/port/records.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';

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

/**
 * The command's own entry alone once its id is known: fewer bytes than the list, and it may still be read after it
 * left the list. Where the service does not give it, the list. Throws FleetFailure.
 */
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
