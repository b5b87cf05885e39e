/** Many devices in one request: its plan and how far it came, and the counts of each wave. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export function rolloutsMigration(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('requests').addColumn('rollout', 'text').execute();
      await waveCounts(db);
    },
  };
}

/** Only of requests with a plan: `request_counts` is the sum. */
async function waveCounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('wave_counts')
    .addColumn('organization_id', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('wave', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('targets', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('wave_counts_key', ['organization_id', 'request_id', 'wave', 'state'])
    .addForeignKeyConstraint('wave_counts_request', ['organization_id', 'request_id'], 'requests', [
      'organization_id',
      'id',
    ])
    .execute();
}
