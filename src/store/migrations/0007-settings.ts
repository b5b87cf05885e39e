/** Saved settings of people, and the switch that pauses all changes. */
import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const required = (column: ColumnDefinitionBuilder) => column.notNull();

export function settingsMigration(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('named_lines')
        .addColumn('organization_id', 'bigint', required)
        .addColumn('kind', 'text', required)
        .addColumn('owner', 'text', required)
        .addColumn('name', 'text', required)
        .addColumn('line', 'text', required)
        .addColumn('by_person', 'text', required)
        .addColumn('kept_at', 'bigint', required)
        .addPrimaryKeyConstraint('named_lines_key', ['organization_id', 'kind', 'owner', 'name'])
        .execute();
      await db.schema
        .createTable('people_settings')
        .addColumn('organization_id', 'bigint', required)
        .addColumn('person_id', 'text', required)
        .addColumn('time_zone', 'text')
        .addPrimaryKeyConstraint('people_settings_key', ['organization_id', 'person_id'])
        .execute();
      await db.schema
        .createTable('pauses')
        .addColumn('organization_id', 'bigint', required)
        .addColumn('id', 'text', required)
        .addColumn('by_person', 'text', required)
        .addColumn('reason', 'text')
        .addColumn('since', 'bigint', required)
        .addColumn('ended_by', 'text')
        .addColumn('ended_at', 'bigint')
        .addPrimaryKeyConstraint('pauses_key', ['organization_id', 'id'])
        .execute();
      await db.schema
        .createTable('pause_switches')
        .addColumn('organization_id', 'bigint', required)
        .addColumn('pause_id', 'text')
        .addPrimaryKeyConstraint('pause_switches_key', ['organization_id'])
        .execute();
    },
  };
}
