/** Files of the database are their owner's alone: they hold who asked for what, names and addresses of devices. */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

const OWNER_ONLY = 0o600;
/** SQLite gives its side files the mode of the database when it makes them; those of earlier programs stay as they are. */
const SIDE_FILES = ['-wal', '-shm', '-journal'];
/** Suffixes of everything that belongs to a database, the file itself included. */
export const DATABASE_FILES: readonly string[] = ['', ...SIDE_FILES, '.lock.db'];

/** Makes the file where there is none, and takes everybody else's rights from it and its side files. Throws where it cannot be made. */
export function keepForOwner(file: string): void {
  // The mode is set apart from the making, which the umask narrows, and which leaves a file that exists as it is.
  closeSync(openSync(file, 'a', OWNER_ONLY));
  for (const one of [file, ...SIDE_FILES.map((suffix) => `${file}${suffix}`)]) narrow(one);
}

/** A file of somebody else's cannot be changed: it stays usable, and the doctor tells of it. */
function narrow(file: string): void {
  if (!existsSync(file)) return;
  try {
    chmodSync(file, OWNER_ONLY);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error;
  }
}
