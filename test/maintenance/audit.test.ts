import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chainText } from '../../src/maintenance/maintenance.ts';
import { verifyAudit } from '../../src/store/admin/verify-audit.ts';
import { openReadOnly, openStore } from '../../src/store/open.ts';
import { runVerb } from '../harness/run-verb.ts';
import { useStarted } from '../harness/use-started.ts';
import { anEntry, ORGANIZATION } from '../store/builders.ts';
import { query, startPostgres } from '../store/postgres.ts';
import { ENTRIES, FOREIGN_FILES, useMaintenanceSetup } from './maintenance-setup.ts';

const setup = useMaintenanceSetup();

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
