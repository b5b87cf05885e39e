/**
 * A device takes the same command only once at a time. Also records when a command's entry was first missing from the
 * queue.
 */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export function oneCommandUnderWayMigration(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('operation_targets').addColumn('missed_at', 'bigint').execute();
      await db.schema.alterTable('operation_targets').addColumn('command_key', 'text').execute();
      // Once its entry is in the queue, the queue itself shows that it waits; until then only this row does.
      await db.schema
        .createIndex('operation_targets_under_way')
        .unique()
        .on('operation_targets')
        .columns(['organization_id', 'device_id', 'command_key'])
        .where(sql<SqlBool>`ended_at is null and state in ('issuing', 'accepted', 'unknown')`)
        .execute();
    },
  };
}
