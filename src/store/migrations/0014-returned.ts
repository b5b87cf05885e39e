/** Who approved a request that was then returned to its approvers, and when. */
import { sqlMigration } from './sql-migration.ts';

export const returnedRequestsMigration = sqlMigration(() => [
  'alter table approvals add column approved_by text',
  'alter table approvals add column approved_at bigint',
]);
