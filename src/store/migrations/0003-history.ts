/** Where the log was empty at the first start, no id divides history from news: a time does. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export function historyBoundaryMigration(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('event_cursors').addColumn('history_before', 'bigint').execute();
    },
  };
}
