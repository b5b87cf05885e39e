/** What the doctor says of a database: it only looks, whoever has it open. */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkDatabase } from '../../src/doctor/doctor.ts';
import { findingText } from '../../src/doctor/finding.ts';
import { secret } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/open.ts';
import { useStarted } from '../harness/use-started.ts';
import { ORGANIZATION } from '../store/builders.ts';
import { query, startPostgres } from '../store/postgres.ts';

const textOf = async (database: Parameters<typeof checkDatabase>[0]) =>
  (await checkDatabase(database)).map(findingText).join('\n');

describe('the doctor on a SQLite file', () => {
  let folder = '';
  let file = '';
  const database = () => ({ kind: 'sqlite', path: file }) as const;
  const open = () => openStore({ database: database(), organizationId: ORGANIZATION });
  const run = (statement: string) => {
    const raw = new DatabaseSync(file);
    raw.exec(statement);
    raw.close();
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'patchbay-doctor-'));
    file = join(folder, 'patchbay.sqlite');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('works beside a running bot', async () => {
    const store = await open();
    expect(await textOf(database())).toMatch(
      /^ok {4}database: SQLite 3\.\S+ at \S+, write-ahead log on; tables up to date\nok {4}database files: only their owner can access them$/,
    );
    await store.close();
  });

  it('makes no file where there is none', async () => {
    expect(await textOf(database())).toMatch(/^ok .*no file yet; the next start creates it$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('finds fault with a place where none can be made', async () => {
    const path = '/dev/null/folder/patchbay.sqlite';
    expect(await textOf({ kind: 'sqlite', path })).toMatch(/^fail .*\n {6}→ check the folder/);
  });

  it('says what to type where the folder does not exist', async () => {
    expect(await textOf({ kind: 'sqlite', path: join(folder, 'a', 'b', 'patchbay.sqlite') })).toMatch(
      /^fail .*: its folder does not exist\n {6}→ run mkdir -p \S+\/a\/b$/,
    );
  });

  it('refuses tables of another version', async () => {
    await (await open()).close();
    run(`update patchbay_migrations set name = 'another'`);
    expect(await textOf(database())).toMatch(
      /^fail .*; tables of another version of Patchbay\n {6}→ run that version/,
    );
  });

  it('refuses a file of another program', async () => {
    run('create table theirs (one text)');
    expect(await textOf(database())).toMatch(
      /^fail {2}database: SQLite 3\S+ at \S+; 1 table from another program, none from Patchbay\n/,
    );
  });

  it('warns of files that others may read', async () => {
    const store = await open();
    chmodSync(`${file}-wal`, 0o644);
    expect(await textOf(database())).toMatch(
      /\nwarn {2}database files: other users can access \S+-wal\n {6}→ run chmod 600/,
    );
    await store.close();
  });
});

describe('the doctor on PostgreSQL', () => {
  const postgres = useStarted(startPostgres);

  it('says what the next start does, and does none of it', async () => {
    const url = await postgres.createDatabase();
    const database = { kind: 'postgres', url } as const;
    expect(await textOf(database)).toMatch(
      /^ok {4}database: PostgreSQL \d+\.\d+; empty; the next start creates/,
    );
    expect(await textOf(database)).toMatch(/empty/);
    const store = await openStore({ database, organizationId: ORGANIZATION });
    expect(await textOf(database)).toMatch(/; tables up to date$/);
    await store.close();
  });

  it('refuses a user who may not create what is missing', async () => {
    const url = await postgres.createDatabase();
    await query(url.reveal(), `create role looker login; revoke create on schema public from public`);
    const other = new URL(url.reveal());
    other.username = 'looker';
    const text = await textOf({ kind: 'postgres', url: secret(other.href) });
    expect(text).toMatch(/^fail .*this user can't create tables\n {6}→ grant/);
    await query(url.reveal(), 'drop role looker');
  });

  it('keeps the password to itself where there is no server', async () => {
    const url = secret('postgres://me:hush-hush@127.0.0.1:1/db');
    const text = await textOf({ kind: 'postgres', url });
    expect(text).toMatch(/^fail .*ECONNREFUSED/);
    expect(text).not.toContain('hush-hush');
  });
});
