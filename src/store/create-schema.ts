/** Creates the tables in an empty database, and refuses those of another version of Patchbay. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Engine } from './engines/engine.ts';
import type { EngineKind } from './schema.ts';
import { schemaStatements } from './schema-statements.ts';
import { beginTransaction } from './session.ts';

/** Names the schema that the tables have. Its columns are those of Kysely's Migrator, which could lead from it to another. */
export const VERSION_TABLE = 'patchbay_migrations';

/** A digest, so that no change of the statements can be forgotten. */
function versionOf(statements: readonly string[]): string {
  return `0001-${createHash('sha256').update(statements.join(';')).digest('hex').slice(0, 16)}`;
}

export type SchemaStatus =
  /** No tables at all: a start creates them. */
  | { readonly kind: 'empty' }
  /** It has tables, but none of ours. */
  | { readonly kind: 'foreign'; readonly tables: number }
  | { readonly kind: 'current' }
  /** A start refuses it. */
  | { readonly kind: 'other-version' };

type Tables = Pick<Engine, 'db' | 'kind'>;

export async function readSchemaStatus({ db, kind }: Tables): Promise<SchemaStatus> {
  const tables = await tableNames({ db, kind });
  if (tables.includes(VERSION_TABLE)) {
    const names = sql<{ readonly name: string }>`select name from ${sql.table(VERSION_TABLE)}`;
    const { rows } = await names.execute(db.withoutPlugins());
    const current = versionOf(schemaStatements(kind));
    if (rows.length > 0)
      return { kind: rows.every(({ name }) => name === current) ? 'current' : 'other-version' };
  }
  return tables.length === 0 ? { kind: 'empty' } : { kind: 'foreign', tables: tables.length };
}

const TABLE_LISTS: Readonly<Record<EngineKind, string>> = {
  sqlite: `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`,
  postgres: `select table_name as name from information_schema.tables where table_schema = current_schema()`,
};

/** Names of the tables, as the database spells them. */
export async function tableNames({ db, kind }: Tables): Promise<readonly string[]> {
  const { rows } = await sql.raw<{ name: string }>(TABLE_LISTS[kind]).execute(db.withoutPlugins());
  return rows.map(({ name }) => name).toSorted();
}

/** In one transaction: replicas that start together wait for the one that is first. */
export async function createSchema(engine: Engine): Promise<void> {
  const { kind } = engine;
  await beginTransaction(engine).execute(async (db) => {
    const run = (statement: string) => sql.raw(statement).execute(db);
    if (kind === 'postgres') await run(`select pg_advisory_xact_lock(${LOCK_ID})`);
    const status = await readSchemaStatus({ db, kind });
    if (status.kind === 'current') return;
    if (status.kind === 'other-version') throw new Error(OTHER_VERSION);
    const statements = schemaStatements(kind);
    for (const statement of [VERSION_STATEMENT, ...statements]) await run(statement);
    await run(`insert into ${VERSION_TABLE} values ('${versionOf(statements)}', current_timestamp)`);
  });
}

const VERSION_STATEMENT = `create table if not exists "${VERSION_TABLE}" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)`;

/** Any number that no other program in the database takes. */
const LOCK_ID = 3_853_314_791;

const OTHER_VERSION =
  'it has the tables of another version of Patchbay. Run that version, or set DATABASE_URL to another database';
