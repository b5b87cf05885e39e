/**
 * Database files, which are readable by their owner only (they hold who requested what, and names and addresses of
 * devices), and errors for databases that can't be used.
 */
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Database } from '../../config/config.ts';

const OWNER_ONLY = 0o600;
/** SQLite creates its side files with the mode of the database; side files from other programs keep their mode. */
const SIDE_FILES = ['-wal', '-shm', '-journal'];
/** Suffixes of everything that belongs to a database, the file itself included. */
export const DATABASE_FILES: readonly string[] = ['', ...SIDE_FILES, '.lock.db'];

/** Creates a missing file, and removes everybody else's rights from it and its side files. */
export function restrictToOwner(file: string): void {
  // The mode is set separately, because the umask narrows the mode of a new file and an existing file keeps its own.
  closeSync(openSync(file, 'a', OWNER_ONLY));
  for (const one of [file, ...SIDE_FILES.map((suffix) => `${file}${suffix}`)]) restrictMode(one);
}

/** Another user's file can't be changed: it stays usable, and the doctor reports it. */
function restrictMode(file: string): void {
  if (!existsSync(file)) return;
  try {
    chmodSync(file, OWNER_ONLY);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error;
  }
}

/**
 * The folder of a database file, if it does not exist, and what to type to create it. Patchbay does not create it: a
 * mistyped path, or a volume that is not mounted, would start with an empty database. Null where it exists; throws where
 * it can't be created.
 */
export function missingFolder(file: string): { readonly folder: string; readonly create: string } | null {
  const folder = path.dirname(path.resolve(file));
  try {
    // The separator: a file in place of the folder throws.
    statSync(`${folder}${path.sep}`);
    return null;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  if (process.platform === 'win32') return { folder, create: `mkdir "${folder}"` };
  const word = /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", String.raw`'\''`)}'`;
  return { folder, create: `mkdir -p ${word}` };
}

/** Primary result codes (https://sqlite.org/rescode.html); extended codes contain them in the lowest byte. */
const SQLITE_TEXTS: ReadonlyMap<number, string> = new Map([
  [3, 'Patchbay has no permission to access it'],
  [5, 'another program has it locked'],
  [6, 'another program has it locked'],
  [8, 'it is read-only'],
  [10, 'the disk failed, or it is not a file'],
  [11, 'it is damaged'],
  [13, 'the disk is full'],
  [14, 'it does not exist, or Patchbay has no permission to open it'],
  [26, 'it is not a SQLite database'],
]);
const SYSTEM_TEXTS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'no such file or folder'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'its disk is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is full'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['EMFILE', 'too many files are open'],
]);
const NOT_A_DATABASE = 26;

/** In one plain phrase: the words of SQLite and the system say little. Null for other errors. */
function fileErrorText(error: unknown): string | null {
  const code = sqliteCode(error);
  if (code !== null) return SQLITE_TEXTS.get(code) ?? null;
  return error instanceof Error && 'code' in error ? (SYSTEM_TEXTS.get(error.code) ?? null) : null;
}

/** The reason of an error, in plain words where they are known. */
export function errorReason(error: unknown): string {
  return fileErrorText(error) ?? (error instanceof Error ? error.message : String(error));
}

export function isNotADatabase(error: unknown): boolean {
  return sqliteCode(error) === NOT_A_DATABASE;
}

function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return null;
  return error.errcode & 0xff;
}

/** The configured database can't be used: one clear line without a stack. */
export class DatabaseFailure extends Error {
  constructor(where: string, cause: unknown) {
    super(`${where} cannot be used: ${reasonOf(cause)}`, { cause });
    this.name = 'DatabaseFailure';
  }
}

/** Why a file is not ours: other tables, not a SQLite database at all, or empty where it should not be. */
type ForeignReason = 'other-tables' | 'no-database' | 'no-tables';

/** A file of another program: Patchbay writes nothing into it. */
export class ForeignDatabase extends Error {
  /** The message without advice about settings, for a file that no setting names. */
  readonly finding: string;

  constructor(path: string, why: ForeignReason) {
    const found = FOREIGN_TEXTS[why](path);
    super(`${found} Set DATABASE_URL to another file.`);
    this.name = 'ForeignDatabase';
    this.finding = found;
  }
}

const FOREIGN_TEXTS: Readonly<Record<ForeignReason, (path: string) => string>> = {
  'other-tables': (path) =>
    `The database ${path} belongs to another program: it has tables, but none of Patchbay's.`,
  'no-database': (path) => `${path} is not a SQLite database, or it is damaged.`,
  'no-tables': (path) => `The database ${path} is empty: Patchbay has not used it yet.`,
};

/** Does not contain the address of a server, because that holds the password. */
export function databaseName(database: Database): string {
  return database.kind === 'sqlite' ? `The database ${database.path}` : 'The database at DATABASE_URL';
}

/** A refused connection to a name with several addresses is an error of errors without a message of its own. */
function reasonOf(cause: unknown): string {
  const ofFile = fileErrorText(cause);
  if (ofFile !== null) return ofFile;
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0]);
  return cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
}
