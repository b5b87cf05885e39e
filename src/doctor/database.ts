/** Checks of the database, as it stands: nothing is made or migrated, and a bot may be running on it. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Database } from '../config.ts';
import { DATABASE_FILES } from '../store/file-mode.ts';
import { fileTrouble } from '../store/file-trouble.ts';
import { type Inspected, inspectDatabase } from '../store/inspect.ts';
import { type Finding, fail, ok, warn } from './check.ts';

const NAME = 'database';

export async function checkDatabase(database: Database): Promise<readonly Finding[]> {
  if (database.kind === 'postgres') return [await checkServer(database)];
  if (!existsSync(database.path)) return [checkFolder(database.path)];
  return [await checkFile(database), ...checkModes(database.path)];
}

async function checkServer(database: Database): Promise<Finding> {
  try {
    const { standing, version, mayCreate } = await inspectDatabase(database);
    const needsTables = standing.kind === 'empty' || standing.kind === 'foreign' || standing.kind === 'older';
    if (needsTables && mayCreate === false)
      return fail(
        NAME,
        `PostgreSQL ${version}: this user can't create tables`,
        'grant this user CREATE on the schema, or use another user in DATABASE_URL',
      );
    // A server's database may hold other programs' tables too.
    return standing.kind === 'foreign'
      ? standingOf(`PostgreSQL ${version}`, { kind: 'empty' })
      : standingOf(`PostgreSQL ${version}`, standing);
  } catch (error) {
    return fail(NAME, `PostgreSQL: ${reasonOf(error)}`, 'check DATABASE_URL, and that the server is running');
  }
}

async function checkFile(database: Extract<Database, { kind: 'sqlite' }>): Promise<Finding> {
  const where = `SQLite at ${database.path}`;
  try {
    accessSync(database.path, constants.R_OK | constants.W_OK);
    const { standing, version, journal } = await inspectDatabase(database);
    const file = `SQLite ${version} at ${database.path}`;
    // The start refuses these, so it turns nothing on.
    if (standing.kind === 'foreign' || standing.kind === 'newer') return standingOf(file, standing);
    const log = journal === 'wal' ? 'write-ahead log on' : 'the next start turns the write-ahead log on';
    return standingOf(`${file}, ${log}`, standing);
  } catch (error) {
    return fail(
      NAME,
      `${where}: ${reasonOf(error)}`,
      'check the file and its folder, and that Patchbay can write to both',
    );
  }
}

/** `what` in the state that a start would find. */
function standingOf(what: string, standing: Inspected['standing']): Finding {
  switch (standing.kind) {
    case 'current':
      return ok(NAME, `${what}; tables up to date`);
    case 'empty':
      return ok(NAME, `${what}; empty; the next start creates the tables`);
    case 'older':
      return ok(NAME, `${what}; tables from an older version; the next start migrates them`);
    case 'newer':
      return fail(
        NAME,
        `${what}; tables from a newer version (${standing.unknown.join(', ')})`,
        'run the newer version of Patchbay, or restore a backup made with this one',
      );
    case 'foreign':
      return fail(
        NAME,
        `${what}; ${standing.tables === 1 ? '1 table' : `${standing.tables} tables`} from another program, none from Patchbay`,
        'check that DATABASE_URL points to the right file',
      );
  }
}

/** Where there is no file yet, a start must be able to make it. */
function checkFolder(file: string): Finding {
  const where = `SQLite at ${file}`;
  let folder = path.dirname(path.resolve(file));
  while (!existsSync(folder) && folder !== path.dirname(folder)) folder = path.dirname(folder);
  try {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
    accessSync(folder, constants.W_OK);
    return ok(NAME, `${where}; no file yet; the next start creates it`);
  } catch (error) {
    return fail(NAME, `${where}: ${reasonOf(error)}`, 'check the folder in DATABASE_URL and its permissions');
  }
}

/** Windows has no such modes. */
function checkModes(file: string): readonly Finding[] {
  const all = DATABASE_FILES.map((suffix) => `${file}${suffix}`).filter((one) => existsSync(one));
  const open = process.platform === 'win32' ? [] : all.filter((one) => (statSync(one).mode & 0o077) !== 0);
  const name = 'database files';
  if (open.length === 0) return [ok(name, 'only their owner can access them')];
  return [
    warn(
      name,
      `other users can access ${open.join(', ')}`,
      'run chmod 600 on them; the next start does this for files that it owns',
    ),
  ];
}

function reasonOf(error: unknown): string {
  const ofFile = fileTrouble(error);
  if (ofFile !== null) return ofFile;
  return error instanceof Error ? error.message : String(error);
}
