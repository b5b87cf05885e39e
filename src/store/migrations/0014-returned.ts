/** Who approved a request that was then returned to its approvers, and when. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export function returnedRequestsMigration(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('approvals').addColumn('approved_by', 'text').execute();
      await db.schema.alterTable('approvals').addColumn('approved_at', 'bigint').execute();
    },
  };
}
