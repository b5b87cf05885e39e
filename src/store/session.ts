/**
 * Where the tables run their statements: directly on the database, or inside one transaction. All of them pass
 * through here, so that misuse is an error instead of a deadlock: on SQLite a direct call inside a transaction would
 * wait for that transaction, which waits for the call.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import type { OrganizationId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { Engine } from './engines/engine.ts';
import type { EngineKind, Schema } from './schema.ts';

export type Session = {
  readonly engine: EngineKind;
  readonly organizationId: OrganizationId;
  readonly log: Log;
  /** The time for leases on SQLite, in milliseconds. */
  readonly leaseTime: () => number;
  /** Distinguishes this process's writes from those of others. */
  readonly writer: string;
  /** For one statement. Throws when it is used in the wrong place. */
  readonly db: () => Kysely<Schema>;
  /** Inside a transaction the statements join it. The job may run again, see `Store.transaction`. */
  readonly inTransaction: <T>(job: (session: Session) => Promise<T>) => Promise<T>;
};

type TransactionState = { open: boolean };

type SessionOptions = Pick<Session, 'organizationId' | 'log' | 'leaseTime'> & { readonly engine: Engine };

/** The session for calls outside of transactions. */
export function createSession({ engine, ...rest }: SessionOptions): Session {
  const inside = new AsyncLocalStorage<TransactionState>();
  const writer = randomUUID();
  const refuseInside = () => {
    if (inside.getStore()?.open)
      throw new Error("inside a transaction only the transaction's own tables may be used");
  };
  const once = <T>(job: (session: Session) => Promise<T>): Promise<T> =>
    beginTransaction(engine).execute(async (transaction) => {
      const running: TransactionState = { open: true };
      const session: Session = {
        engine: engine.kind,
        ...rest,
        writer,
        db: () => {
          if (!running.open) throw new Error('this transaction has ended; its tables can no longer be used');
          return transaction;
        },
        inTransaction: async (inner) => inner(session),
      };
      try {
        return await inside.run(running, () => job(session));
      } finally {
        running.open = false;
      }
    });
  return {
    engine: engine.kind,
    ...rest,
    writer,
    db: () => {
      refuseInside();
      return engine.db;
    },
    inTransaction: async (job) => {
      refuseInside();
      return retryingConflicts(() => once(job));
    },
  };
}

/** Read committed whatever the server's default: compare-and-set and conflict clauses rely on it. */
export function beginTransaction(engine: Engine) {
  const builder = engine.db.transaction();
  return engine.kind === 'postgres' ? builder.setIsolationLevel('read committed') : builder;
}

/**
 * PostgreSQL's codes for conflicts that a retry solves: serialization_failure, deadlock_detected, and
 * unique_violation, when the other transaction committed after our read and the next read will see it.
 */
const CONFLICTS: ReadonlySet<string | undefined> = new Set(['40001', '40P01', '23505']);
const MAX_TRIES = 5;

async function retryingConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      const again = error instanceof pg.DatabaseError && CONFLICTS.has(error.code);
      if (!again || tries === MAX_TRIES) throw error;
    }
  }
}

/**
 * The time for leases: the database's time on PostgreSQL, which all replicas share, and this process's monotonic time
 * on SQLite, where one process owns the file. A clock that is set, skewed or moved shifts no lease. In milliseconds, as
 * part of a statement: all parts of one statement see the same time.
 */
export function leaseNow({ engine, leaseTime }: Pick<Session, 'engine' | 'leaseTime'>): RawBuilder<number> {
  return engine === 'postgres'
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`${Math.round(leaseTime())}`;
}

/** The lease time plus `ms` milliseconds. */
export function leaseEnd(session: Pick<Session, 'engine' | 'leaseTime'>, ms: number): RawBuilder<number> {
  return sql<number>`${leaseNow(session)} + ${Math.round(ms)}`;
}
