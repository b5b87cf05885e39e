/**
 * A copy of a SQLite database in one file of its own, made beside a running bot. Copying the file alone would miss
 * what stands in the write-ahead log: on a young database that is everything.
 */
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { openReadOnly } from '../open.ts';
import { tableNames } from './inspect-database.ts';
import { type ChainVerdict, verifyAudit } from './verify-audit.ts';

export type BackupResult =
  | {
      readonly kind: 'made';
      readonly bytes: number;
      readonly rows: readonly { readonly table: string; readonly count: number }[];
      readonly chains: readonly ChainVerdict[];
    }
  /** There is such a file already; it stays as it is. */
  | { readonly kind: 'exists' }
  /** Another run of this name goes on, or was killed: this file is what it made. */
  | { readonly kind: 'begun'; readonly partial: string }
  /** SQLite finds these faults in the copy, which is gone again. */
  | { readonly kind: 'damaged'; readonly faults: readonly string[] };

/** More pages than a database has: all in one step, since a step begins anew after each write of the bot. */
const ALL_PAGES = 2 ** 31 - 1;
const BUSY_TIMEOUT_MS = 5_000;

/** Copies the database at `from` to the new file `to` and checks the copy. Throws where one of them cannot be used. */
export async function backUpDatabase(from: string, to: string): Promise<BackupResult> {
  if (existsSync(to)) return { kind: 'exists' };
  const partial = `${to}.partial`;
  // Nothing but a whole and checked copy ever bears the name.
  if (!createFile(partial)) return { kind: 'begun', partial };
  try {
    chmodSync(partial, 0o600);
    await copy(from, partial);
    const faults = finalizeCopy(partial);
    if (faults.length > 0) return { kind: 'damaged', faults };
    const contents = await countContents(partial);
    syncFile(partial);
    if (!linkAs(partial, to)) return { kind: 'exists' };
    return { kind: 'made', bytes: statSync(to).size, ...contents };
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${partial}${suffix}`, { force: true });
  }
}

async function copy(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
}

/** Makes it one file without a log beside it, and has SQLite check all of it. What is wrong, if anything. */
function finalizeCopy(file: string): readonly string[] {
  const database = new DatabaseSync(file);
  try {
    database.exec('pragma journal_mode = delete');
    const found = database.prepare('pragma integrity_check').all();
    return found.map((row) => String(row['integrity_check'])).filter((text) => text !== 'ok');
  } finally {
    database.close();
  }
}

async function countContents(file: string) {
  const engine = openReadOnly({ kind: 'sqlite', path: file });
  try {
    const rows: { table: string; count: number }[] = [];
    for (const table of await tableNames(engine)) {
      const counted = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
        engine.db,
      );
      rows.push({ table, count: counted.rows[0]?.count ?? 0 });
    }
    return { rows, chains: await verifyAudit(engine) };
  } finally {
    await engine.close();
  }
}

function syncFile(file: string): void {
  const opened = openSync(file, 'r+');
  fsyncSync(opened);
  closeSync(opened);
}

/** An empty file for its owner alone; false: there is one of this name. */
function createFile(file: string): boolean {
  return falseIfExists(() => closeSync(openSync(file, 'wx', 0o600)));
}

/** False: a file of this name came meanwhile. A link never replaces one, as a rename would. */
function linkAs(from: string, to: string): boolean {
  return falseIfExists(() => linkSync(from, to));
}

function falseIfExists(job: () => void): boolean {
  try {
    job();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
