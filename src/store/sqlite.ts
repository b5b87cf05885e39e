/** SQLite through `node:sqlite`. Nothing else touches that module's statements: it is a release candidate. */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { CamelCasePlugin, type Dialect, Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import type { Engine } from './engine.ts';
import { type InstanceLock, takeInstanceLock } from './instance-lock.ts';
import { withParameters } from './parameters.ts';
import type { Schema } from './schema.ts';

/** How long a statement waits for a lock, such as a backup's. */
const BUSY_TIMEOUT_MS = 5_000;
/** SQLite's name for a database that lives in memory and dies with its connection. */
const IN_MEMORY = ':memory:';

/** Opens (and creates) the file at `given`, for this process alone. */
export function openSqlite(given: string): Engine {
  if (given === IN_MEMORY) return engine(open(IN_MEMORY), null);
  const file = prepareFile(given);
  const lock = takeInstanceLock(file);
  try {
    return engine(open(file), lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The real path, so that two names of one file meet the same lock. */
function prepareFile(given: string): string {
  mkdirSync(path.dirname(given), { recursive: true, mode: 0o700 });
  return existsSync(given)
    ? realpathSync(given)
    : path.join(realpathSync(path.dirname(given)), path.basename(given));
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    // FULL: in WAL mode anything less loses the last second of acknowledged writes in a power cut.
    database.exec('pragma journal_mode = wal; pragma synchronous = full');
    const mode = database.prepare('pragma journal_mode').get()?.['journal_mode'];
    if (mode !== 'wal' && file !== IN_MEMORY)
      throw new Error(
        `SQLite cannot use a write-ahead log at ${file} (mode: ${mode}); it needs a local disk`,
      );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function engine(database: DatabaseSync, lock: InstanceLock | null): Engine {
  const dialect = new SqliteDialect({ database: asKyselyDatabase(database) });
  const db = new Kysely<Schema>({
    dialect: withParameters(withTransactionalDdl(dialect)),
    plugins: [new CamelCasePlugin()],
  });
  return {
    kind: 'sqlite',
    db,
    // Not through Kysely, which closes nothing before its first query.
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
  // The parameters were converted by toParameter; a boolean, which it lets pass, is refused by SQLite itself.
  const bindable = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...bindable(parameters)),
        run: (parameters) => statement.run(...bindable(parameters)),
        iterate: (parameters) => statement.iterate(...bindable(parameters)),
      };
    },
  };
}

/**
 * SQLite rolls back DDL like anything else. Kysely assumes it does not and would run migrations outside a
 * transaction, so that a kill in the middle left tables that the next start cannot create again.
 */
function withTransactionalDdl(dialect: Dialect): Dialect {
  return {
    createAdapter: () =>
      Object.create(dialect.createAdapter(), { supportsTransactionalDdl: { value: true } }),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => dialect.createDriver(),
  };
}
