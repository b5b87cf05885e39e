/** Keeps the book in the store, so that a restart begins with it. */
import type { Clock } from '../clock.ts';
import type { DeviceId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { InventoryStore } from '../store/store.ts';
import { createBehind, keptRows } from './behind.ts';
import type { Book } from './book.ts';
import { createFollowed } from './follow.ts';
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
  /** Takes up what other replicas wrote since. */
  readonly follow: (take: TakeChange) => Promise<void>;
  /** Waits until everything is written. */
  readonly flush: () => Promise<void>;
};

/** A row that another replica wrote; null: it dropped the device. */
export type TakeChange = (id: DeviceId, row: IndexedDevice | null) => void;

export type KeepOptions = {
  readonly store: InventoryStore;
  readonly book: Book;
  readonly clock: Clock;
  readonly log: Log;
};

/** Keeps nothing. */
export const keepNothing: Keep = {
  put: () => undefined,
  drop: () => undefined,
  facts: () => undefined,
  load: () => Promise.resolve(),
  follow: () => Promise.resolve(),
  flush: () => Promise.resolve(),
};

export function createKeep({ store, book, clock, log }: KeepOptions): Keep {
  const behind = createBehind({ table: store.devices, write: writeKept, clock, log });
  const put = (row: IndexedDevice): void => behind.put(row.id, row);
  /** Written anew in the form of today, so that the next start need not do this. */
  const readBefore = (id: DeviceId, body: string): IndexedDevice | null => {
    const row = readKeptBefore(id, body, book.shared);
    if (row !== null) put(row);
    return row;
  };
  const followed = createFollowed(store.devices);
  let factsRevision = 0;
  /** As they were written or read last. */
  let knownFacts: string | null = null;

  const followFacts = async (revision: number): Promise<void> => {
    if (revision <= factsRevision) return;
    const facts = await store.facts();
    factsRevision = revision;
    if (facts === null || facts === knownFacts) return;
    knownFacts = facts;
    readFacts(facts, book);
  };
  return {
    put,
    drop: behind.drop,
    facts() {
      const body = writeFacts(book);
      if (body === null) return;
      knownFacts = body;
      behind.after(() => store.setFacts(body));
    },
    async follow(take) {
      const revisions = await store.revisions();
      const readKept = createKeptReader(book.shared);
      await followed.look(revisions.devices, ({ deviceId: id, body }) => {
        // What we are about to write ourselves is newer.
        if (behind.isWaiting(id)) return;
        const row = body === null ? null : readKept(id, body);
        if (body === null || row !== null) take(id, row);
      });
      await followFacts(revisions.facts);
    },
    async load() {
      // Before the rows: what is written meanwhile is read again.
      const revisions = await store.revisions();
      const facts = await store.facts();
      followed.startAt(revisions.devices);
      factsRevision = revisions.facts;
      knownFacts = facts;
      const readKept = createKeptReader(book.shared);
      for await (const rows of keptRows(store.devices))
        for (const { deviceId, body } of rows) {
          const row = readKept(deviceId, body) ?? readBefore(deviceId, body);
          if (row !== null) book.shelf.put(row);
        }
      if (facts !== null) readFacts(facts, book);
    },
    flush: behind.flush,
  };
}
