/** How a command ended where its state alone does not say it: a reported failure, or a target that is gone. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export function endCauseMigration(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('operation_targets').addColumn('end_cause', 'text').execute();
    },
  };
}
