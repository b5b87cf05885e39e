/** PostgreSQL through `pg`: the engine that several processes share. */
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import type { Secret } from '../secret.ts';
import type { Engine } from './engine.ts';
import { withParameters } from './parameters.ts';
import type { Schema } from './schema.ts';
import { nobodyWatches, type WriteWatch, withWatchedWrites } from './writes.ts';

/** Enough for a chat bot; PostgreSQL allows 100 connections in all unless configured otherwise. */
const MOST_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** A statement or an idle transaction that takes longer is stuck; its locks must not outlive our patience. */
const STUCK_MS = 60_000;

/** Opens a pool on the database at `url`; nothing is connected before the first statement. */
export function openPostgres(url: Secret, log: Log, watch: WriteWatch = nobodyWatches): Engine {
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    application_name: 'patchbay',
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STUCK_MS,
    idle_in_transaction_session_timeout: STUCK_MS,
    keepAlive: true,
    types: { getTypeParser },
  });
  // The pool listens only while a connection is idle, and passes on what it hears. One that breaks between two
  // statements of its borrower would end the process, and a failover breaks all of them at once: so every
  // connection gets a listener of ours, which tells of idle ones too. The borrower's next statement is refused.
  pool.on('error', () => undefined);
  pool.on('connect', (client) =>
    client.on('error', (error) =>
      log.warn({ event: 'store.connection-lost', reason: error.message }, 'a connection broke'),
    ),
  );
  const db = new Kysely<Schema>({
    dialect: withWatchedWrites(withParameters(new PostgresDialect({ pool })), {
      watch,
      what: 'DATABASE_URL',
    }),
    plugins: [new CamelCasePlugin()],
  });
  return {
    kind: 'postgres',
    db,
    close: async () => {
      await db.destroy();
      if (!pool.ended) await pool.end();
    },
  };
}

/** For this pool only: int8 as a number, since every whole number we store is a safe one. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) =>
  oid === pg.types.builtins.INT8
    ? readInt8
    : pg.types.getTypeParser(oid, format === 'binary' ? format : 'text');

function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond the safe whole numbers`);
  return value;
}
