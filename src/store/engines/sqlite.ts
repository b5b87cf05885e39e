/** SQLite through `node:sqlite`. No other file uses its statements, because the module is a release candidate. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type SqliteDatabase, SqliteDialect } from 'kysely';
import { setNewest } from '../../lib/lists.ts';
import { VERSION_TABLE } from '../create-schema.ts';
import { ForeignDatabase, isNotADatabase, missingFolder, restrictToOwner } from './database-files.ts';
import { type Engine, noWriteObserver, type ObservedWrites, tablesOf, type WriteObserver } from './engine.ts';

/** How long a statement waits for a lock, such as that of a backup. */
const BUSY_TIMEOUT_MS = 5_000;
/** SQLite's name for a database in memory, which ends with its connection. */
const IN_MEMORY = ':memory:';

type SqliteOptions = {
  readonly watch?: WriteObserver | undefined;
  /** Maximum size in pages; for tests that fill the database. */
  readonly mostPages?: number | undefined;
};

/** Opens (and creates) the file at `given`, for this process alone. */
export function openSqlite(
  requested: string,
  { watch = noWriteObserver, mostPages }: SqliteOptions = {},
): Engine {
  if (requested === IN_MEMORY)
    return createEngine(openDatabase(IN_MEMORY), { lock: null, watch, what: 'in memory' });
  const file = resolveFile(requested);
  refuseForeignFile(file, requested);
  const lock = takeInstanceLock(file);
  try {
    restrictToOwner(file);
    return createEngine(openDatabase(file, mostPages), { lock, watch, what: requested });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Opens an existing file beside the process that uses it. Nothing can be written to it. */
export function openSqliteReadOnly(file: string): Engine {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
  return createEngine(database, { lock: null, watch: noWriteObserver, what: file });
}

/** The real path, so that two names of one file use the same lock. */
function resolveFile(requested: string): string {
  const missing = missingFolder(requested);
  if (missing !== null)
    throw new Error(`its folder ${missing.folder} does not exist. To create it, type: ${missing.create}`);
  return existsSync(requested)
    ? realpathSync(requested)
    : path.join(realpathSync(path.dirname(requested)), path.basename(requested));
}

/** Checked before anything is written: the lock puts a file beside it, and the write-ahead log changes the database. */
function refuseForeignFile(file: string, requested: string): void {
  if (!existsSync(file) || statSync(file).size === 0) return;
  const names = tableNames(file, requested);
  if (names.length > 0 && !names.includes(VERSION_TABLE))
    throw new ForeignDatabase(requested, 'other-tables');
}

function tableNames(file: string, requested: string): readonly string[] {
  try {
    return readTableNames(file, { readOnly: true });
  } catch (error) {
    if (isNotADatabase(error)) throw new ForeignDatabase(requested, 'no-database');
    if (!(error instanceof Error && 'errcode' in error && error.errcode === READONLY_ROLLBACK)) throw error;
    // A process died before its first commit. Only a connection that may write can undo what it left.
    return readTableNames(file, { readOnly: false });
  }
}

function readTableNames(file: string, { readOnly }: { readonly readOnly: boolean }): readonly string[] {
  const database = new DatabaseSync(file, { readOnly, timeout: BUSY_TIMEOUT_MS });
  try {
    const rows = database
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
      .all();
    return rows.map(({ name }) => String(name));
  } finally {
    database.close();
  }
}

/** SQLITE_READONLY_ROLLBACK (sqlite.org/rescode.html). */
const READONLY_ROLLBACK = 776;

function openDatabase(file: string, mostPages?: number): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    // FULL: in WAL mode anything less loses the last second of acknowledged writes in a power cut.
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma recursive_triggers = on');
    const mode = database.prepare('pragma journal_mode').get()?.['journal_mode'];
    if (mode !== 'wal' && file !== IN_MEMORY)
      throw new Error(
        `SQLite cannot use a write-ahead log at ${file} (mode: ${mode}); it needs a local disk`,
      );
    if (mostPages !== undefined) database.exec(`pragma max_page_count = ${mostPages}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

type EngineOptions = Pick<ObservedWrites, 'watch' | 'what'> & { readonly lock: InstanceLock | null };

function createEngine(database: DatabaseSync, { lock, ...observed }: EngineOptions): Engine {
  const dialect = new SqliteDialect({ database: asKyselyDatabase(database) });
  const db = tablesOf(dialect, { ...observed, inTransaction: () => database.isTransaction });
  return {
    kind: 'sqlite',
    db,
    ping: async () => {
      database.prepare('select 1').get();
    },
    // Not only through Kysely, which closes nothing before its first query.
    close: async () => {
      if (!database.isOpen) return;
      await db.destroy();
      if (database.isOpen) database.close();
      lock?.release();
    },
  };
}

/** Kysely's SqliteDialect expects statements that know whether they return rows and take parameters as an array. */
function asKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  // toParameter has converted the parameters; SQLite itself refuses a boolean, which toParameter lets pass.
  const bindable = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return {
    close: () => database.close(),
    prepare: keepLastUsed((sql) => {
      const statement = database.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...bindable(parameters)),
        run: (parameters) => statement.run(...bindable(parameters)),
        iterate: (parameters) => statement.iterate(...bindable(parameters)),
      };
    }),
  };
}

/** Enough for the statements that come again and again; others have as many texts as lists have lengths. */
const MAX_PREPARED = 100;

/** Preparing each statement anew was a quarter of the time of a claim and its result (measured). */
function keepLastUsed(prepare: SqliteDatabase['prepare']): SqliteDatabase['prepare'] {
  const kept = new Map<string, ReturnType<typeof prepare>>();
  return (sql) => {
    const statement = kept.get(sql) ?? prepare(sql);
    setNewest(kept, sql, statement, MAX_PREPARED);
    return statement;
  };
}

/** SQLite's result code for a lock that is held elsewhere (https://sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5;

export class DatabaseInUse extends Error {
  constructor(path: string) {
    super(
      `The database ${path} is in use by another Patchbay process. Stop it first, ` +
        'or set DATABASE_URL to a PostgreSQL database, which several processes can share.',
    );
    this.name = 'DatabaseInUse';
  }
}

type InstanceLock = { readonly release: () => void };

/**
 * Takes the lock of the database at `path`, which one process may have, or throws {@link DatabaseInUse} at once. It is an
 * exclusive transaction on a small side file: the system frees it when the process ends, however it ends, so there is no
 * stale lock and no process id to check.
 */
function takeInstanceLock(path: string): InstanceLock {
  const file = `${path}.lock.db`;
  restrictToOwner(file);
  const side = new DatabaseSync(file, { timeout: 0 });
  try {
    side.exec('begin exclusive');
  } catch (error) {
    side.close();
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    throw isBusy ? new DatabaseInUse(path) : error;
  }
  return { release: () => side.close() };
}
