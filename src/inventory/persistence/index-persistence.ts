/** Saves the index in the store, so that a restart begins with it. */
import type { Clock } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { InventoryStore } from '../../store/port/store.ts';
import type { IndexState } from '../device-index/index-state.ts';
import type { IndexedDevice } from '../device-index/indexed-device.ts';
import { createReplicaChanges } from './replica-changes.ts';
import { createRowDeserializer, restoreFacts, serializeFacts, serializeRow } from './row-format.ts';
import { createWriteBehind, storedRows } from './write-behind.ts';

export type IndexPersistence = Readonly<ReturnType<typeof createIndexPersistence>>;

/** A row that another replica wrote; null: it dropped the device. */
export type ApplyReplicaChange = (id: DeviceId, row: IndexedDevice | null) => void;

export type IndexPersistenceOptions = {
  readonly store: InventoryStore;
  readonly state: IndexState;
  readonly clock: Clock;
  readonly log: Log;
};

/** Persistence of `state` in `store`; writes happen in the background. */
export function createIndexPersistence({ store, state, clock, log }: IndexPersistenceOptions) {
  const writeBehind = createWriteBehind({ table: store.devices, serialize: serializeRow, clock, log });
  const replicaChanges = createReplicaChanges(store.devices);
  let factsRevision = 0;
  /** The facts as last written or read. */
  let knownFacts: string | null = null;

  const followFacts = async (revision: number): Promise<void> => {
    if (revision <= factsRevision) return;
    const facts = await store.facts();
    factsRevision = revision;
    if (facts === null || facts === knownFacts) return;
    knownFacts = facts;
    restoreFacts(facts, state);
  };
  return {
    put: (row: IndexedDevice): void => writeBehind.put(row.id, row),
    drop: writeBehind.drop,
    /** Saves what the index knows besides its rows. */
    saveFacts(): void {
      const body = serializeFacts(state);
      if (body === null) return;
      knownFacts = body;
      writeBehind.runAfter(() => store.setFacts(body));
    },
    /** Loads what other replicas have written since. */
    async followReplicas(take: ApplyReplicaChange): Promise<void> {
      const revisions = await store.revisions();
      const readRow = createRowDeserializer(state.interner);
      await replicaChanges.readNew(revisions.devices, ({ deviceId: id, body }) => {
        // Our own pending write is newer.
        if (writeBehind.isWaiting(id)) return;
        const row = body === null ? null : readRow(id, body);
        if (body === null || row !== null) take(id, row);
      });
      await followFacts(revisions.facts);
    },
    async load(): Promise<void> {
      // Read before the rows: changes written in the meantime are then read again.
      const revisions = await store.revisions();
      const facts = await store.facts();
      replicaChanges.startAt(revisions.devices);
      factsRevision = revisions.facts;
      knownFacts = facts;
      const readRow = createRowDeserializer(state.interner);
      let isWhole = true;
      for await (const rows of storedRows(store.devices))
        for (const { deviceId, body } of rows) {
          const row = readRow(deviceId, body);
          if (row === null) isWhole = false;
          else state.rowStore.put(row);
        }
      // Facts say as of when the fleet is known: with rows missing they would pass a part for the whole.
      if (facts !== null && isWhole) restoreFacts(facts, state);
    },
    flush: writeBehind.flush,
  };
}
