/** Our own deadlines for a database that stopped answering: its own limits only take effect while it answers. */
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** Wall time, in milliseconds. */
export type Deadlines = {
  /** For a new connection, or for a free one from the pool. */
  readonly connectMs: number;
  /** For one statement. */
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
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
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
export function withStatementDeadline(pool: pg.Pool, ms: number): PostgresPool {
  const guarded = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const guard = (client: pg.PoolClient): PostgresPoolClient => {
    const known = guarded.get(client) ?? guardClient(client, ms);
    guarded.set(client, known);
    return known;
  };
  return {
    options: pool.options,
    connect: async () => guard(await pool.connect()),
    end: () => pool.end(),
  };
}

function guardClient(client: pg.PoolClient, ms: number): PostgresPoolClient {
  const query = (text: string, parameters: readonly unknown[]) =>
    withConnectionTimeout(client, ms, client.query(text, [...parameters]));
  return Object.create(client, { query: { value: query } });
}

/** Like {@link withTimeout}, and closes the connection when the answer is overdue. */
export async function withConnectionTimeout<T>(
  client: pg.PoolClient,
  ms: number,
  answer: Promise<T>,
): Promise<T> {
  try {
    return await withTimeout(ms, answer);
  } catch (error) {
    // While a statement is running, this cuts the connection without waiting for the server.
    if (error instanceof DatabaseSilent) client.end().catch(() => undefined);
    throw error;
  }
}

/** Shares one running probe among all callers. */
export function shareInFlight(probe: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  return () => {
    underWay ??= probe().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
