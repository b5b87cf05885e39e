/**
 * Keeps the book in the store, so that a restart begins with it. It is a copy of what the service has: a row that
 * could not be kept is no loss, only work for the next walk, so nobody waits for these writes.
 */
import { type Clock, later, SECOND, turn } from '../clock.ts';
import type { DeviceId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { InventoryStore } from '../store/store.ts';
import type { Book } from './book.ts';
import { createKeptReader, readFacts, writeFacts, writeKept } from './kept.ts';
import { readKeptBefore } from './kept-before.ts';
import type { IndexedDevice } from './row.ts';

export type Keep = {
  readonly put: (row: IndexedDevice) => void;
  readonly drop: (ids: readonly DeviceId[]) => void;
  /** Keeps what the book knows beside its rows. */
  readonly facts: () => void;
  /** Fills the book with what was kept. */
  readonly load: () => Promise<void>;
  /** Waits until everything is written. */
  readonly flush: () => Promise<void>;
};

export type KeepOptions = {
  readonly store: InventoryStore;
  readonly book: Book;
  readonly clock: Clock;
  readonly log: Log;
};

/** SQLite writes while everything else stands still, so a transaction is short. */
const ROWS_PER_WRITE = 100;
const ROWS_PER_READ = 2_000;
/** A few rows wait this long for others, to be written together. */
const GATHER_MS = 5 * SECOND;

/** Keeps nothing. */
export const keepNothing: Keep = {
  put: () => undefined,
  drop: () => undefined,
  facts: () => undefined,
  load: () => Promise.resolve(),
  flush: () => Promise.resolve(),
};

export function createKeep({ store, book, clock, log }: KeepOptions): Keep {
  const waiting = new Map<DeviceId, IndexedDevice>();
  let writing: Promise<void> = Promise.resolve();
  let due = false;

  const then = (job: () => Promise<void>): void => {
    writing = writing
      .then(turn)
      .then(job)
      .catch((error: unknown) => {
        log.warn({ event: 'inventory.unkept', err: error }, 'the device index could not be kept');
      });
  };
  const writeWaiting = (): void => {
    const rows = [...waiting.values()];
    waiting.clear();
    if (rows.length > 0)
      then(() => store.putDevices(rows.map((row) => ({ deviceId: row.id, body: writeKept(row) }))));
  };
  const put = (row: IndexedDevice): void => {
    waiting.set(row.id, row);
    if (waiting.size >= ROWS_PER_WRITE) writeWaiting();
    if (due || waiting.size === 0) return;
    due = true;
    clock.at(later(clock.now(), GATHER_MS), () => {
      due = false;
      writeWaiting();
    });
  };
  /** Written anew in the form of today, so that the next start need not do this. */
  const readBefore = (id: DeviceId, body: string): IndexedDevice | null => {
    const row = readKeptBefore(id, body, book.shared);
    if (row !== null) put(row);
    return row;
  };
  return {
    put,
    drop(ids) {
      for (const id of ids) waiting.delete(id);
      if (ids.length > 0) then(() => store.dropDevices(ids));
    },
    facts() {
      writeWaiting();
      const body = writeFacts(book);
      if (body !== null) then(() => store.setFacts(body));
    },
    async load() {
      const facts = await store.facts();
      const readKept = createKeptReader(book.shared);
      let after: DeviceId | null = null;
      for (;;) {
        const rows = await store.devices(after, ROWS_PER_READ);
        for (const { deviceId, body } of rows) {
          const row = readKept(deviceId, body) ?? readBefore(deviceId, body);
          if (row !== null) book.shelf.put(row);
        }
        const last = rows.at(-1);
        if (last === undefined || rows.length < ROWS_PER_READ) break;
        after = last.deviceId;
        await turn();
      }
      if (facts !== null) readFacts(facts, book);
    },
    async flush() {
      writeWaiting();
      await writing;
    },
  };
}
