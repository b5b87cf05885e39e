/**
 * PostgreSQL through `pg`: the engine that several processes share. It has deadlines of our own, because the limits of a
 * database only take effect while it answers.
 */

import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { oneAtATime } from '../../lib/lists.ts';
import type { Log, Secret } from '../../lib/log.ts';
import { type Engine, noWriteObserver, tablesOf, type WriteObserver } from './engine.ts';

/** Enough for a chat bot; PostgreSQL allows 100 connections in all unless configured otherwise. */
const MAX_CONNECTIONS = 10;
/** A statement that takes longer is stuck: the server cancels it. */
const STATEMENT_MS = 20_000;
/** A transaction that is idle for longer is stuck; its locks must not last. */
const IDLE_TRANSACTION_MS = 60_000;
/** Later than the server's own limits: a server that does not even cancel is silent. */
const DEADLINES: Deadlines = { connectMs: 10_000, queryMs: 25_000, pingMs: 2_000 };

type PostgresOptions = {
  readonly url: Secret;
  readonly log: Log;
  readonly watch?: WriteObserver | undefined;
  /** Null: no deadlines, for statements that may take long. */
  readonly deadlines?: Deadlines | null;
  readonly readOnly?: boolean;
};

/** Opens a pool on the database at `url`; it connects with the first statement. */
export function openPostgres(options: PostgresOptions): Engine {
  const { url, log, watch = noWriteObserver, deadlines = DEADLINES, readOnly = false } = options;
  const { connectMs, pingMs } = deadlines ?? DEADLINES;
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    application_name: 'patchbay',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: connectMs,
    ...(deadlines === null ? {} : { statement_timeout: STATEMENT_MS }),
    ...(readOnly ? { options: '-c default_transaction_read_only=on' } : {}),
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    keepAlive: true,
    types: { getTypeParser },
    stream: () => trackedSocket(sockets),
  });
  // The pool listens for errors only while a connection is idle. A connection that breaks between two statements of
  // its borrower would end the process, and a failover breaks all of them at once. So every connection gets our own
  // listener, which covers idle ones too. The borrower's next statement then fails.
  pool.on('error', () => undefined);
  pool.on('connect', (client) =>
    client.on('error', (error) =>
      log.warn({ event: 'store.connection-lost', reason: error.message }, 'database connection lost'),
    ),
  );
  const dialect = new PostgresDialect({
    pool: deadlines === null ? pool : withStatementDeadline(pool, deadlines.queryMs),
  });
  const db = tablesOf(dialect, { watch, what: 'DATABASE_URL' });
  return {
    kind: 'postgres',
    db,
    ping: oneAtATime(() => withTimeout(pingMs, probe(pool, pingMs))),
    close: async () => {
      await Promise.race([endPool(db, pool), sleep(CLOSE_MS, undefined, { ref: false })]);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** How long a server may take to close its connections. */
const CLOSE_MS = 2_000;

async function endPool(db: Engine['db'], pool: pg.Pool): Promise<void> {
  await db.destroy();
  if (!pool.ended) await pool.end();
}

/** Remembers the pool's sockets, so that closing can end them: a silent server never does. */
function trackedSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return socket;
}

/** Probes a pooled connection: one that does not answer is closed, and the next probe gets another. */
async function probe(pool: pg.Pool, ms: number): Promise<void> {
  const client = await pool.connect();
  try {
    await withConnectionTimeout(client, ms, client.query('select 1'));
  } finally {
    client.release();
  }
}

/** For this pool only: int8 as a number, because every integer we store is a safe one. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) =>
  oid === pg.types.builtins.INT8
    ? readInt8
    : pg.types.getTypeParser(oid, format === 'binary' ? format : 'text');

function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond the safe whole numbers`);
  return value;
}

/** Wall time, in milliseconds. */
export type Deadlines = {
  /** For a new connection, or for a free one from the pool. */
  readonly connectMs: number;
  readonly queryMs: number;
  /** For a probe, including its wait for a connection. */
  readonly pingMs: number;
};

class DatabaseSilent extends Error {
  constructor(ms: number) {
    super(`the database did not answer within ${ms} ms`);
    this.name = 'DatabaseSilent';
  }
}

/** The result of `work`, or {@link DatabaseSilent} after `ms`; the work itself goes on. */
async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DatabaseSilent(ms)), ms);
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The pool with a deadline on each statement. A connection whose answer is overdue is closed at once: the answer may
 * still come and would be taken for that of the next statement. So the rollback of a transaction fails at once too,
 * and the connection does not return to the pool.
 */
function withStatementDeadline(pool: pg.Pool, ms: number): PostgresPool {
  const guarded = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const guard = (client: pg.PoolClient): PostgresPoolClient => {
    const query = (text: string, parameters: readonly unknown[]) =>
      withConnectionTimeout(client, ms, client.query(text, [...parameters]));
    const known = guarded.get(client) ?? Object.create(client, { query: { value: query } });
    guarded.set(client, known);
    return known;
  };
  return {
    options: pool.options,
    connect: async () => guard(await pool.connect()),
    end: () => pool.end(),
  };
}

/** Like {@link withTimeout}, and closes the connection when the answer is overdue. */
async function withConnectionTimeout<T>(client: pg.PoolClient, ms: number, answer: Promise<T>): Promise<T> {
  try {
    return await withTimeout(ms, answer);
  } catch (error) {
    // While a statement is running, this cuts the connection without waiting for the server.
    if (error instanceof DatabaseSilent) client.end().catch(() => undefined);
    throw error;
  }
}
