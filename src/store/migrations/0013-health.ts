/** Patchbay's own troubles, and since when a card waits to be shown. */
import { type ColumnDefinitionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const required = (column: ColumnDefinitionBuilder) => column.notNull();

export function healthMigration(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('cards').addColumn('wanted_at', 'bigint').execute();
      await sql`
        update cards set wanted_at = (
          select due_at from work where work.organization_id = cards.organization_id
            and work.kind = 'card' and work.key = cards.key)
        where wanted_revision > shown_revision`.execute(db);
      await db.schema
        .createTable('troubles')
        .addColumn('organization_id', 'bigint', required)
        .addColumn('id', 'text', required)
        .addColumn('key', 'text', required)
        .addColumn('body', 'text', required)
        .addColumn('since', 'bigint', required)
        .addColumn('seen_at', 'bigint', required)
        .addColumn('ended_at', 'bigint')
        .addPrimaryKeyConstraint('troubles_key', ['organization_id', 'id'])
        .execute();
      // One open trouble per key, whichever replica finds it first.
      await db.schema
        .createIndex('troubles_open')
        .unique()
        .on('troubles')
        .columns(['organization_id', 'key'])
        .where(sql<SqlBool>`ended_at is null`)
        .execute();
      await db.schema
        .createTable('vitals')
        .addColumn('organization_id', 'bigint', required)
        .addColumn('events_read_at', 'bigint')
        .addColumn('checked_at', 'bigint', required)
        .addPrimaryKeyConstraint('vitals_key', ['organization_id'])
        .execute();
    },
  };
}
