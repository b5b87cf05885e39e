/**
 * Allows one process per SQLite file. The lock is an exclusive transaction on a small side file: the system frees it
 * when the process ends, however it ends, so there is no stale lock and no process id to check.
 */
import { DatabaseSync } from 'node:sqlite';
import { restrictToOwner } from './database-files.ts';

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

export type InstanceLock = { readonly release: () => void };

/** Takes the lock of the database at `path`, or throws {@link DatabaseInUse} at once. */
export function takeInstanceLock(path: string): InstanceLock {
  const file = `${path}.lock.db`;
  restrictToOwner(file);
  const side = new DatabaseSync(file, { timeout: 0 });
  try {
    side.exec('begin exclusive');
  } catch (error) {
    side.close();
    throw isBusy(error) ? new DatabaseInUse(path) : error;
  }
  return { release: () => side.close() };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
