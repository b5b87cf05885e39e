/** Reads what other replicas wrote since the last look: only where the revision moved, which one small question tells. */
import { deviceId } from '../ids.ts';
import type { ChangeMark, KeptChange, KeptDevices } from '../store/store.ts';

export type Followed = {
  /** Changes up to now are known: those that were just loaded. */
  readonly startAt: (revision: number) => void;
  /** Gives each change that is new; `revision` is that of the table by now. */
  readonly look: (revision: number, take: (change: KeptChange) => void) => Promise<void>;
};

const ROWS_PER_READ = 1_000;

export function createFollowed(table: Pick<KeptDevices, 'since'>): Followed {
  let mark: ChangeMark = { revision: 0, deviceId: deviceId(0) };
  /** The revision of the table when it was last looked at; what we write ourselves moves it too. */
  let seen = 0;
  return {
    startAt(revision) {
      seen = revision;
      mark = { revision, deviceId: deviceId(Number.MAX_SAFE_INTEGER) };
    },
    async look(revision, take) {
      if (revision <= seen) return;
      for (;;) {
        const changes = await table.since(mark, ROWS_PER_READ);
        for (const change of changes) take(change);
        mark = changes.at(-1) ?? mark;
        if (changes.length < ROWS_PER_READ) break;
      }
      seen = revision;
    },
  };
}
