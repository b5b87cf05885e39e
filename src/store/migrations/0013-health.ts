/** Patchbay's own troubles, and since when a card waits to be shown. */
import { sqlMigration } from './sql-migration.ts';

export const healthMigration = sqlMigration(() => [
  'alter table cards add column wanted_at bigint',
  `update cards set wanted_at = (
    select due_at from work where work.organization_id = cards.organization_id
      and work.kind = 'card' and work.key = cards.key
  )
  where wanted_revision > shown_revision`,
  `create table troubles (
    organization_id bigint not null, id text not null, key text not null, body text not null,
    since bigint not null, seen_at bigint not null, ended_at bigint,
    constraint troubles_key primary key (organization_id, id)
  )`,
  // One open trouble per key, whichever replica finds it first.
  'create unique index troubles_open on troubles (organization_id, key) where ended_at is null',
  `create table vitals (
    organization_id bigint not null, events_read_at bigint, checked_at bigint not null,
    constraint vitals_key primary key (organization_id)
  )`,
]);
