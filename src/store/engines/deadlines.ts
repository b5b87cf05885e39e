/** Deadlines of our own for a database that says nothing any more: its own limits reach us only while it answers. */
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** Wall time, in milliseconds. */
export type Deadlines = {
  /** For a new connection, and for one of the pool that is free. */
  readonly connectMs: number;
  /** For one statement. */
  readonly queryMs: number;
  /** For a probe, its wait for a connection included. */
  readonly pingMs: number;
};

export class DatabaseSilent extends Error {
  constructor(ms: number) {
    super(`the database did not answer within ${ms} ms`);
    this.name = 'DatabaseSilent';
  }
}

/** What `work` comes to, or {@link DatabaseSilent} once `ms` are over; the work itself goes on. */
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
 * The pool with a deadline on each statement. A connection whose answer is overdue is ended at once: the answer may
 * still come and would pass for that of the next statement's borrower, who would wait behind it. So the rollback of
 * a transaction fails at once too, and the pool gets nothing back.
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

/** As {@link withTimeout}; the connection is ended where the answer is overdue. */
export async function withConnectionTimeout<T>(
  client: pg.PoolClient,
  ms: number,
  answer: Promise<T>,
): Promise<T> {
  try {
    return await withTimeout(ms, answer);
  } catch (error) {
    // With a statement under way this cuts the connection, and does not wait for the server.
    if (error instanceof DatabaseSilent) client.end().catch(() => undefined);
    throw error;
  }
}

/** One probe under way for all who ask meanwhile. */
export function shareInFlight(probe: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  return () => {
    underWay ??= probe().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
