/** Reads what other replicas wrote since the last look: only where the revision moved, which one small question tells. */
import { deviceId } from '../../lib/ids.ts';
import type { ChangePosition, DeviceTextChange, DeviceTextStore } from '../../store/port/store.ts';

export type ReplicaChanges = {
  /** Changes up to now are known: those that were just loaded. */
  readonly startAt: (revision: number) => void;
  /** Gives each change that is new; `revision` is that of the table by now. */
  readonly readNew: (revision: number, take: (change: DeviceTextChange) => void) => Promise<void>;
};

const ROWS_PER_READ = 1_000;

export function createReplicaChanges(table: Pick<DeviceTextStore, 'changesSince'>): ReplicaChanges {
  let position: ChangePosition = { revision: 0, deviceId: deviceId(0) };
  /** The revision of the table when it was last looked at; what we write ourselves moves it too. */
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
