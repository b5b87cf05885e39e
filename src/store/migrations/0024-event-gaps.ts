/** What no reading of the event log has reached, and the time of the newest event that was read. */
import { sqlMigration } from './sql-migration.ts';

export const eventGapsMigration = sqlMigration(() => [
  'alter table event_cursors add column newest_at bigint',
  'alter table event_cursors add column gap text',
]);
