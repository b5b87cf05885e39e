/** Errors for databases that can't be used. */
import type { Database } from '../../config/config.ts';
import { fileErrorText } from './database-files.ts';

/** The configured database can't be used: one clear line without a stack. */
export class DatabaseFailure extends Error {
  constructor(where: string, cause: unknown) {
    super(`${where} cannot be used: ${errorReason(cause)}`, { cause });
    this.name = 'DatabaseFailure';
  }
}

/** Why a file is not ours: other tables, not a SQLite database at all, or empty where it should not be. */
export type ForeignReason = 'other-tables' | 'no-database' | 'no-tables';

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
function errorReason(cause: unknown): string {
  const ofFile = fileErrorText(cause);
  if (ofFile !== null) return ofFile;
  if (cause instanceof AggregateError && cause.errors.length > 0) return errorReason(cause.errors[0]);
  return cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
}
