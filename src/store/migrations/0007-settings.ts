/** Saved settings of people, and the switch that pauses all changes. */
import { sqlMigration } from './sql-migration.ts';

export const settingsMigration = sqlMigration(() => [
  `create table named_lines (
    organization_id bigint not null, kind text not null, owner text not null, name text not null,
    line text not null, by_person text not null, kept_at bigint not null,
    constraint named_lines_key primary key (organization_id, kind, owner, name)
  )`,
  `create table people_settings (
    organization_id bigint not null, person_id text not null, time_zone text,
    constraint people_settings_key primary key (organization_id, person_id)
  )`,
  `create table pauses (
    organization_id bigint not null, id text not null, by_person text not null, reason text,
    since bigint not null, ended_by text, ended_at bigint,
    constraint pauses_key primary key (organization_id, id)
  )`,
  `create table pause_switches (
    organization_id bigint not null, pause_id text,
    constraint pause_switches_key primary key (organization_id)
  )`,
]);
