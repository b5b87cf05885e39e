/** Approvals, operations, events, notices, cards, work and the audit trail. Every key begins with the organization. */
import { sqlMigration } from './sql-migration.ts';

const SQLITE_PROTECTION = ['update', 'delete'].map(
  (change) => `create trigger audit_no_${change} before ${change} on audit
    begin select raise(abort, 'the audit trail only grows'); end`,
);

const POSTGRES_PROTECTION = [
  `create function audit_only_grows() returns trigger language plpgsql as
    $$ begin raise exception 'the audit trail only grows'; end $$`,
  `create trigger audit_only_grows before update or delete or truncate on audit
    for each statement execute function audit_only_grows()`,
];

export const foundationMigration = sqlMigration((engine) => [
  `create table approvals (
    organization_id bigint not null, id text not null, version bigint not null, state text not null,
    command text not null, targets text not null, seal text not null, fingerprint text not null,
    requester_id text not null, request_key text not null, reason text, created_at bigint not null,
    expires_at bigint not null, decided_by text, decided_at bigint, note text, operation_id text,
    constraint approvals_key primary key (organization_id, id),
    constraint approvals_request unique (organization_id, request_key)
  )`,
  `create unique index approvals_waiting on approvals (organization_id, fingerprint) where state = 'waiting'`,
  `create table operations (
    organization_id bigint not null, id text not null, version bigint not null, approval_id text,
    command text not null, requester_id text not null, request_key text not null, reason text,
    created_at bigint not null,
    constraint operations_key primary key (organization_id, id),
    constraint operations_request unique (organization_id, request_key),
    constraint operations_approval unique (organization_id, approval_id)
  )`,
  `create table operation_targets (
    organization_id bigint not null, operation_id text not null, device_id bigint not null,
    position bigint not null, display_name text not null, state text not null, before text not null,
    queue_entry_id bigint, issued_at bigint not null, accepted_at bigint, queued_at bigint,
    answered_at bigint, ended_at bigint, response text, evidence text, deadline_at bigint not null,
    constraint operation_targets_key primary key (organization_id, operation_id, device_id),
    constraint operation_targets_operation foreign key (organization_id, operation_id)
      references operations (organization_id, id)
  )`,
  'create index operation_targets_open on operation_targets (organization_id, device_id) where ended_at is null',
  `create table event_cursors (
    organization_id bigint not null, highest_id bigint not null, floor_id bigint not null,
    updated_at bigint not null,
    constraint event_cursors_key primary key (organization_id)
  )`,
  `create table events_seen (
    organization_id bigint not null, event_id bigint not null, seen_at bigint not null,
    constraint events_seen_key primary key (organization_id, event_id)
  )`,
  'create index events_seen_age on events_seen (organization_id, seen_at)',
  `create table notices (
    organization_id bigint not null, id text not null, kind text not null, event_id bigint not null,
    device_id bigint, device_name text, packages text not null, reason text, operating_system text,
    happened_at bigint, created_at bigint not null,
    constraint notices_key primary key (organization_id, id),
    constraint notices_event unique (organization_id, event_id, kind)
  )`,
  `create table cards (
    organization_id bigint not null, key text not null, channel text not null, fallback_person text,
    posted_channel text, ts text, first_attempt_at bigint, wanted_revision bigint not null,
    shown_revision bigint not null, failure text,
    constraint cards_key primary key (organization_id, key)
  )`,
  `create table work (
    organization_id bigint not null, kind text not null, key text not null, due_at bigint not null,
    payload text, attempts bigint not null, generation bigint not null, claimed_generation bigint,
    lease_token text, lease_until bigint,
    constraint work_key primary key (organization_id, kind, key)
  )`,
  'create index work_due on work (organization_id, due_at)',
  `create table audit (
    organization_id bigint not null, sequence bigint not null, at bigint not null, actor text not null,
    action text not null, subject text not null, detail text not null, hash text not null,
    constraint audit_key primary key (organization_id, sequence)
  )`,
  `create table audit_heads (
    organization_id bigint not null, sequence bigint not null, hash text not null,
    constraint audit_heads_key primary key (organization_id)
  )`,
  // The trail only grows: the database itself refuses anything else.
  ...(engine === 'sqlite' ? SQLITE_PROTECTION : POSTGRES_PROTECTION),
]);
