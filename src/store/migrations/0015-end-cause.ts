/** How a command ended where its state alone does not say it: a reported failure, or a target that is gone. */
import { sqlMigration } from './sql-migration.ts';

export const endCauseMigration = sqlMigration(() => [
  'alter table operation_targets add column end_cause text',
]);
