/** Databases that cannot be used. */
import type { Database } from '../config.ts';
import { fileTrouble } from './file-trouble.ts';

/** The database that the settings name cannot be used: one clear line, no stack. */
export class DatabaseFailure extends Error {
  constructor(where: string, cause: unknown) {
    super(`${where} cannot be used: ${reasonOf(cause)}`, { cause });
    this.name = 'DatabaseFailure';
  }
}

/** Why a file is none of ours: other tables, no SQLite database at all, or nothing in it where there should be. */
export type Foreignness = 'other-tables' | 'no-database' | 'no-tables';

/** A file of another program: nothing of ours is put into it. */
export class ForeignDatabase extends Error {
  /** The message without what to set: for a file that no setting named. */
  readonly found: string;

  constructor(path: string, why: Foreignness) {
    const found = FOREIGN[why](path);
    super(`${found} Set DATABASE_URL to another file.`);
    this.name = 'ForeignDatabase';
    this.found = found;
  }
}

const FOREIGN: Readonly<Record<Foreignness, (path: string) => string>> = {
  'other-tables': (path) =>
    `The database ${path} belongs to another program: it has tables, but none of Patchbay's.`,
  'no-database': (path) => `${path} is not a SQLite database, or it is damaged.`,
  'no-tables': (path) => `The database ${path} is empty: Patchbay has not used it yet.`,
};

/** Without the address of a server: it holds the password. */
export function nameOfDatabase(database: Database): string {
  return database.kind === 'sqlite' ? `The database ${database.path}` : 'The database at DATABASE_URL';
}

/** A refused connection to a name of several addresses is many errors without words of its own. */
function reasonOf(cause: unknown): string {
  const ofFile = fileTrouble(cause);
  if (ofFile !== null) return ofFile;
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0]);
  return cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
}
