/**
 * What replicas share: the leader, the live replicas, their request budget, and their writes. Also protects the audit
 * trail against replaced rows.
 */
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { EngineKind } from '../schema.ts';

type Database = Kysely<unknown>;

const required = (column: ColumnDefinitionBuilder) => column.notNull();

export function replicasMigration(engine: EngineKind): Migration {
  return {
    up: async (db: Database) => {
      await leaders(db);
      await members(db);
      await budgets(db);
      for (const table of ['inventory_devices', 'inventory_misses']) await revisions(db, table);
      await revisionCounts(db);
      const statements = engine === 'sqlite' ? SQLITE_PROTECTION : POSTGRES_PROTECTION;
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}

/** Times are the database's. `last_read_at` and `failures` are the leader's own report. */
async function leaders(db: Database): Promise<void> {
  await db.schema
    .createTable('leaders')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('role', 'text', required)
    .addColumn('holder', 'text')
    .addColumn('token', 'bigint', required)
    .addColumn('until', 'bigint', required)
    .addColumn('last_read_at', 'bigint')
    .addColumn('failures', 'bigint', required)
    .addPrimaryKeyConstraint('leaders_key', ['organization_id', 'role'])
    .execute();
}

/** `claim` is a replica's part of the request budget, in thousandths; it counts until some time after `until`. */
async function members(db: Database): Promise<void> {
  await db.schema
    .createTable('replicas')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('id', 'text', required)
    .addColumn('claim', 'bigint', required)
    .addColumn('until', 'bigint', required)
    .addPrimaryKeyConstraint('replicas_key', ['organization_id', 'id'])
    .execute();
}

/** `taken` is a JSON list of the times of requests that still count. */
async function budgets(db: Database): Promise<void> {
  await db.schema
    .createTable('request_budgets')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('name', 'text', required)
    .addColumn('taken', 'text', required)
    .addColumn('paused_until', 'bigint', required)
    .addPrimaryKeyConstraint('request_budgets_key', ['organization_id', 'name'])
    .execute();
}

/** The write that stored a row, and who wrote it: other replicas read what is newer than what they have. */
async function revisions(db: Database, table: string): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn('revision', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable(table).addColumn('writer', 'text').execute();
  await db.schema
    .createIndex(`${table}_by_revision`)
    .on(table)
    .columns(['organization_id', 'revision', 'device_id'])
    .execute();
}

async function revisionCounts(db: Database): Promise<void> {
  await db.schema
    .createTable('inventory_revisions')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('what', 'text', required)
    .addColumn('revision', 'bigint', required)
    .addPrimaryKeyConstraint('inventory_revisions_key', ['organization_id', 'what'])
    .execute();
}

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
