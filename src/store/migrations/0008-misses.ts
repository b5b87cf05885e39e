/** The missing patches of devices as last read, so that a restart need not read them again. */
import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const required = (column: ColumnDefinitionBuilder) => column.notNull();

export function missingPatchesMigration(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('inventory_misses')
        .addColumn('organization_id', 'bigint', required)
        .addColumn('device_id', 'bigint', required)
        .addColumn('body', 'text', required)
        .addPrimaryKeyConstraint('inventory_misses_key', ['organization_id', 'device_id'])
        .execute();
    },
  };
}
