/** Checks of the database. Nothing is created, and Patchbay may be running on it. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Database } from '../config/config.ts';
import { type DatabaseStatus, inspectDatabase } from '../store/admin/inspect-database.ts';
import { DATABASE_FILES, errorReason, missingFolder } from '../store/engines/database-files.ts';
import { type Finding, failFinding, okFinding, warnFinding } from './finding.ts';

const CHECK_NAME = 'database';

export async function checkDatabase(database: Database): Promise<readonly Finding[]> {
  if (database.kind === 'postgres') return [await checkServer(database)];
  if (!existsSync(database.path)) return [checkFolder(database.path)];
  return [await checkFile(database), ...checkModes(database.path)];
}

async function checkServer(database: Database): Promise<Finding> {
  try {
    const { schema, version, mayCreate } = await inspectDatabase(database);
    const needsTables = schema.kind === 'empty' || schema.kind === 'foreign';
    if (needsTables && mayCreate === false)
      return failFinding(
        CHECK_NAME,
        `PostgreSQL ${version}: this user can't create tables`,
        'grant this user CREATE on the schema, or use another user in DATABASE_URL',
      );
    // A server's database may hold other programs' tables too.
    return schema.kind === 'foreign'
      ? schemaFinding(`PostgreSQL ${version}`, { kind: 'empty' })
      : schemaFinding(`PostgreSQL ${version}`, schema);
  } catch (error) {
    return failFinding(
      CHECK_NAME,
      `PostgreSQL: ${errorReason(error)}`,
      'check DATABASE_URL, and that the server is running',
    );
  }
}

async function checkFile(database: Extract<Database, { kind: 'sqlite' }>): Promise<Finding> {
  const where = `SQLite at ${database.path}`;
  try {
    accessSync(database.path, constants.R_OK | constants.W_OK);
    const { schema, version, journal } = await inspectDatabase(database);
    const file = `SQLite ${version} at ${database.path}`;
    // The start rejects these, so the write-ahead log stays as it is.
    if (schema.kind === 'foreign' || schema.kind === 'other-version') return schemaFinding(file, schema);
    const log = journal === 'wal' ? 'write-ahead log on' : 'the next start turns the write-ahead log on';
    return schemaFinding(`${file}, ${log}`, schema);
  } catch (error) {
    return failFinding(
      CHECK_NAME,
      `${where}: ${errorReason(error)}`,
      'check the file and its folder, and that Patchbay can write to both',
    );
  }
}

/** The finding for the tables that a start would find. `what` names the database. */
function schemaFinding(what: string, schema: DatabaseStatus['schema']): Finding {
  switch (schema.kind) {
    case 'current':
      return okFinding(CHECK_NAME, `${what}; tables up to date`);
    case 'empty':
      return okFinding(CHECK_NAME, `${what}; empty; the next start creates the tables`);
    case 'other-version':
      return failFinding(
        CHECK_NAME,
        `${what}; tables of another version of Patchbay`,
        'run that version, or set DATABASE_URL to another database',
      );
    case 'foreign':
      return failFinding(
        CHECK_NAME,
        `${what}; ${schema.tables === 1 ? '1 table' : `${schema.tables} tables`} from another program, none from Patchbay`,
        'check that DATABASE_URL points to the right file',
      );
  }
}

/** Without a file, whether a start could create it. */
function checkFolder(file: string): Finding {
  const where = `SQLite at ${file}`;
  try {
    const missing = missingFolder(file);
    if (missing !== null)
      return failFinding(CHECK_NAME, `${where}: its folder does not exist`, `run ${missing.create}`);
    accessSync(path.dirname(path.resolve(file)), constants.W_OK);
    return okFinding(CHECK_NAME, `${where}; no file yet; the next start creates it`);
  } catch (error) {
    return failFinding(
      CHECK_NAME,
      `${where}: ${errorReason(error)}`,
      'check the folder in DATABASE_URL and its permissions',
    );
  }
}

/** Whether other users can read the files. Windows has no such modes. */
function checkModes(file: string): readonly Finding[] {
  const all = DATABASE_FILES.map((suffix) => `${file}${suffix}`).filter((one) => existsSync(one));
  const open = process.platform === 'win32' ? [] : all.filter((one) => (statSync(one).mode & 0o077) !== 0);
  const name = 'database files';
  if (open.length === 0) return [okFinding(name, 'only their owner can access them')];
  return [
    warnFinding(
      name,
      `other users can access ${open.join(', ')}`,
      'run chmod 600 on them; the next start does this for files that it owns',
    ),
  ];
}
