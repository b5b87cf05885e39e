import { execSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestId } from '../../../src/lib/ids.ts';
import { NotStored } from '../../../src/lib/not-stored.ts';
import { toParameter } from '../../../src/store/engines/engine.ts';
import { DatabaseInUse } from '../../../src/store/engines/sqlite.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { firstBrokenRecord } from '../../../src/store/tables/audit.ts';
import { anAlert, anEntry, fresh, ORGANIZATION, START } from '../builders.ts';
import { storeContract } from '../contract.ts';
import { aRequest, aRequestTarget } from '../request-builders.ts';
import { type TestDatabase, useStoreSetup } from '../store-setup.ts';

const newFolder = () => mkdtemp(path.join(tmpdir(), 'patchbay-store-'));

function runRaw(file: string, statement: string): Record<string, unknown>[] {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
}

async function createDatabase(): Promise<TestDatabase> {
  const folder = await newFolder();
  const file = path.join(folder, 'patchbay.sqlite');
  return {
    database: { kind: 'sqlite', path: file },
    shared: false,
    raw: async (statement) => runRaw(file, statement),
    replacing: `insert or replace into audit
      select organization_id, sequence, at, 'somebody else', action, subject, detail, hash from audit`,
    remove: () => rm(folder, { recursive: true }),
  };
}

describe('a store on SQLite', () => {
  storeContract(useStoreSetup(createDatabase));
});

/**
 * A file as a process leaves it that was killed: with its log, readable by others. Returns what releases it.
 */
async function openStoreOfBefore(file: string): Promise<() => void> {
  const store = await openStore({ database: { kind: 'sqlite', path: file }, organizationId: ORGANIZATION });
  await store.close();
  const database = new DatabaseSync(file);
  database.exec('create table before (one text); insert into before values (1)');
  // A reader keeps the side files when the writer goes.
  const reader = new DatabaseSync(file);
  reader.exec('begin; select * from before');
  database.close();
  return () => reader.close();
}

let folder = '';
let file = '';
const open = (at = file) =>
  openStore({ database: { kind: 'sqlite', path: at }, organizationId: ORGANIZATION });
beforeEach(async () => {
  folder = await newFolder();
  file = path.join(folder, 'patchbay.sqlite');
});
afterEach(() => rm(folder, { recursive: true }));

