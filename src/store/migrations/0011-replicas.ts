/**
 * What replicas share: the leader, the live replicas, their request budget, and their writes. Also protects the audit
 * trail against replaced rows.
 */
import { sqlMigration } from './sql-migration.ts';

/** `insert or replace` deletes the old row without firing its delete trigger, unless the connection enables that. */
const SQLITE_PROTECTION = [
  `create trigger audit_no_replace before insert on audit
    when exists (
      select 1 from audit where organization_id = new.organization_id and sequence = new.sequence
    )
    begin select raise(abort, 'the audit trail only grows'); end`,
];

/** PostgreSQL replaces by an update, which is already refused; this also covers sessions that switch triggers off. */
const POSTGRES_PROTECTION = ['alter table audit enable always trigger audit_only_grows'];

export const replicasMigration = sqlMigration((engine) => [
  // Times are the database's. `last_read_at` and `failures` are the leader's own report.
  `create table leaders (
    organization_id bigint not null, role text not null, holder text, token bigint not null,
    until bigint not null, last_read_at bigint, failures bigint not null,
    constraint leaders_key primary key (organization_id, role)
  )`,
  // `claim` is a replica's part of the request budget, in thousandths; it counts until some time after `until`.
  `create table replicas (
    organization_id bigint not null, id text not null, claim bigint not null, until bigint not null,
    constraint replicas_key primary key (organization_id, id)
  )`,
  // `taken` is a JSON list of the times of requests that still count.
  `create table request_budgets (
    organization_id bigint not null, name text not null, taken text not null,
    paused_until bigint not null,
    constraint request_budgets_key primary key (organization_id, name)
  )`,
  // The write that stored a row, and who wrote it: other replicas read what is newer than what they have.
  'alter table inventory_devices add column revision bigint default 0 not null',
  'alter table inventory_devices add column writer text',
  'create index inventory_devices_by_revision on inventory_devices (organization_id, revision, device_id)',
  'alter table inventory_misses add column revision bigint default 0 not null',
  'alter table inventory_misses add column writer text',
  'create index inventory_misses_by_revision on inventory_misses (organization_id, revision, device_id)',
  `create table inventory_revisions (
    organization_id bigint not null, what text not null, revision bigint not null,
    constraint inventory_revisions_key primary key (organization_id, what)
  )`,
  ...(engine === 'sqlite' ? SQLITE_PROTECTION : POSTGRES_PROTECTION),
]);
