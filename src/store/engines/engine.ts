/**
 * An open database, and what both engines do with every statement: check its parameters, observe its writes. The engines
 * differ here, in the lock clause of a claim, and in the triggers on the audit table.
 */
import {
  CamelCasePlugin,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import { NotStored, type WriteFailureReason } from '../../lib/not-stored.ts';
import type { EngineKind, Schema } from '../schema.ts';

export type Engine = {
  readonly kind: EngineKind;
  readonly db: Kysely<Schema>;
  /** One cheap round trip; throws when there is no answer in time. Simultaneous callers share it. */
  readonly ping: () => Promise<void>;
  /** May be called again. */
  readonly close: () => Promise<void>;
};

/** PostgreSQL refuses U+0000, and both turn a lone surrogate into U+FFFD: both replacements are made here. */
export function toStorableText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

/**
 * A value as a parameter. Refuses `undefined` and objects, because `node:sqlite` takes a Date or any object for named
 * parameters and silently binds NULL. Refuses fractions, because one engine would reject them and the other store
 * them. Booleans are only for PostgreSQL's own catalogue; no table has one, and SQLite refuses them.
 */
export function toParameter(value: unknown): string | number | bigint | boolean | null {
  if (value === null || typeof value === 'bigint' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return toStorableText(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  const what = typeof value === 'number' ? `the number ${value}` : Object.prototype.toString.call(value);
  throw new TypeError(`not a value for the database: ${what}`);
}

/** Called for each write that succeeded, and for each that the database refused. Must not throw. */
export type WriteObserver = {
  readonly wrote: () => void;
  readonly failed: (why: WriteFailureReason) => void;
};

export const noWriteObserver: WriteObserver = { wrote: () => undefined, failed: () => undefined };

export type ObservedWrites = {
  readonly watch: WriteObserver;
  /** Names the database in errors. */
  readonly what: string;
  /** Whether a transaction is still open: a full disk ends SQLite's. Absent: as long as we did not end it. */
  readonly inTransaction?: () => boolean;
};

/**
 * The tables by this dialect: every parameter is converted by {@link toParameter}, and writes are observed. The first error
 * of a transaction is thrown: when the engine has already rolled back, our own rollback would fail and hide the cause.
 */
export function tablesOf(dialect: Dialect, options: ObservedWrites): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createDriver: () => observedDriver(dialect.createDriver(), options),
    },
    plugins: [new CamelCasePlugin()],
  });
}

function observedDriver(driver: Driver, options: ObservedWrites): Driver {
  const { watch, inTransaction } = options;
  const watched = new WeakSet<DatabaseConnection>();
  /** Connections with a transaction that has written something. */
  const withWrites = new WeakSet<DatabaseConnection>();
  const open = new WeakSet<DatabaseConnection>();
  const acquire = driver.acquireConnection.bind(driver);
  const begin = driver.beginTransaction.bind(driver);
  const commit = driver.commitTransaction.bind(driver);
  const rollback = driver.rollbackTransaction.bind(driver);
  const end = (connection: DatabaseConnection): void => {
    open.delete(connection);
    withWrites.delete(connection);
  };

  driver.acquireConnection = async (acquireOptions) => {
    const connection = await acquire(acquireOptions);
    if (!watched.has(connection)) {
      observeStatements(connection, options, () => {
        if (open.has(connection)) withWrites.add(connection);
        else watch.wrote();
      });
    }
    watched.add(connection);
    return connection;
  };
  driver.beginTransaction = async (connection, settings) => {
    await begin(connection, settings);
    open.add(connection);
  };
  driver.commitTransaction = async (connection) => {
    await commit(connection);
    if (withWrites.has(connection)) watch.wrote();
    end(connection);
  };
  driver.rollbackTransaction = async (connection) => {
    end(connection);
    if (inTransaction?.() !== false) await rollback(connection);
  };
  return driver;
}

function observeStatements(
  connection: DatabaseConnection,
  { watch, what }: ObservedWrites,
  onWrite: () => void,
): void {
  const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
  connection.executeQuery = async <R>(query: CompiledQuery, options?: Parameters<typeof execute>[1]) => {
    try {
      const parameters = query.parameters.map(toParameter);
      const result = await execute<R>({ ...query, parameters }, options);
      if (WRITES.has(query.query.kind) && changedRows(result)) onWrite();
      return result;
    } catch (error) {
      const why = writeFailureReason(error);
      if (why === null) throw error;
      watch.failed(why);
      throw new NotStored(why, what, error);
    }
  };
}

const WRITES: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);

/** A statement that changes nothing needs no disk space, so it proves nothing. */
function changedRows({ numAffectedRows = 0n, rows }: QueryResult<unknown>): boolean {
  return numAffectedRows > 0n || rows.length > 0;
}

/** SQLite's result codes (https://sqlite.org/rescode.html); extended codes contain them in the lowest byte. */
const SQLITE_REASONS: ReadonlyMap<number, WriteFailureReason> = new Map([
  [13, 'disk-full'],
  [8, 'read-only'],
  [10, 'broken-disk'],
]);
/** PostgreSQL's (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const POSTGRES_REASONS: ReadonlyMap<string, WriteFailureReason> = new Map([
  ['53100', 'disk-full'],
  ['25006', 'read-only'],
  ['58030', 'broken-disk'],
]);

/** Why the database refused a write; null when it was not because of its disk or permissions. */
function writeFailureReason(error: unknown): WriteFailureReason | null {
  if (error instanceof NotStored) return error.reason;
  if (error instanceof pg.DatabaseError) return POSTGRES_REASONS.get(error.code ?? '') ?? null;
  const code = error instanceof Error && 'errcode' in error ? error.errcode : null;
  return typeof code === 'number' ? (SQLITE_REASONS.get(code & 0xff) ?? null) : null;
}
