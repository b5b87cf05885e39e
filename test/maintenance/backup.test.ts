import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '../../src/lib/clock.ts';
import { backUpDatabase } from '../../src/store/admin/backup.ts';
import { openStore } from '../../src/store/open.ts';
import { runVerb } from '../harness/run-verb.ts';
import { anEntry, ORGANIZATION } from '../store/builders.ts';
import { ENTRIES, FOREIGN_FILES, useMaintenanceSetup } from './maintenance-setup.ts';

const setup = useMaintenanceSetup();
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
