import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '../../src/lib/clock.ts';
import { chainText } from '../../src/maintenance/maintenance.ts';
import { backUpDatabase } from '../../src/store/admin/backup.ts';
import { verifyAudit } from '../../src/store/admin/verify-audit.ts';
import { openReadOnly, openStore } from '../../src/store/open.ts';
import { perTest } from '../harness/per-test.ts';
import { runVerb } from '../harness/run-verb.ts';
import { useStarted } from '../harness/use-started.ts';
import { anEntry, ORGANIZATION } from '../store/builders.ts';
import { query, startPostgres } from '../store/postgres.ts';
import { storeRequest } from '../store/request-builders.ts';

/** More than one page of them. */
const ENTRIES = 1_045;

/** A file with a long chain, made once. */
let template = '';
beforeAll(async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'patchbay-template-')), 'patchbay.sqlite');
  const store = await openStore({ database: { kind: 'sqlite', path }, organizationId: ORGANIZATION });
  await store.transaction(async (tables) => {
    for (let at = 1; at < ENTRIES; at += 1) await tables.audit.append(anEntry({ subject: `s${at}` }));
  });
  await store.close();
  template = path;
  return () => rmSync(dirname(path), { recursive: true });
});

/** A database, and a bot that has it open: what was written last stands in the log beside the file. */
async function createMaintenanceSetup() {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-kept-'));
  const file = join(folder, 'patchbay.sqlite');
  copyFileSync(template, file);
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

const setup = perTest(createMaintenanceSetup, async ({ store, folder }) => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Files that are no database of ours: how each is made, and the one line about it. */
const FOREIGN_FILES: readonly (readonly [string, (file: string) => void, RegExp])[] = [
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

async function verdictsOf(path: string): Promise<readonly string[]> {
  const engine = openReadOnly({ kind: 'sqlite', path });
  try {
    return (await verifyAudit(engine)).map(chainText);
  } finally {
    await engine.close();
  }
}

describe('npm run audit -- verify', () => {
  it('reads the whole chain beside a running bot', async () => {
    const last = (await setup().store.audit.list(ENTRIES - 1, 1))[0];
    const { code, out } = await setup().run('audit', 'verify');
    expect(out).toMatch(
      /^Audit trail of organization \d+ is intact: 1,045 entries from \d{4}-\S+Z to \d{4}-\S+Z\./,
    );
    expect(out).toContain(`Hash of the last entry: ${last?.hash}\n`);
    expect(out).toContain(
      'If entry 1045 later has a hash in the CSV file of /fleet audit that does not start like this one, the trail was rewritten.\n',
    );
    expect(code).toBe(0);
  });

  it.each([
    ['a changed entry', `update audit set actor = 'U0NOBODY' where sequence = 1030`, 1030, 'was changed'],
    ['a changed hash', `update audit set hash = 'f00d' where sequence = 1000`, 1000, 'was changed'],
    ['a missing entry', 'delete from audit where sequence = 1010', 1010, 'is missing'],
    ['a missing beginning', 'delete from audit where sequence < 5', 1, 'is missing'],
    [
      'a replaced entry',
      `insert or replace into audit select organization_id, sequence, at, 'x', action, subject, detail, hash from audit where sequence = 7`,
      7,
      'was changed',
    ],
    [
      'an entry that is none',
      `update audit set detail = 'not JSON' where sequence = 1020`,
      1020,
      'cannot be read',
    ],
    [
      'entries cut off at the end',
      'delete from audit where sequence > 1040',
      1041,
      'and those after it are missing',
    ],
    ['an emptied trail', 'delete from audit; delete from audit_heads', 1, 'a stored request has no entry'],
    [
      'a trail begun again',
      'delete from audit where sequence > 1; update audit_heads set sequence = 1, hash = (select hash from audit)',
      2,
      'a stored request has no entry',
    ],
    ['an end that is not recorded', 'delete from audit_heads', ENTRIES, 'recorded end'],
    ['another end', `update audit_heads set hash = 'f00d'`, ENTRIES, 'recorded end'],
  ])('finds %s', async (_, statement, sequence, problem) => {
    setup().tamper(statement);
    const [text, ...more] = await verdictsOf(setup().file);
    expect(text).toContain(`is broken at entry ${sequence}: `);
    expect(text).toContain(problem);
    expect(more).toEqual([]);
  });

  it.each([[['check']], [['verify', '--file']]])('says how it is used when told %j', async (words) => {
    const { code, err } = await setup().run('audit', ...words);
    expect(err).toMatch(/^Usage: npm run audit -- verify/);
    expect(code).toBe(2);
  });

  it('ends with 2 where there is no database', async () => {
    const { code, err } = await setup().run('audit', 'verify', '--file', '/nowhere/at/all.sqlite');
    expect(err).toBe(
      'The database /nowhere/at/all.sqlite cannot be read: it does not exist, or Patchbay has no permission to open it\n',
    );
    expect(code).toBe(2);
  });

  it.each(FOREIGN_FILES)('ends with 2 and plain words for %s', async (_, make, words) => {
    const file = join(setup().folder, 'foreign.sqlite');
    make(file);
    const { code, err } = await setup().run('audit', 'verify', '--file', file);
    expect(err).toMatch(words);
    expect(code).toBe(2);
  });
});

describe('npm run audit -- verify on PostgreSQL', () => {
  const postgres = useStarted(startPostgres);

  it('reads the chain beside a running bot, and finds what was changed', async () => {
    const url = await postgres.createDatabase();
    const store = await openStore({ database: { kind: 'postgres', url }, organizationId: ORGANIZATION });
    for (const subject of ['one', 'two', 'three']) await store.audit.append(anEntry({ subject }));
    const env = { DATABASE_URL: url.reveal() };
    const before = await runVerb(['audit', 'verify'], env);
    expect(before.out).toMatch(/is intact: 3 entries/);
    expect(before.code).toBe(0);
    await query(
      url.reveal(),
      `alter table audit disable trigger all; update audit set subject = 'x' where sequence = 2`,
    );
    const after = await runVerb(['audit', 'verify'], env);
    expect(after.out).toContain('is broken at entry 2: ');
    expect(after.code).toBe(1);
    await store.close();
  });
});

const target = () => join(setup().folder, 'copy.sqlite');

function requestsIn(file: string): unknown {
  const database = new DatabaseSync(file);
  try {
    return database.prepare('select count(*) as count from requests').get()?.['count'];
  } finally {
    database.close();
  }
}

describe('npm run backup', () => {
  it('holds what the log beside the file holds, which a copy of the file alone does not', async () => {
    const { code, out } = await setup().run('backup', target());
    expect(out).toMatch(
      /^Copied \S+patchbay\.sqlite to \S+copy\.sqlite \([\d,]+ bytes\)\.\nIntegrity check: ok\.\n/,
    );
    expect(out).toMatch(/\nContains 1,045 audit entries, 1 request, [\d,]+ rows? of other data\.\n/);
    expect(out).toMatch(/is intact: 1,045 entries/);
    expect(code).toBe(0);
    const bare = join(setup().folder, 'bare.sqlite');
    copyFileSync(setup().file, bare);
    expect(requestsIn(bare)).toBe(0);
    expect(requestsIn(target())).toBe(1);
  });

  it('is one file, for its owner alone, from which a bot starts', async () => {
    await backUpDatabase(setup().file, target());
    expect(readdirSync(setup().folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.sqlite']);
    expect(statSync(target()).mode & 0o777).toBe(0o600);
    const restored = await openStore({
      database: { kind: 'sqlite', path: target() },
      organizationId: ORGANIZATION,
    });
    expect((await restored.audit.append(anEntry())).sequence).toBe(ENTRIES + 1);
    await restored.close();
  });

  it('is made while the bot goes on writing', async () => {
    const { store, run } = setup();
    let over = false;
    const writing = (async () => {
      while (!over) {
        await store.audit.append(anEntry());
        await yieldToEventLoop();
      }
    })();
    const { code, out } = await run('backup', target());
    over = true;
    await writing;
    expect(out).toContain('is intact');
    expect(code).toBe(0);
  });

  it('can be verified by itself', async () => {
    await backUpDatabase(setup().file, target());
    expect((await setup().run('audit', 'verify', '--file', target())).code).toBe(0);
    setup().tamper(`delete from audit where sequence > 9`, target());
    const { code, out } = await setup().run('audit', 'verify', '--file', target());
    expect(out).toContain('is broken at entry 10');
    expect(code).toBe(1);
  });

  it('never overwrites a file', async () => {
    writeFileSync(target(), 'something dear');
    const { code, err } = await setup().run('backup', target());
    expect(err).toMatch(/already exists/);
    expect(code).toBe(1);
    expect(readFileSync(target(), 'utf8')).toBe('something dear');
  });

  it('says where the chain in it is broken, and ends with 1', async () => {
    setup().tamper('delete from audit where sequence = 3');
    const { code, out } = await setup().run('backup', target());
    expect(out).toContain('is broken at entry 3');
    expect(code).toBe(1);
  });

  it('names the unfinished copy of a run that was cut short', async () => {
    writeFileSync(`${target()}.partial`, 'half of it');
    const { code, err } = await setup().run('backup', target());
    expect(err).toBe(
      `${target()}.partial already exists: another backup is running, or one was interrupted. If none is running, delete this file and try again.\n`,
    );
    expect(code).toBe(1);
    expect(readFileSync(`${target()}.partial`, 'utf8')).toBe('half of it');
  });

  it('says in plain words that the folder of the copy is not there', async () => {
    const { code, err } = await setup().run('backup', '/nowhere/copy.sqlite');
    expect(err).toMatch(/was not backed up to \/nowhere\/copy\.sqlite: no such file or folder\n$/);
    expect(code).toBe(1);
  });

  it.each(FOREIGN_FILES)('copies nothing of %s', async (_, make, words) => {
    const file = join(setup().folder, 'foreign.sqlite');
    make(file);
    const { code, err } = await runVerb(['backup', target()], { DATABASE_URL: `sqlite:${file}` });
    expect(err).toMatch(words);
    expect(code).toBe(2);
    expect(existsSync(target())).toBe(false);
  });

  it('leaves nothing where it cannot copy', async () => {
    const { code, err } = await runVerb(['backup', target()], { DATABASE_URL: 'sqlite:/nowhere/x.sqlite' });
    expect(err).toMatch(/^The database \/nowhere\/x\.sqlite was not backed up to/);
    expect(code).toBe(1);
    expect(readdirSync(setup().folder).filter((name) => name.startsWith('copy'))).toEqual([]);
  });

  it('names the command for PostgreSQL, without the password', async () => {
    const { code, err } = await runVerb(['backup', "it's.dump"], {
      DATABASE_URL: 'postgres://me:hush-hush@db.example.com:5433/patchbay?sslmode=require',
    });
    expect(err).toContain(
      `pg_dump --format=custom --file='it'\\''s.dump' 'postgres://me@db.example.com:5433/patchbay?sslmode=require'`,
    );
    expect(err).not.toContain('hush-hush');
    expect(code).toBe(2);
  });

  it.each([[[]], [['a', 'b']]])('says how it is used when told %j', async (words) => {
    const { code, err } = await setup().run('backup', ...words);
    expect(err).toMatch(/^Usage: npm run backup -- FILE/);
    expect(code).toBe(2);
  });
});
