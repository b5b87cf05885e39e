/** A database with something in it, a bot that has it open, and the verbs that look at it. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { perTest } from '../harness/per-test.ts';
import { runVerb } from '../harness/run-verb.ts';
import { anEntry, ORGANIZATION } from '../store/builders.ts';
import { storeRequest } from '../store/request-builders.ts';

/** More than one page of them. */
export const ENTRIES = 1_045;

export type MaintenanceSetup = Awaited<ReturnType<typeof createMaintenanceSetup>>;

let template: Promise<string> | undefined;

/** A file with a long chain, made once. */
async function templateFile(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'patchbay-template-')), 'patchbay.sqlite');
  const store = await openStore({ database: { kind: 'sqlite', path }, organizationId: ORGANIZATION });
  await store.transaction(async (tables) => {
    for (let at = 1; at < ENTRIES; at += 1) await tables.audit.append(anEntry({ subject: `s${at}` }));
  });
  await store.close();
  return path;
}

/** What was written last stands in the log beside the file. */
export function useMaintenanceSetup(): () => MaintenanceSetup {
  afterAll(async () => {
    const made = await template;
    if (made !== undefined) rmSync(dirname(made), { recursive: true, force: true });
  });
  return perTest(createMaintenanceSetup, async ({ store, folder }) => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
}

async function createMaintenanceSetup() {
  template ??= templateFile();
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-kept-'));
  const file = join(folder, 'patchbay.sqlite');
  copyFileSync(await template, file);
  const store = await openStore({ database: { kind: 'sqlite', path: file }, organizationId: ORGANIZATION });
  const { request } = await storeRequest(store);
  await store.audit.append(anEntry({ subject: request.id }));
  return {
    folder,
    file,
    store,
    run: (...words: readonly string[]) => runVerb(words, { DATABASE_URL: `sqlite:${file}` }),
    /** As somebody with the rights to the file would: without the triggers. */
    tamper(statement: string, at = file): void {
      const raw = new DatabaseSync(at, { timeout: 5_000 });
      for (const name of ['audit_no_update', 'audit_no_delete', 'audit_no_replace'])
        raw.exec(`drop trigger if exists ${name}`);
      raw.exec(statement);
      raw.close();
    },
  };
}

/** Files that are no database of ours: how each is made, and the one line about it. */
export const FOREIGN_FILES: readonly (readonly [string, (file: string) => void, RegExp])[] = [
  [
    'a file of another program',
    (file) => {
      const theirs = new DatabaseSync(file);
      theirs.exec('create table photos (name text)');
      theirs.close();
    },
    /^The database \S+foreign\.sqlite belongs to another program: it has tables, but none of Patchbay's\.\n$/,
  ],
  [
    'a file that is not a database',
    (file) => writeFileSync(file, 'not a database at all'.repeat(100)),
    /^\S+foreign\.sqlite is not a SQLite database, or it is damaged\.\n$/,
  ],
  [
    'an empty file',
    (file) => writeFileSync(file, ''),
    /^The database \S+foreign\.sqlite is empty: Patchbay has not used it yet\.\n$/,
  ],
];
