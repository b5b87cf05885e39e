/** Files of the database are their owner's alone: they hold who asked for what, names and addresses of devices. */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

const OWNER_ONLY = 0o600;
/** SQLite gives its side files the mode of the database when it makes them; those of earlier programs stay as they are. */
const SIDE_FILES = ['-wal', '-shm', '-journal'];
/** Suffixes of everything that belongs to a database, the file itself included. */
export const DATABASE_FILES: readonly string[] = ['', ...SIDE_FILES, '.lock.db'];

/** Makes the file where there is none, and takes everybody else's rights from it and its side files. Throws where it cannot be made. */
export function restrictToOwner(file: string): void {
  // The mode is set apart from the making, which the umask narrows, and which leaves a file that exists as it is.
  closeSync(openSync(file, 'a', OWNER_ONLY));
  for (const one of [file, ...SIDE_FILES.map((suffix) => `${file}${suffix}`)]) restrictMode(one);
}

/** A file of somebody else's cannot be changed: it stays usable, and the doctor tells of it. */
function restrictMode(file: string): void {
  if (!existsSync(file)) return;
  try {
    chmodSync(file, OWNER_ONLY);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error;
  }
}

/** Why a file cannot be used, in plain words: those of SQLite and of the system say little to people. */

/** Primary result codes (https://sqlite.org/rescode.html); extended ones hold theirs in the lowest byte. */
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

/** One phrase; null where the error is of another kind. */
export function fileErrorText(error: unknown): string | null {
  const code = sqliteCode(error);
  if (code !== null) return SQLITE_TEXTS.get(code) ?? null;
  return error instanceof Error && 'code' in error ? (SYSTEM_TEXTS.get(error.code) ?? null) : null;
}

export function isNotADatabase(error: unknown): boolean {
  return sqliteCode(error) === NOT_A_DATABASE;
}

function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return null;
  return error.errcode & 0xff;
}
