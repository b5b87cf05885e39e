/** An index for recent alerts, which otherwise read all rows. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export function alertsByAgeMigration(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createIndex('notices_by_age')
        .on('notices')
        .columns(['organization_id', 'created_at'])
        .execute();
    },
  };
}
