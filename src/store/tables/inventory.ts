/** A copy of the fleet for a warm start. Only the inventory interprets the texts. */
import { sql } from 'kysely';
import { deviceId } from '../../lib/ids.ts';
import { chunksOf } from '../../lib/lists.ts';
import type { DeviceText, DeviceTextStore, InventoryStore } from '../port/store.ts';
import type { Session } from '../session.ts';
import { insertOwn, ownRows } from './rows.ts';

const ROWS_PER_STATEMENT = 1_000;

export function createInventoryTable(session: Session): InventoryStore {
  return {
    facts: async () => {
      const row = await ownRows(session, 'inventoryFacts').select('body').executeTakeFirst();
      return row?.body ?? null;
    },
    setFacts: (body) =>
      session.inTransaction(async (inner) => {
        await nextRevision(inner, 'facts');
        await insertOwn(inner, 'inventoryFacts', { body })
          .onConflict((conflict) => conflict.column('organizationId').doUpdateSet({ body }))
          .execute();
      }),
    revisions: async () => {
      const rows = await ownRows(session, 'inventoryRevisions').select(['what', 'revision']).execute();
      const of = (name: string) => rows.find(({ what }) => what === name)?.revision ?? 0;
      return { facts: of('facts'), devices: of('inventory_devices'), missingPatches: of('inventory_misses') };
    },
    devices: deviceTextTable(session, 'inventory_devices'),
    missingPatches: deviceTextTable(session, 'inventory_misses'),
  };
}

type TableName = 'inventory_devices' | 'inventory_misses';

/**
 * A dropped row stays for a while without a text, so that other replicas learn of it: for this many revisions, which
 * are days of steady writing. On SQLite there are no others.
 */
const TOMBSTONE_REVISIONS = 50_000;

function deviceTextTable(session: Session, name: TableName): DeviceTextStore {
  const { organizationId, writer } = session;
  const table = sql.table(name);
  return {
    list: async (after, limit) => {
      // Without the plugin that renames the columns of every row, because a start reads a hundred thousand.
      const { rows } = await sql<DeviceText>`
        select device_id as "deviceId", body from ${table}
        where organization_id = ${organizationId} and device_id > ${after ?? deviceId(0)} and body <> ''
        order by device_id limit ${limit}`.execute(session.db().withoutPlugins());
      return rows;
    },
    put: (rows) =>
      session.inTransaction(async (inner) => {
        if (rows.length === 0) return;
        const revision = await nextRevision(inner, name);
        // Sorted, because two replicas that write the same rows in different orders would deadlock.
        const values = rows
          .toSorted((a, b) => a.deviceId - b.deviceId)
          .map((row) => sql`(${organizationId}, ${row.deviceId}, ${row.body}, ${revision}, ${writer})`);
        // Plain SQL, because building such a statement from values takes longer than running it.
        for (const part of chunksOf(values, ROWS_PER_STATEMENT))
          await sql`
            insert into ${table} (organization_id, device_id, body, revision, writer) values ${sql.join(part)}
            on conflict (organization_id, device_id) do update
            set body = excluded.body, revision = excluded.revision, writer = excluded.writer
          `.execute(inner.db().withoutPlugins());
      }),
    drop: (ids) =>
      session.inTransaction(async (inner) => {
        if (ids.length === 0) return;
        const revision = await nextRevision(inner, name);
        const inOrder = ids.toSorted((a, b) => a - b);
        for (const part of chunksOf(inOrder, ROWS_PER_STATEMENT)) {
          const those = sql`organization_id = ${organizationId} and device_id in (${sql.join(part)})`;
          const statement =
            session.engine === 'sqlite'
              ? sql`delete from ${table} where ${those}`
              : sql`update ${table} set body = '', revision = ${revision}, writer = ${writer} where ${those}`;
          await statement.execute(inner.db().withoutPlugins());
        }
        await sql`
          delete from ${table}
          where organization_id = ${organizationId} and body = '' and revision < ${revision - TOMBSTONE_REVISIONS}
        `.execute(inner.db().withoutPlugins());
      }),
    changesSince: async (after, limit) => {
      const { rows } = await sql<DeviceText & { readonly revision: number }>`
        select device_id as "deviceId", revision, body from ${table}
        where organization_id = ${organizationId}
          and (revision, device_id) > (${after.revision}, ${after.deviceId}) and writer <> ${writer}
        order by revision, device_id limit ${limit}`.execute(session.db().withoutPlugins());
      return rows.map(({ body, ...mark }) => ({ ...mark, body: body === '' ? null : body }));
    },
  };
}

/** The writer holds this row until its transaction ends, so revisions become visible in order. */
async function nextRevision(session: Session, what: TableName | 'facts'): Promise<number> {
  const { revision } = await insertOwn(session, 'inventoryRevisions', { what, revision: 1 })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'what']).doUpdateSet((expression) => ({
        revision: expression('inventoryRevisions.revision', '+', 1),
      })),
    )
    .returning('revision')
    .executeTakeFirstOrThrow();
  return revision;
}
