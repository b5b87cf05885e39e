/** Stretches of the event log that no reading has reached, and the time of the newest event that was read. */
import { sqlMigration } from './sql-migration.ts';

export const eventGapsMigration = sqlMigration(() => [
  'alter table event_cursors add column newest_at bigint',
  `create table event_gaps (
    organization_id bigint not null, after_id bigint not null, before_id bigint not null,
    happened_from bigint not null, happened_until bigint not null,
    found_at bigint not null, read_at bigint not null, given_up_at bigint,
    constraint event_gaps_key primary key (organization_id)
  )`,
]);
