/** Subscriptions and silences, the card of each alert, and who acknowledged an alert. */
import { sqlMigration } from './sql-migration.ts';

export const alertsMigration = sqlMigration(() => [
  'alter table notices add column policy_id bigint',
  'alter table notices add column policy_name text',
  'alter table notices add column exit_code bigint',
  'alter table notices add column user_id bigint',
  'alter table notices add column acknowledged_by text',
  'alter table notices add column acknowledged_at bigint',
  `create table subscriptions (
    organization_id bigint not null, number bigint not null, channel text not null, person text,
    kinds text not null, filter text not null, created_by text not null, created_at bigint not null,
    ended_by text, ended_at bigint,
    constraint subscriptions_key primary key (organization_id, number)
  )`,
  `create table silences (
    organization_id bigint not null, number bigint not null, scope text not null, reason text,
    created_by text not null, created_at bigint not null, until bigint not null, ended_at bigint,
    ended_by text, kept bigint not null,
    constraint silences_key primary key (organization_id, number)
  )`,
  // `card` is the notice for which the card was made; a storm is the card that the next alert with its key joins.
  `create table deliveries (
    organization_id bigint not null, notice_id text not null, channel text not null, card text,
    silence bigint,
    constraint deliveries_key primary key (organization_id, notice_id, channel),
    constraint deliveries_once check ((card is null) <> (silence is null))
  )`,
  'create index deliveries_by_card on deliveries (organization_id, card, channel)',
  'create index deliveries_by_silence on deliveries (organization_id, silence, channel)',
  `create table storms (
    organization_id bigint not null, channel text not null, key text not null, card text not null,
    open_until bigint not null,
    constraint storms_key primary key (organization_id, channel, key)
  )`,
  `create table numbers (
    organization_id bigint not null, what text not null, last bigint not null,
    constraint numbers_key primary key (organization_id, what)
  )`,
]);
