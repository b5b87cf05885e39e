/**
 * Where the tables' statements run: plainly on the database, or inside one transaction. It is the one gate
 * that all of them pass, so that misuse is an error instead of a deadlock: on SQLite a plain call made inside
 * a transaction would wait for that transaction, which waits for the call.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import pg from 'pg';
import type { OrganizationId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { Engine } from './engines/engine.ts';
import type { EngineKind, Schema } from './schema.ts';

export type Session = {
  readonly engine: EngineKind;
  readonly organizationId: OrganizationId;
  readonly log: Log;
  /** The time of leases on SQLite, in milliseconds. */
  readonly leaseTime: () => number;
  /** Tells what this process writes from what others write. */
  readonly writer: string;
  /** For one statement. Throws when called out of place. */
  readonly db: () => Kysely<Schema>;
  /** All of `job`'s statements or none; inside a transaction they join it. The job may run again, see `Store.transaction`. */
  readonly inTransaction: <T>(job: (session: Session) => Promise<T>) => Promise<T>;
};

type TransactionState = { open: boolean };

export type SessionOptions = {
  readonly engine: Engine;
  readonly organizationId: OrganizationId;
  readonly log: Log;
  readonly leaseTime: () => number;
};

/** The session of plain calls. */
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
      const session = transactionSession({ transaction, running, engine: engine.kind, writer, ...rest });
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

/** The session of one transaction, good until that ends. */
function transactionSession(
  options: Pick<Session, 'engine' | 'organizationId' | 'log' | 'leaseTime' | 'writer'> & {
    readonly transaction: Transaction<Schema>;
    readonly running: TransactionState;
  },
): Session {
  const { transaction, running, ...rest } = options;
  const session: Session = {
    ...rest,
    db: () => {
      if (!running.open) throw new Error('this transaction has ended; its tables can no longer be used');
      return transaction;
    },
    inTransaction: async (job) => job(session),
  };
  return session;
}

/** Read committed whatever the server's default: compare-and-set and conflict clauses are written for it. */
function beginTransaction(engine: Engine) {
  const builder = engine.db.transaction();
  return engine.kind === 'postgres' ? builder.setIsolationLevel('read committed') : builder;
}

/**
 * PostgreSQL's words for "somebody was in the way, try again": serialization_failure, deadlock_detected, and
 * unique_violation, where the one in the way committed after we looked and the next look will see it.
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
