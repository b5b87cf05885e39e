/** A copy of the fleet for a warm start. What the texts say is the inventory's business. */
import { sql } from 'kysely';
import { type DeviceId, deviceId } from '../../ids.ts';
import type { Session } from '../session.ts';
import type { InventoryStore, KeptDevice, KeptDevices } from '../store.ts';
import { partsOf } from './owned.ts';

const ROWS_PER_STATEMENT = 1_000;

export function createInventoryTable(session: Session): InventoryStore {
  const { organizationId } = session;
  return {
    facts: async () => {
      const row = await session
        .db()
        .selectFrom('inventoryFacts')
        .select('body')
        .where('organizationId', '=', organizationId)
        .executeTakeFirst();
      return row?.body ?? null;
    },
    setFacts: async (body) => {
      await session
        .db()
        .insertInto('inventoryFacts')
        .values({ organizationId, body })
        .onConflict((conflict) => conflict.column('organizationId').doUpdateSet({ body }))
        .execute();
    },
    devices: keptDevices(session, 'inventory_devices'),
    misses: keptDevices(session, 'inventory_misses'),
  };
}

function keptDevices(session: Session, name: 'inventory_devices' | 'inventory_misses'): KeptDevices {
  const { organizationId } = session;
  const table = sql.table(name);
  return {
    list: async (after, limit) => {
      // Without the plugin that renames the columns of every row: a start reads a hundred thousand of them.
      const { rows } = await sql<KeptDevice>`
        select device_id as "deviceId", body from ${table}
        where organization_id = ${organizationId} and device_id > ${after ?? deviceId(0)}
        order by device_id limit ${limit}`.execute(session.db().withoutPlugins());
      return rows;
    },
    put: (rows) =>
      session.atomic(async (inner) => {
        // In one order for everybody: two replicas that write the same rows in two orders would lock each other out.
        const values = rows
          .toSorted((a, b) => a.deviceId - b.deviceId)
          .map((row) => sql`(${organizationId}, ${row.deviceId}, ${row.body})`);
        // Written out: building such a statement from values takes longer than running it.
        for (const part of partsOf(values, ROWS_PER_STATEMENT))
          await sql`
            insert into ${table} (organization_id, device_id, body) values ${sql.join(part)}
            on conflict (organization_id, device_id) do update set body = excluded.body
          `.execute(inner.db().withoutPlugins());
      }),
    drop: (ids) =>
      session.atomic(async (inner) => {
        for (const part of partsOf(sorted(ids), ROWS_PER_STATEMENT))
          await sql`
            delete from ${table}
            where organization_id = ${organizationId} and device_id in (${sql.join(part)})
          `.execute(inner.db().withoutPlugins());
      }),
  };
}

function sorted(ids: readonly DeviceId[]): readonly DeviceId[] {
  return ids.toSorted((a, b) => a - b);
}
