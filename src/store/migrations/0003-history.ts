/** When the log was empty at the first start, a time instead of an id separates history from new events. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export function historyBoundaryMigration(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('event_cursors').addColumn('history_before', 'bigint').execute();
    },
  };
}
