/** The bot's database in the sandbox: its address, and a way to empty it while nobody uses it. */
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Client } from 'pg';

/** SQLite's files and the lock files of the store's instance lock. */
const SQLITE_FILES = ['', '-wal', '-shm', '-journal', '.lock.db', '.lock.db-journal'];

/** Makes the folder of a SQLite database; PostgreSQL needs none. */
export async function prepareDatabase(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) await mkdir(dirname(sqlitePath(url)), { recursive: true });
}

/** Empties the database: removes the SQLite files, or drops and recreates PostgreSQL's schema `public`. */
export async function emptyDatabase(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const path = sqlitePath(url);
    await Promise.all(SQLITE_FILES.map((suffix) => rm(`${path}${suffix}`, { force: true })));
    return;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public');
  } finally {
    await client.end();
  }
}

function sqlitePath(url: string): string {
  return url.slice('sqlite:'.length);
}
