/** Reads the tables of the bot's database, on either engine, without changing anything. */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { TABLE_NAMES, type TableRow, type TableRows } from './evidence.ts';

/** PostgreSQL's type of 64-bit whole numbers, which its client gives as text; ours are far below 2^53. */
const BIGINT = 20;

type Read = (table: string) => Promise<readonly TableRow[]>;

export async function readTables(databaseUrl: string): Promise<TableRows> {
  return databaseUrl.startsWith('sqlite:')
    ? fromSqlite(databaseUrl.slice('sqlite:'.length))
    : fromPostgres(databaseUrl);
}

async function fromSqlite(path: string): Promise<TableRows> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    return await all(async (table) => database.prepare(`select * from ${table}`).all());
  } finally {
    database.close();
  }
}

async function fromPostgres(url: string): Promise<TableRows> {
  const client = new pg.Client({
    connectionString: url,
    types: {
      getTypeParser: (oid, format) => (oid === BIGINT ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // All tables in one snapshot.
    await client.query('begin isolation level repeatable read read only');
    return await all(async (table) => (await client.query<TableRow>(`select * from ${table}`)).rows);
  } finally {
    await client.end();
  }
}

async function all(read: Read): Promise<TableRows> {
  const found: Record<string, readonly TableRow[]> = {};
  for (const table of TABLE_NAMES) found[table] = await read(table);
  const of = (table: (typeof TABLE_NAMES)[number]) => found[table] ?? [];
  return {
    requests: of('requests'),
    request_targets: of('request_targets'),
    silences: of('silences'),
    cards: of('cards'),
    work: of('work'),
    audit: of('audit'),
    audit_heads: of('audit_heads'),
  };
}
