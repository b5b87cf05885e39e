import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyDatabase, prepareDatabase } from '../../../src/sandbox/process/product-setup.ts';
import { useStarted } from '../../harness/use-started.ts';
import { query, startPostgres } from '../../store/postgres.ts';

describe('emptying a SQLite database', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'patchbay-database-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('removes it with its side files, and nothing else', async () => {
    const url = `sqlite:${join(folder, 'state', 'p.sqlite')}`;
    await prepareDatabase(url);
    const own = ['p.sqlite', 'p.sqlite-wal', 'p.sqlite-shm', 'p.sqlite-journal', 'p.sqlite.lock.db'];
    const others = ['other.sqlite', 'p.sqlite.backup'];
    await Promise.all([...own, ...others].map((name) => writeFile(join(folder, 'state', name), 'x')));
    await emptyDatabase(url);
    expect((await readdir(join(folder, 'state'))).sort()).toEqual(others);
  });

  test('does nothing where there is none', async () => {
    const before = await readdir(folder);
    await emptyDatabase(`sqlite:${join(folder, 'none.sqlite')}`);
    expect(await readdir(folder)).toEqual(before);
  });
});

describe('emptying a PostgreSQL database', () => {
  const postgres = useStarted(startPostgres);

  test('leaves an empty schema in which tables can be made again', async () => {
    const url = (await postgres.createDatabase()).reveal();
    await query(url, 'create table notices (id int primary key)');
    await query(url, 'insert into notices values (1)');
    await prepareDatabase(url);
    await emptyDatabase(url);
    await query(url, 'create table notices (id int primary key)');
    expect(await query(url, 'select * from notices')).toEqual([]);
  });
});
