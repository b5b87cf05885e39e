/** Approvals, operations, events, notices, cards, work and the audit trail. Every key begins with the organization. */
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { EngineKind } from '../schema.ts';

type Database = Kysely<unknown>;

const required = (column: ColumnDefinitionBuilder) => column.notNull();

export function foundationMigration(engine: EngineKind): Migration {
  return {
    up: async (db: Database) => {
      await approvals(db);
      await operations(db);
      await events(db);
      await notices(db);
      await cards(db);
      await work(db);
      await audit(db);
      await protectAudit(db, engine);
    },
  };
}

async function approvals(db: Database): Promise<void> {
  await db.schema
    .createTable('approvals')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('id', 'text', required)
    .addColumn('version', 'bigint', required)
    .addColumn('state', 'text', required)
    .addColumn('command', 'text', required)
    .addColumn('targets', 'text', required)
    .addColumn('seal', 'text', required)
    .addColumn('fingerprint', 'text', required)
    .addColumn('requester_id', 'text', required)
    .addColumn('request_key', 'text', required)
    .addColumn('reason', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('decided_by', 'text')
    .addColumn('decided_at', 'bigint')
    .addColumn('note', 'text')
    .addColumn('operation_id', 'text')
    .addPrimaryKeyConstraint('approvals_key', ['organization_id', 'id'])
    .addUniqueConstraint('approvals_request', ['organization_id', 'request_key'])
    .execute();
  await db.schema
    .createIndex('approvals_waiting')
    .unique()
    .on('approvals')
    .columns(['organization_id', 'fingerprint'])
    .where(sql.ref('state'), '=', sql.lit('waiting'))
    .execute();
}

async function operations(db: Database): Promise<void> {
  await db.schema
    .createTable('operations')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('id', 'text', required)
    .addColumn('version', 'bigint', required)
    .addColumn('approval_id', 'text')
    .addColumn('command', 'text', required)
    .addColumn('requester_id', 'text', required)
    .addColumn('request_key', 'text', required)
    .addColumn('reason', 'text')
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('operations_key', ['organization_id', 'id'])
    .addUniqueConstraint('operations_request', ['organization_id', 'request_key'])
    .addUniqueConstraint('operations_approval', ['organization_id', 'approval_id'])
    .execute();
  await targets(db);
}

async function targets(db: Database): Promise<void> {
  await db.schema
    .createTable('operation_targets')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('operation_id', 'text', required)
    .addColumn('device_id', 'bigint', required)
    .addColumn('position', 'bigint', required)
    .addColumn('display_name', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('before', 'text', required)
    .addColumn('queue_entry_id', 'bigint')
    .addColumn('issued_at', 'bigint', required)
    .addColumn('accepted_at', 'bigint')
    .addColumn('queued_at', 'bigint')
    .addColumn('answered_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('response', 'text')
    .addColumn('evidence', 'text')
    .addColumn('deadline_at', 'bigint', required)
    .addPrimaryKeyConstraint('operation_targets_key', ['organization_id', 'operation_id', 'device_id'])
    .addForeignKeyConstraint(
      'operation_targets_operation',
      ['organization_id', 'operation_id'],
      'operations',
      ['organization_id', 'id'],
    )
    .execute();
  await db.schema
    .createIndex('operation_targets_open')
    .on('operation_targets')
    .columns(['organization_id', 'device_id'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute();
}

async function events(db: Database): Promise<void> {
  await db.schema
    .createTable('event_cursors')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('highest_id', 'bigint', required)
    .addColumn('floor_id', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .addPrimaryKeyConstraint('event_cursors_key', ['organization_id'])
    .execute();
  await db.schema
    .createTable('events_seen')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('event_id', 'bigint', required)
    .addColumn('seen_at', 'bigint', required)
    .addPrimaryKeyConstraint('events_seen_key', ['organization_id', 'event_id'])
    .execute();
  await db.schema
    .createIndex('events_seen_age')
    .on('events_seen')
    .columns(['organization_id', 'seen_at'])
    .execute();
}

async function notices(db: Database): Promise<void> {
  await db.schema
    .createTable('notices')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('id', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('event_id', 'bigint', required)
    .addColumn('device_id', 'bigint')
    .addColumn('device_name', 'text')
    .addColumn('packages', 'text', required)
    .addColumn('reason', 'text')
    .addColumn('operating_system', 'text')
    .addColumn('happened_at', 'bigint')
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('notices_key', ['organization_id', 'id'])
    .addUniqueConstraint('notices_event', ['organization_id', 'event_id', 'kind'])
    .execute();
}

async function cards(db: Database): Promise<void> {
  await db.schema
    .createTable('cards')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('key', 'text', required)
    .addColumn('channel', 'text', required)
    .addColumn('fallback_person', 'text')
    .addColumn('posted_channel', 'text')
    .addColumn('ts', 'text')
    .addColumn('first_attempt_at', 'bigint')
    .addColumn('wanted_revision', 'bigint', required)
    .addColumn('shown_revision', 'bigint', required)
    .addColumn('failure', 'text')
    .addPrimaryKeyConstraint('cards_key', ['organization_id', 'key'])
    .execute();
}

async function work(db: Database): Promise<void> {
  await db.schema
    .createTable('work')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('kind', 'text', required)
    .addColumn('key', 'text', required)
    .addColumn('due_at', 'bigint', required)
    .addColumn('payload', 'text')
    .addColumn('attempts', 'bigint', required)
    .addColumn('generation', 'bigint', required)
    .addColumn('claimed_generation', 'bigint')
    .addColumn('lease_token', 'text')
    .addColumn('lease_until', 'bigint')
    .addPrimaryKeyConstraint('work_key', ['organization_id', 'kind', 'key'])
    .execute();
  await db.schema.createIndex('work_due').on('work').columns(['organization_id', 'due_at']).execute();
}

async function audit(db: Database): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('sequence', 'bigint', required)
    .addColumn('at', 'bigint', required)
    .addColumn('actor', 'text', required)
    .addColumn('action', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('detail', 'text', required)
    .addColumn('hash', 'text', required)
    .addPrimaryKeyConstraint('audit_key', ['organization_id', 'sequence'])
    .execute();
  await db.schema
    .createTable('audit_heads')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('sequence', 'bigint', required)
    .addColumn('hash', 'text', required)
    .addPrimaryKeyConstraint('audit_heads_key', ['organization_id'])
    .execute();
}

/** The trail only grows: the database itself refuses anything else. */
async function protectAudit(db: Database, engine: EngineKind): Promise<void> {
  const statements = engine === 'sqlite' ? SQLITE_PROTECTION : POSTGRES_PROTECTION;
  for (const statement of statements) await sql.raw(statement).execute(db);
}

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
