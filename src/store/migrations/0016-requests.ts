/**
 * A request is one record from the first click to the last proof, with one row per target from the start and a count for
 * each state of them.
 */
import { sqlMigration } from './sql-migration.ts';

export const requestsMigration = sqlMigration(() => [
  // `seal`, `fingerprint` and `expires_at` are null where nobody has to agree.
  `create table requests (
    organization_id bigint not null, id text not null, version bigint not null, state text not null,
    action text not null, seal text, fingerprint text, requester_id text not null,
    request_key text not null, reason text, created_at bigint not null, expires_at bigint,
    decided_by text, decided_at bigint, approved_by text, approved_at bigint, note text,
    started_at bigint, ended_at bigint, operation_id text,
    constraint requests_key primary key (organization_id, id),
    constraint requests_delivery unique (organization_id, request_key),
    constraint requests_operation unique (organization_id, operation_id)
  )`,
  `create unique index requests_waiting on requests (organization_id, fingerprint) where state = 'waiting'`,
  'create index requests_by_age on requests (organization_id, created_at)',
  'create index requests_by_state on requests (organization_id, state, created_at)',
  'create index requests_by_requester on requests (organization_id, requester_id, created_at)',
  // `device_id` is 0 where the target is no device; `command_key` is equal for what must not be under way twice.
  `create table request_targets (
    organization_id bigint not null, request_id text not null, device_id bigint not null,
    position bigint not null, display_name text not null, facts text, state text not null,
    before text not null, queue_entry_id bigint, issued_at bigint not null, accepted_at bigint,
    queued_at bigint, missed_at bigint, answered_at bigint, ended_at bigint, next_at bigint,
    response text, evidence text, deadline_at bigint not null, command_key text,
    constraint request_targets_key primary key (organization_id, request_id, position),
    constraint request_targets_device unique (organization_id, device_id, request_id),
    constraint request_targets_request foreign key (organization_id, request_id)
      references requests (organization_id, id)
  )`,
  // PostgreSQL takes every request for a small one until it has looked at the table, and often after that: any index
  // that begins with the request seems good enough to it. So what is read all the time has an index for itself.
  `create index request_targets_ready on request_targets (organization_id, request_id, position)
    where state = 'ready'`,
  'create index request_targets_by_state on request_targets (organization_id, state, request_id, position)',
  `create index request_targets_due on request_targets (organization_id, request_id, next_at, position)
    where ended_at is null and next_at is not null`,
  // Once its entry is seen in the queue, the queue itself shows that it waits; until then only this row does.
  `create unique index request_targets_under_way on request_targets (organization_id, device_id, command_key)
    where ended_at is null and state in ('issuing', 'accepted', 'unknown')`,
  // Targets of requests that were denied stay ready for ever: they are not in the way of anything.
  `create index request_targets_open on request_targets (organization_id, device_id, command_key)
    where ended_at is null and state <> 'ready'`,
  'create index request_targets_ended on request_targets (organization_id, ended_at) where ended_at is not null',
  `create table request_counts (
    organization_id bigint not null, request_id text not null, state text not null,
    targets bigint not null,
    constraint request_counts_key primary key (organization_id, request_id, state),
    constraint request_counts_request foreign key (organization_id, request_id)
      references requests (organization_id, id)
  )`,
]);
