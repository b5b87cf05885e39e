/**
 * Writes rows of the index to the store in the background. They are a copy of what the service has: a row that could
 * not be saved only costs another read, so nobody waits for these writes.
 */
import { type Clock, later, SECOND, yieldToEventLoop } from '../../lib/clock.ts';
import { type DeviceId, deviceId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { ChangePosition, DeviceTextChange, DeviceTextStore } from '../../store/port/store.ts';

type WriteBehindOptions<Row> = {
  readonly table: DeviceTextStore;
  readonly serialize: (row: Row) => string;
  readonly clock: Clock;
  readonly log: Log;
};

/** SQLite blocks everything else while it writes, so transactions are short. */
const ROWS_PER_WRITE = 100;
const ROWS_PER_READ = 2_000;
/** How long a few rows wait for others, to be written together. */
const BATCH_DELAY_MS = 5 * SECOND;

/** A writer to one table. Failed writes are only logged. */
export function createWriteBehind<Row>({ table, serialize, clock, log }: WriteBehindOptions<Row>) {
  const pending = new Map<DeviceId, Row>();
  let lastWrite: Promise<void> = Promise.resolve();
  let due = false;

  const chain = (job: () => Promise<void>): void => {
    lastWrite = lastWrite
      .then(yieldToEventLoop)
      .then(job)
      .catch((error: unknown) => {
        log.warn({ event: 'inventory.unkept', err: error }, 'could not save the device index');
      });
  };
  const writeWaiting = (): void => {
    const rows = [...pending];
    pending.clear();
    if (rows.length > 0)
      chain(() => table.put(rows.map(([deviceId, row]) => ({ deviceId, body: serialize(row) }))));
  };
  return {
    put(id: DeviceId, row: Row): void {
      pending.set(id, row);
      if (pending.size >= ROWS_PER_WRITE) writeWaiting();
      if (due || pending.size === 0) return;
      due = true;
      clock.at(later(clock.now(), BATCH_DELAY_MS), () => {
        due = false;
        writeWaiting();
      });
    },
    drop(ids: readonly DeviceId[]): void {
      for (const id of ids) pending.delete(id);
      if (ids.length > 0) chain(() => table.drop(ids));
    },
    /** Whether a row of this device was put but is not written yet. */
    isWaiting: (id: DeviceId): boolean => pending.has(id),
    /** Runs the job after all rows that were put before. */
    runAfter(job: () => Promise<void>): void {
      writeWaiting();
      chain(job);
    },
    async flush(): Promise<void> {
      writeWaiting();
      await lastWrite;
    },
  };
}

/** All rows in parts, by id; lets others run between two parts. */
export async function* storedRows({ list }: DeviceTextStore) {
  let after: DeviceId | null = null;
  for (;;) {
    const rows = await list(after, ROWS_PER_READ);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_READ) return;
    after = last.deviceId;
    await yieldToEventLoop();
  }
}

const CHANGES_PER_READ = 1_000;

/** Reads what other replicas have written, but only when the table's revision changed, which one small query shows. */
export function createReplicaChanges(table: Pick<DeviceTextStore, 'changesSince'>) {
  let position: ChangePosition = { revision: 0, deviceId: deviceId(0) };
  /** The table's revision at the last check; our own writes raise it too. */
  let lastRevision = 0;
  return {
    /** Marks changes up to this revision as known, because they were just loaded. */
    startAt(revision: number): void {
      lastRevision = revision;
      position = { revision, deviceId: deviceId(Number.MAX_SAFE_INTEGER) };
    },
    /** Passes each new change to `take`; `revision` is the table's current one. */
    async readNew(revision: number, take: (change: DeviceTextChange) => void): Promise<void> {
      if (revision <= lastRevision) return;
      for (;;) {
        const changes = await table.changesSince(position, CHANGES_PER_READ);
        for (const change of changes) take(change);
        position = changes.at(-1) ?? position;
        if (changes.length < CHANGES_PER_READ) break;
      }
      lastRevision = revision;
    },
  };
}
