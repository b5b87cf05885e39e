/** Reads what other replicas have written, but only when the table's revision changed, which one small query shows. */
import { deviceId } from '../../lib/ids.ts';
import type { ChangePosition, DeviceTextChange, DeviceTextStore } from '../../store/port/store.ts';

export type ReplicaChanges = {
  /** Marks changes up to this revision as known, because they were just loaded. */
  readonly startAt: (revision: number) => void;
  /** Passes each new change to `take`; `revision` is the table's current one. */
  readonly readNew: (revision: number, take: (change: DeviceTextChange) => void) => Promise<void>;
};

const ROWS_PER_READ = 1_000;

/** A reader of the changes to one table, from revision 0 unless {@link ReplicaChanges.startAt} says otherwise. */
export function createReplicaChanges(table: Pick<DeviceTextStore, 'changesSince'>): ReplicaChanges {
  let position: ChangePosition = { revision: 0, deviceId: deviceId(0) };
  /** The table's revision at the last check; our own writes raise it too. */
  let lastRevision = 0;
  return {
    startAt(revision) {
      lastRevision = revision;
      position = { revision, deviceId: deviceId(Number.MAX_SAFE_INTEGER) };
    },
    async readNew(revision, take) {
      if (revision <= lastRevision) return;
      for (;;) {
        const changes = await table.changesSince(position, ROWS_PER_READ);
        for (const change of changes) take(change);
        position = changes.at(-1) ?? position;
        if (changes.length < ROWS_PER_READ) break;
      }
      lastRevision = revision;
    },
  };
}
