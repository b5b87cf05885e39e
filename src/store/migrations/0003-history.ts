/** When the log was empty at the first start, a time instead of an id separates history from new events. */
import { sqlMigration } from './sql-migration.ts';

export const historyBoundaryMigration = sqlMigration(() => [
  'alter table event_cursors add column history_before bigint',
]);
