/** Why a file cannot be used, in plain words: those of SQLite and of the system say little to people. */

/** Primary result codes (https://sqlite.org/rescode.html); extended ones hold theirs in the lowest byte. */
const OF_SQLITE: ReadonlyMap<number, string> = new Map([
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
const OF_THE_SYSTEM: ReadonlyMap<unknown, string> = new Map([
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
export function fileTrouble(error: unknown): string | null {
  const code = sqliteCode(error);
  if (code !== null) return OF_SQLITE.get(code) ?? null;
  return error instanceof Error && 'code' in error ? (OF_THE_SYSTEM.get(error.code) ?? null) : null;
}

export function isNoDatabase(error: unknown): boolean {
  return sqliteCode(error) === NOT_A_DATABASE;
}

function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return null;
  return error.errcode & 0xff;
}
