/** A copy of the fleet, so that a restart finds devices before the service answers. */
import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const required = (column: ColumnDefinitionBuilder) => column.notNull();

export function inventoryMigration(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('inventory_devices')
        .addColumn('organization_id', 'bigint', required)
        .addColumn('device_id', 'bigint', required)
        .addColumn('body', 'text', required)
        .addPrimaryKeyConstraint('inventory_devices_key', ['organization_id', 'device_id'])
        .execute();
      await db.schema
        .createTable('inventory_facts')
        .addColumn('organization_id', 'bigint', required)
        .addColumn('body', 'text', required)
        .addPrimaryKeyConstraint('inventory_facts_key', ['organization_id'])
        .execute();
    },
  };
}
