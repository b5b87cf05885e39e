/** Databases that cannot be used. */
import type { Database } from '../config.ts';

/** The database that the settings name cannot be used: one clear line, no stack. */
export class DatabaseFailure extends Error {
  constructor(where: string, cause: unknown) {
    super(`${where} cannot be used: ${reasonOf(cause)}`, { cause });
    this.name = 'DatabaseFailure';
  }
}

/** A database of another program: nothing of ours is put into it. */
export class ForeignDatabase extends Error {
  constructor(path: string) {
    super(
      `The database ${path} has tables of another program and none of Patchbay's. ` +
        'Set DATABASE_URL to a file of its own.',
    );
    this.name = 'ForeignDatabase';
  }
}

/** Without the address of a server: it holds the password. */
export function nameOfDatabase(database: Database): string {
  return database.kind === 'sqlite' ? `The database ${database.path}` : 'The database at DATABASE_URL';
}

/** A refused connection to a name of several addresses is many errors without words of its own. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0]);
  return cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
}
