import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FILE_HEAD } from './harness/rules-file.ts';
import { runVerb } from './harness/run-verb.ts';
import { type SandboxToJoin, startSandboxToJoin } from './harness/sandbox-to-join.ts';
import type { StartedSandbox } from './harness/start-sandbox.ts';

describe('the command line', () => {
  it.each([
    [[], ''],
    [['frobnicate'], 'frobnicate is not a command.\n'],
    [['strat'], 'strat is not a command; did you mean start?\n'],
  ])('says what it can do when told %j', async (words, first) => {
    const { code, err } = await runVerb(words);
    expect(code).toBe(2);
    expect(err.startsWith(`${first}Usage:\n  npm start `)).toBe(true);
    expect(err).toContain('\n  npm run doctor ');
  });

  it('says it when asked for help, which is no mistake', async () => {
    const { code, out } = await runVerb(['--help']);
    expect(out).toMatch(/^Usage:\n {2}npm start .*\n {2}npm run doctor /);
    expect(out.trimEnd().split('\n').slice(1)).toEqual(
      Array(7).fill(expect.stringMatching(/^ {2}npm (start|run [a-z]+) .* {2}[A-Z].*\.$/)),
    );
    expect(code).toBe(0);
  });

  it.each([
    ['start', 'npm start'],
    ['doctor', 'npm run doctor'],
    ['config', 'npm run config'],
    ['manifest', 'npm run manifest'],
    ['sandbox', 'npm run sandbox'],
  ])('%s only says how it is used where help is asked for, and runs nothing', async (verb, usage) => {
    for (const help of ['--help', '-h']) {
      // Run, these would end with 2 for their settings; the manifest would say that it was written.
      const { code, out, err } = await runVerb([verb, help], { SLACK_COMMAND: 'not-a-command' });
      expect(out.split('\n')[0]).toMatch(new RegExp(`^Usage: ${usage}`));
      expect(out).not.toContain('written');
      expect({ code, err }).toEqual({ code: 0, err: '' });
    }
  });

  it.each(['bench', 'torture', 'screens', 'docs', 'bundle'])('says how `npm run %s` is used', (name) => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const words = `${scripts[name]} --help`.split(' ').slice(1);
    expect(execFileSync(process.execPath, words, { encoding: 'utf8' })).toMatch(
      new RegExp(`^Usage: npm run ${name}`),
    );
  });

  it.each(['start', 'doctor', 'manifest', 'sandbox'])(
    '%s refuses an option that it does not have',
    async (verb) => {
      const { code, out, err } = await runVerb([verb, '--frobnicate']);
      expect(err).toMatch(/^(--frobnicate: |Unknown option --frobnicate)/);
      expect(err).toContain(`\nUsage: npm`);
      expect({ code, out }).toEqual({ code: 2, out: '' });
    },
  );

  it('writes no manifest for a setting that is wrong, and says so in one line', async () => {
    const { code, out, err } = await runVerb(['manifest'], { SLACK_COMMAND: 'fleet' });
    expect(err).toMatch(/^SLACK_COMMAND must be a slash and at most 22 [^\n]*\n$/);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  it.each(['start', 'doctor'])('%s names what was meant as a setting', async (verb) => {
    const { err } = await runVerb([verb], {
      SLACK_BOT_TOKN: 'xoxb-hush-hush',
      DATABSE_URL: 'x',
      FLEET_X: 'y',
      EDITOR: 'z',
    });
    expect(err).toContain('SLACK_BOT_TOKN is not a setting; did you mean SLACK_BOT_TOKEN?\n');
    expect(err).toContain('DATABSE_URL is not a setting; did you mean DATABASE_URL?\n');
    expect(err).toContain('FLEET_X is not a setting and has no effect\n');
    expect(err).not.toMatch(/EDITOR|hush/);
  });

  it.each(['start', 'doctor'])('%s names all missing settings at once and ends with 2', async (verb) => {
    const { code, err } = await runVerb([verb]);
    expect(code).toBe(2);
    const [help, ...lines] = err.trim().split('\n').toReversed();
    expect(help).toBe('Settings are environment variables. src/config/README.md explains each one.');
    expect(lines.toReversed().map((line) => line.split(' ')[0])).toEqual([
      'FLEET_BASE_URL',
      'FLEET_API_KEY',
      'FLEET_ORGANIZATION',
      'SLACK_BOT_TOKEN',
      'PATCHBAY_CONFIG',
      'SLACK_APP_TOKEN',
    ]);
  });
});

describe('npm run config', () => {
  const TEST = '  - { command: reboot, device: { tags: [lab] }, expect: run }';
  const RULE = '  - { name: lab, when: { devices: "tag:lab" }, run: { perHour: 3 } }';

  it.each<[string, string, string, number, string]>([
    ['check', 'a file without faults', `rules:\n${RULE}`, 0, 'nothing is wrong.\n1 rule, no tests.'],
    ['test', 'one whose tests pass', `rules:\n${RULE}\ntests:\n${TEST}`, 0, '1 rule, 1 test passed.'],
    ['test', 'one whose test fails', `tests:\n${TEST}`, 1, 'expects run, and the rules say []'],
    [
      'check',
      'an unknown key',
      'rule: []',
      1,
      'line 6, column 1: the configuration file has an unknown key: rule',
    ],
    [
      'check',
      'a filter that is none',
      'rules: [{ name: a, when: { devices: "ip:1" } }]',
      1,
      'rule a: ip: doesn’t apply',
    ],
  ])('%s: %s', async (verb, _what, lines, exit, words) => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-config-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'patchbay.yml');
    await writeFile(file, `${FILE_HEAD}${lines}`);
    const { code, out, err } = await runVerb(['config', verb, file]);
    expect(code).toBe(exit);
    expect(exit === 0 ? out : err).toContain(words);
  });

  it('prints a schema that knows the keys of rules, and says what is missing', async () => {
    const schema = JSON.parse((await runVerb(['config', 'schema'])).out);
    expect(Object.keys(schema.properties.rules.items.properties)).toContain('approvals');
    expect(await runVerb(['config', 'check', '/nowhere.yml'])).toMatchObject({
      code: 2,
      err: expect.stringContaining("can't be read"),
    });
    expect(await runVerb(['config', 'check'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('PATCHBAY_CONFIG is missing'),
    });
    expect(await runVerb(['config', 'chek'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Usage: npm run config'),
    });
  });
});

describe('a start that cannot succeed', () => {
  let sandbox: StartedSandbox;
  let folder: string;
  let env: SandboxToJoin['settings'];
  beforeAll(async () => {
    const joined = await startSandboxToJoin();
    ({ sandbox, folder, settings: env } = joined);
    writeFileSync(join(folder, 'corrupt.sqlite'), 'this was a database once'.repeat(200));
    return joined.stop;
  });

  it.each<[string, (folder: string, taken: string) => Record<string, string>, RegExp]>([
    [
      'Slack refuses the bot token',
      () => ({ SLACK_BOT_TOKEN: 'xoxb-not-the-one' }),
      /^Slack rejected SLACK_BOT_TOKEN: invalid_auth\. Set it to the token shown on the app’s page at .*“npm run doctor” checks it\.$/,
    ],
    [
      'Slack refuses the app token',
      () => ({ SLACK_APP_TOKEN: 'xapp-not-the-one' }),
      /^Slack rejected SLACK_APP_TOKEN: invalid_auth\. Set it to the token shown on the app’s page at .*“npm run doctor” checks it\.$/,
    ],
    [
      'the port is taken',
      (_, taken) => ({ PORT: taken }),
      /^PORT \d+ on \S+ is not available: listen EADDRINUSE/,
    ],
    [
      'the port is taken, with the HTTP transport',
      (_, taken) => ({ PORT: taken, SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'a'.repeat(32) }),
      /^PORT \d+ on \S+ is not available: listen EADDRINUSE/,
    ],
    [
      'PostgreSQL is down',
      () => ({ DATABASE_URL: 'postgres://me:hush-hush@127.0.0.1:1/db' }),
      /^The database at DATABASE_URL cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1$/,
    ],
  ])('ends with one clear line and code 1 when %s', async (_, changes, line) => {
    // The page's own port stands for one that another program holds.
    const { port } = new URL(sandbox.address);
    const { code, err } = await runVerb(['start'], { ...env, ...changes(folder, port) });
    expect(err.trimEnd()).toMatch(line);
    expect(code).toBe(1);
  });

  it('ends with one clear line and code 2 when the file is not a SQLite database, and leaves it alone', async () => {
    const file = join(folder, 'corrupt.sqlite');
    const before = readFileSync(file);
    const { code, err } = await runVerb(['start'], { ...env, DATABASE_URL: `sqlite:${file}` });
    expect(err).toMatch(/^\S+corrupt\.sqlite is not a SQLite database, or it is damaged\. [^\n]*\n$/);
    expect(code).toBe(2);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}.lock.db`)).toBe(false);
  });

  it('ends with one clear line and code 2 when the SQLite file is of another program, and leaves it alone', async () => {
    const file = join(folder, 'photos.sqlite');
    const photos = new DatabaseSync(file);
    photos.exec('create table photos (name text)');
    photos.close();
    const { code, err } = await runVerb(['start'], { ...env, DATABASE_URL: `sqlite:${file}` });
    expect(err).toMatch(
      /^The database \S+photos\.sqlite belongs to another program: it has tables, but none of Patchbay's\. [^\n]*\n$/,
    );
    expect(code).toBe(2);
    const after = new DatabaseSync(file, { readOnly: true });
    expect(after.prepare('select name from sqlite_schema').all()).toEqual([{ name: 'photos' }]);
    after.close();
  });
});
