/** An index for recent alerts, which otherwise read all rows. */
import { sqlMigration } from './sql-migration.ts';

export const alertsByAgeMigration = sqlMigration(() => [
  'create index notices_by_age on notices (organization_id, created_at)',
]);
