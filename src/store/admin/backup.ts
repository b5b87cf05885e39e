/**
 * Copies a SQLite database into one new file while the bot runs. Copying only the database file would miss the
 * write-ahead log, which on a young database is everything.
 */
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { tableNames } from '../create-schema.ts';
import { openReadOnly } from '../open.ts';
import { type ChainVerdict, verifyAudit } from './verify-audit.ts';

export type BackupResult =
  | {
      readonly kind: 'made';
      readonly bytes: number;
      readonly rows: readonly { readonly table: string; readonly count: number }[];
      readonly chains: readonly ChainVerdict[];
    }
  /** The file already exists; it stays as it is. */
  | { readonly kind: 'exists' }
  /** Another backup to this file is running or was killed, and left this partial file. */
  | { readonly kind: 'begun'; readonly partial: string }
  /** SQLite found these faults in the copy, which was deleted. */
  | { readonly kind: 'damaged'; readonly faults: readonly string[] };

/** More pages than any database has: the copy is one step, because a step starts over after each write of the bot. */
const ALL_PAGES = 2 ** 31 - 1;
const BUSY_TIMEOUT_MS = 5_000;

/** Copies the database at `from` to the new file `to` and checks the copy. Throws when either can't be used. */
export async function backUpDatabase(from: string, to: string): Promise<BackupResult> {
  if (existsSync(to)) return { kind: 'exists' };
  const partial = `${to}.partial`;
  // Only a complete and checked copy ever gets the final name.
  if (!falseIfExists(() => closeSync(openSync(partial, 'wx', 0o600)))) return { kind: 'begun', partial };
  try {
    chmodSync(partial, 0o600);
    await copy(from, partial);
    const faults = finalizeCopy(partial);
    if (faults.length > 0) return { kind: 'damaged', faults };
    const contents = await countContents(partial);
    const copied = openSync(partial, 'r+');
    fsyncSync(copied);
    closeSync(copied);
    // Unlike a rename, a link never replaces a file that appeared in the meantime.
    if (!falseIfExists(() => linkSync(partial, to))) return { kind: 'exists' };
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

/** Turns the copy into one file without a log beside it, and lets SQLite check all of it. Returns the faults. */
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

function falseIfExists(job: () => void): boolean {
  try {
    job();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