describe('a SQLite file', () => {
  it('uses a write-ahead log and is synced at each commit', async () => {
    const store = await open();
    expect(runRaw(file, 'pragma journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    await store.close();
  });

  it('is refused in a folder that does not exist, with what to type to create it', async () => {
    const missing = path.join(folder, "the bot's", 'b');
    const refused = await open(path.join(missing, 'patchbay.sqlite')).catch(String);
    const [line = '', typed = ''] = String(refused).split(' To create it, type: ');
    expect(line).toMatch(/The database .* cannot be used: its folder /);
    expect(line).toContain(`its folder ${missing} does not exist.`);
    expect(readdirSync(folder)).toEqual([]);
    execSync(typed);
    await (await open(path.join(missing, 'patchbay.sqlite'))).close();
  });

  it.each([
    ['whatever the umask', 0o000, false],
    ['also when it was open to others before', 0o022, true],
  ])('is for its owner only with its side files, %s', async (_, mask, before) => {
    const suffixes = ['', '-wal', '-shm', '.lock.db'];
    const modes = async () => {
      const stats = await Promise.all(suffixes.map((suffix) => stat(`${file}${suffix}`)));
      return stats.map(({ mode }) => (mode & 0o777).toString(8));
    };
    const umask = process.umask(mask);
    try {
      const letGo = before ? await openStoreOfBefore(file) : () => undefined;
      if (before) for (const suffix of suffixes) await chmod(`${file}${suffix}`, 0o666);
      const store = await open();
      expect(await modes()).toEqual(['600', '600', '600', '600']);
      letGo();
      await store.close();
    } finally {
      process.umask(umask);
    }
  });

  it('is refused to a second store, by any of its names, and free when the first is closed', async () => {
    const store = await open();
    const alias = path.join(folder, 'alias.sqlite');
    await symlink(file, alias);
    for (const name of [file, alias]) await expect(open(name)).rejects.toThrow(DatabaseInUse);
    await expect(open()).rejects.toThrow(/in use by another Patchbay process.*DATABASE_URL/);
    await store.close();
    await (await open()).close();
  });

  it('is refused to a second process, and free at once when the first is killed', async () => {
    const holder = spawn(process.execPath, [path.join(import.meta.dirname, 'hold-store.ts'), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(holder.stdout, 'data');
      await expect(open()).rejects.toThrow(DatabaseInUse);
    } finally {
      holder.kill('SIGKILL');
      await once(holder, 'exit');
    }
    await (await open()).close();
  });

  it('is opened after a process died inside its very first transaction', async () => {
    const first = path.join(path.dirname(file), 'first.sqlite');
    const dying = new DatabaseSync(first);
    // A cache of one page makes the transaction write to the file before its end, as a large one does.
    dying.exec('pragma cache_size = 1; begin; create table patchbay_migrations (name text)');
    const insert = dying.prepare('insert into patchbay_migrations values (?)');
    for (let row = 0; row < 100; row += 1) insert.run('x'.repeat(1_000));
    await copyFile(first, file);
    await copyFile(`${first}-journal`, `${file}-journal`);
    dying.close();
    const opened = new DatabaseSync(file, { readOnly: true });
    expect(() => opened.prepare('select * from sqlite_schema').all()).toThrow('readonly');
    opened.close();
    await (await open()).close();
  });

  it('frees the leases of a process that died, since nobody else can hold one', async () => {
    const store = await open();
    await store.work.put({ kind: 'run', key: 'a', dueAt: START });
    const lease = { now: START, leaseMs: 3_600_000, limit: 1 };
    expect((await store.work.claim(lease)).length).toBe(1);
    await store.close();
    const next = await open();
    expect(await next.work.claim(lease)).toMatchObject([{ key: 'a', attempts: 1 }]);
    await next.close();
  });

  it('has none of the tables where creating them was interrupted', async () => {
    // With the first table of ours, or it would be taken for another program's.
    runRaw(file, 'create table patchbay_migrations (name text primary key, timestamp text not null)');
    runRaw(file, 'create table audit (in_the_way text)');
    await expect(open()).rejects.toThrow('already exists');
    runRaw(file, 'drop table audit');
    await (await open()).close();
  });

  it('of another version is refused, and left to it', async () => {
    await (await open()).close();
    runRaw(file, `update patchbay_migrations set name = 'another'`);
    const refusal = `The database ${file} cannot be used: it has the tables of another version of Patchbay`;
    await expect(open()).rejects.toThrow(refusal);
    await expect(open()).rejects.toThrow(refusal);
  });

  it('that is not a database is refused with an error, and not locked', async () => {
    await writeFile(file, 'hello'.repeat(1_000));
    await expect(open()).rejects.toThrow('not a SQLite database');
    await rm(file);
    await (await open()).close();
  });

  it('can be replaced by memory alone', async () => {
    const store = await open(':memory:');
    const request = aRequest();
    const inserted = await store.requests.insert(request, [aRequestTarget(request.id)]);
    expect(inserted).toEqual({ kind: 'inserted' });
    await store.close();
  });
});

describe('a parameter of a statement', () => {
  it.each([[null], [0], [-1], [''], ['text'], [2 ** 53 - 1], [10n]])('may be %s', (value) => {
    expect(toParameter(value)).toBe(value);
  });

  it.each([
    ['a Date, which node:sqlite would bind as NULL', new Date(0)],
    ['an object', {}],
    ['an array', [1]],
    ['undefined', undefined],
    ['a function', () => 1],
    ['NaN', Number.NaN],
    ['a number that is not whole', 0.5],
    ['a number beyond the safe ones', 2 ** 53],
  ])('is never %s', (_, value) => {
    expect(() => toParameter(value)).toThrow('not a value for the database');
  });

  it('is not quoted in the error when it is refused', () => {
    expect(() => toParameter({ secret: 'hush' })).toThrow(/^(?!.*hush)/);
  });

  it('is text that both engines store alike', () => {
    expect(toParameter('a\u0000b\udc00c💥')).toBe('a\uFFFDb\uFFFDc💥');
  });
});

describe('a full disk', () => {
  const seen: string[] = [];
  const watch = { wrote: () => void seen.push('wrote'), failed: (why: string) => void seen.push(why) };
  let store: Store;
  beforeEach(async () => {
    await (await open()).close();
    const database = { kind: 'sqlite', path: file } as const;
    store = await openStore({ database, organizationId: ORGANIZATION, mostPages: 1, watch });
    seen.length = 0;
  });
  afterEach(() => store.close());

  /** Until there is no room for one more. */
  const fill = async (): Promise<unknown> => {
    for (let rows = 0; rows < 10_000; rows += 1) {
      const failed = await store.work
        .put({ kind: 'expire', key: fresh(), dueAt: START, payload: 'x'.repeat(2_000) })
        .then(
          () => null,
          (error: unknown) => error,
        );
      if (failed !== null) return failed;
    }
    throw new Error('it never was full');
  };

  it('is reported as such, for a statement and for a transaction', async () => {
    const failed = await fill();
    expect(failed).toBeInstanceOf(NotStored);
    expect(failed).toMatchObject({ reason: 'disk-full' });
    const request = aRequest({ reason: 'y'.repeat(60_000) });
    const transaction = store.transaction(async (tables) => {
      await tables.audit.append(anEntry());
      await tables.requests.insert(request, [aRequestTarget(request.id)]);
    });
    await expect(transaction).rejects.toThrow(
      `The database disk is full (${file}): nothing was stored. Free some space. Patchbay then recovers on its own.`,
    );
    expect(await store.requests.get(request.id)).toBeNull();
    expect(seen.slice(-2)).toEqual(['disk-full', 'disk-full']);
  });

  it('is over as soon as there is space', async () => {
    await store.work.put({ kind: 'expire', key: 'first', dueAt: START, payload: 'x'.repeat(2_000) });
    await fill();
    await store.work.drop('expire', 'nothing');
    expect(seen.at(-1)).toBe('disk-full');
    await store.work.drop('expire', 'first');
    expect(seen.at(-1)).toBe('wrote');
    await expect(store.ping()).resolves.toBeUndefined();
  });

  it('hides no other error of a transaction, and reports no write that was rolled back', async () => {
    const failed = store.transaction(async (tables) => {
      await tables.alerts.put([anAlert()]);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(seen).toEqual([]);
    await store.work.put({ kind: 'expire', key: 'one', dueAt: START });
    expect(seen).toEqual(['wrote']);
  });
});

describe('a database of another program', () => {
  it('is refused in a plain sentence, and not changed', async () => {
    const other = new DatabaseSync(file);
    other.exec('create table photos (name text); insert into photos values (1)');
    other.close();
    const before = await readFile(file);
    await expect(open()).rejects.toThrow(
      `The database ${file} belongs to another program: it has tables, but none of Patchbay's. Set DATABASE_URL to another file.`,
    );
    expect(before.equals(await readFile(file))).toBe(true);
    expect(await readdir(folder)).toEqual(['patchbay.sqlite']);
  });
});

const KILLS = 8;
/** The first kills hit the start and the creation of tables, later ones the writing. */
const MOST_LINES = 150;

/** Runs the writer until it has printed `lines` lines, kills it, and returns everything it printed. */
async function writeUntilKilled(run: number, lines: number): Promise<readonly string[]> {
  const writer = spawn(process.execPath, [path.join(import.meta.dirname, 'kill-writer.ts'), file, `${run}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(writer, 'exit');
  const said: string[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    said.push(line);
    if (said.length === lines) writer.kill('SIGKILL');
  }
  expect(await exit).toEqual([null, 'SIGKILL']);
  return said;
}

/** What the writer stores under one name: a request in its third version with its target, and its card. */
async function expectKept(store: Store, name: string): Promise<void> {
  const id = requestId(`r_${name}`);
  const counts = { issuing: 1, open: 1 };
  expect(await store.requests.get(id)).toMatchObject({ version: 3, state: 'running', reason: name, counts });
  expect(await store.targets.of(id)).toMatchObject([{ state: 'issuing', response: name }]);
  expect(await store.cards.get(`approval:${name}`)).toMatchObject({ wantedRevision: 1 });
}

it(`loses nothing that was acknowledged in ${KILLS} kills`, async () => {
  const acknowledged: string[] = [];
  for (let run = 0; run < KILLS; run++) {
    const lines = run === 0 ? 1 : randomInt(1, MOST_LINES);
    const said = await writeUntilKilled(run, lines);
    acknowledged.push(...said.filter((line) => line !== 'opening'));
    const store = await open();
    for (const name of acknowledged) await expectKept(store, name);
    const trail = await store.audit.list(0, 100_000);
    expect(firstBrokenRecord(trail, ORGANIZATION)).toBeNull();
    const subjects = new Set(trail.map(({ subject }) => subject));
    expect(acknowledged.filter((name) => !subjects.has(name))).toEqual([]);
    await store.close();
  }
  expect(acknowledged.length).toBeGreaterThan(0);
});
