/** Reads the queue of a device as far as one followed command needs it. */
import { FleetFailure, type FleetReader, type Lane } from '../fleet/fleet.ts';
import type { QueueEntry } from '../fleet/model.ts';
import type { TargetRecord } from '../store/records.ts';

/** Refusals of the one entry that say nothing about it: the list of all decides. */
const UNDECIDED: readonly string[] = ['forbidden', 'invalid', 'unreadable'];

/**
 * The command's own entry alone once its id is known: fewer bytes than the list, and it may still be read after it
 * left the list. Where the service does not give it, the list. Throws FleetFailure.
 */
export async function queueOf(
  reader: Pick<FleetReader, 'queue' | 'queueEntry'>,
  { deviceId, queueEntryId }: Pick<TargetRecord, 'deviceId' | 'queueEntryId'>,
  lane: Lane,
): Promise<readonly QueueEntry[]> {
  if (deviceId === null) return [];
  const entry =
    queueEntryId === null
      ? null
      : await reader.queueEntry(deviceId, queueEntryId, { lane }).catch((error: unknown) => {
          if (error instanceof FleetFailure && UNDECIDED.includes(error.error.kind)) return null;
          throw error;
        });
  return entry === null ? await reader.queue(deviceId, { lane }) : [entry];
}
