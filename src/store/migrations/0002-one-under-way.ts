/**
 * A device takes the same command only once at a time. Also records when a command's entry was first missing from the
 * queue.
 */
import { sqlMigration } from './sql-migration.ts';

export const oneCommandUnderWayMigration = sqlMigration(() => [
  'alter table operation_targets add column missed_at bigint',
  'alter table operation_targets add column command_key text',
  // Once its entry is in the queue, the queue itself shows that it waits; until then only this row does.
  `create unique index operation_targets_under_way on operation_targets (organization_id, device_id, command_key)
    where ended_at is null and state in ('issuing', 'accepted', 'unknown')`,
]);
