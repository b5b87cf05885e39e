/**
 * Writes rows of the index to the store, behind whoever made them. They are a copy of what the service has: one that
 * could not be kept is no loss, only work for the next read, so nobody waits for these writes.
 */
import { type Clock, later, SECOND, turn } from '../clock.ts';
import type { DeviceId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { KeptDevices } from '../store/store.ts';

export type Behind<Row> = {
  readonly put: (id: DeviceId, row: Row) => void;
  readonly drop: (ids: readonly DeviceId[]) => void;
  /** Put, and not written yet. */
  readonly isWaiting: (id: DeviceId) => boolean;
  /** After all rows that were put before. */
  readonly after: (job: () => Promise<void>) => void;
  /** Waits until everything is written. */
  readonly flush: () => Promise<void>;
};

export type BehindOptions<Row> = {
  readonly table: KeptDevices;
  readonly write: (row: Row) => string;
  readonly clock: Clock;
  readonly log: Log;
};

/** SQLite writes while everything else stands still, so a transaction is short. */
const ROWS_PER_WRITE = 100;
const ROWS_PER_READ = 2_000;
/** A few rows wait this long for others, to be written together. */
const GATHER_MS = 5 * SECOND;

export function createBehind<Row>({ table, write, clock, log }: BehindOptions<Row>): Behind<Row> {
  const waiting = new Map<DeviceId, Row>();
  let writing: Promise<void> = Promise.resolve();
  let due = false;

  const chain = (job: () => Promise<void>): void => {
    writing = writing
      .then(turn)
      .then(job)
      .catch((error: unknown) => {
        log.warn({ event: 'inventory.unkept', err: error }, 'could not save the device index');
      });
  };
  const writeWaiting = (): void => {
    const rows = [...waiting];
    waiting.clear();
    if (rows.length > 0)
      chain(() => table.put(rows.map(([deviceId, row]) => ({ deviceId, body: write(row) }))));
  };
  return {
    put(id, row) {
      waiting.set(id, row);
      if (waiting.size >= ROWS_PER_WRITE) writeWaiting();
      if (due || waiting.size === 0) return;
      due = true;
      clock.at(later(clock.now(), GATHER_MS), () => {
        due = false;
        writeWaiting();
      });
    },
    drop(ids) {
      for (const id of ids) waiting.delete(id);
      if (ids.length > 0) chain(() => table.drop(ids));
    },
    isWaiting: (id) => waiting.has(id),
    after(job) {
      writeWaiting();
      chain(job);
    },
    async flush() {
      writeWaiting();
      await writing;
    },
  };
}

/** All rows in parts by id; everything else has its turn between two of them. */
export async function* keptRows({ list }: KeptDevices) {
  let after: DeviceId | null = null;
  for (;;) {
    const rows = await list(after, ROWS_PER_READ);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_READ) return;
    after = last.deviceId;
    await turn();
  }
}
