import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createManualClock, HOUR, instant, MINUTE } from '../../../src/lib/clock.ts';
import { createAdvanceClocks } from '../../../src/sandbox/clock-sync.ts';
import { createProcessHealthLog, type ProductProcess } from '../../../src/sandbox/process/product-process.ts';
import { until } from '../../harness/until.ts';
import { startProductHarness } from './product-harness.ts';

const ORPHANAGE = fileURLToPath(new URL('orphan-parent.ts', import.meta.url));

// Lines of the product may arrive after its messages; once its process has ended, all have arrived.
describe('the product as a child process', () => {
  test('runs once it is ready and ends in order when it is stopped', async () => {
    const { bot, lines, exits } = startProductHarness();
    expect(bot.running()).toBe(false);
    await bot.start();
    expect(bot.running()).toBe(true);
    await bot.stop();
    expect(bot.running()).toBe(false);
    expect(lines.at(-1)).toBe('stopped in order');
    expect(exits).toEqual([{ how: 'exit code 0', wanted: true }]);
  });

  test('gets its settings, and nothing of this machine’s own', async () => {
    process.env['SLACK_BOT_TOKEN'] = 'xoxb-of-somebody';
    onTestFinished(() => {
      delete process.env['SLACK_BOT_TOKEN'];
    });
    const { bot, lines } = startProductHarness({ env: { FLEET_API_KEY: 'key', PORT: '0' } });
    await bot.start();
    const settings = await until(() => lines.find((line) => line.startsWith('settings ')));
    expect(settings.split(' ')).toEqual(expect.arrayContaining(['FLEET_API_KEY', 'PORT']));
    expect(settings).not.toContain('SLACK_BOT_TOKEN');
  });

  test('is killed without a shutdown', async () => {
    const { bot, lines, exits } = startProductHarness();
    await bot.start();
    await bot.kill();
    expect(lines).not.toContain('stopped in order');
    expect(exits).toEqual([{ how: 'signal SIGKILL', wanted: true }]);
  });

  test('is killed when it does not hear that it should stop', async () => {
    const { bot, exits } = startProductHarness({ env: { FAKE: 'deaf' }, stopWaitMs: 50 });
    await bot.start();
    await bot.stop();
    expect(exits).toEqual([{ how: 'signal SIGKILL', wanted: true }]);
  });

  test('can be started again, also while it is ending', async () => {
    const { bot, lines } = startProductHarness();
    await bot.start();
    const stopping = bot.stop();
    await bot.start();
    await stopping;
    expect(bot.running()).toBe(true);
    await bot.stop();
    expect(lines.filter((line) => line.startsWith('pid '))).toHaveLength(2);
  });

  test('is started once, however often it is asked to', async () => {
    const { bot, lines } = startProductHarness();
    await Promise.all([bot.start(), bot.start()]);
    await bot.start();
    await bot.stop();
    expect(lines.filter((line) => line.startsWith('pid '))).toHaveLength(1);
  });

  test('rests in its process, and starts again with the time of the sandbox', async () => {
    const { bot, clock, lines, exits } = startProductHarness({ env: { FAKE: 'rests' } });
    await bot.start();
    expect(await bot.rest()).toBe(true);
    await clock.advance(7 * MINUTE);
    await bot.waitForClock();
    await Promise.all([bot.start(), bot.start()]);
    expect(await bot.rest()).toBe(true);
    await bot.stop();
    expect(lines.filter((line) => !/^(wall|policy|settings) /.test(line))).toEqual([
      expect.stringMatching(/^pid /),
      'stopped to rest',
      'started again at 7',
      'stopped to rest',
      'stopped in order',
    ]);
    expect(exits).toEqual([{ how: 'exit code 0', wanted: true }]);
  });

  test.each([
    ['was not made for it', {}, async () => undefined],
    ['is paused', { FAKE: 'rests' }, async (bot: ProductProcess) => bot.pause()],
    ['does not run', { FAKE: 'rests' }, (bot: ProductProcess) => bot.stop()],
    ['ends instead', { FAKE: 'sleepless' }, async () => undefined],
  ])('does not rest when it %s', async (_when, env, prepare) => {
    const { bot, lines } = startProductHarness({ env });
    await bot.start();
    await prepare(bot);
    expect(await bot.rest()).toBe(false);
    await bot.stop();
    expect(lines).not.toContain('stopped to rest');
  });

  test('leaves a wall clock that is apart with the process that had it', async () => {
    const { bot, lines } = startProductHarness({ env: { FAKE: 'rests' } });
    await bot.start(2 * HOUR);
    expect(await bot.rest()).toBe(true);
    await bot.start();
    await bot.stop();
    expect(lines.filter((line) => line.startsWith('pid '))).toHaveLength(2);
  });

  test('that ends before it is ready says why in its last lines', async () => {
    const { bot } = startProductHarness({ env: { FAKE: 'crash' } });
    await expect(bot.start()).rejects.toThrow(
      'The bot exited before it was ready:\nFLEET_API_KEY is missing',
    );
    expect(bot.running()).toBe(false);
  });

  test('that ends by itself is reported so', async () => {
    const { bot, lines, exits } = startProductHarness();
    await bot.start();
    const pid = await until(() => lines.find((line) => line.startsWith('pid ')));
    process.kill(Number(pid.slice(4)), 'SIGKILL');
    await until(() => exits.length > 0);
    expect(exits).toEqual([{ how: 'signal SIGKILL', wanted: false }]);
    expect(bot.running()).toBe(false);
  });

  test('stopping or killing what does not run is no mistake', async () => {
    const { bot } = startProductHarness();
    await bot.stop();
    await bot.kill();
    expect(bot.running()).toBe(false);
  });

  test('ends when the sandbox dies', async () => {
    const parent = spawn(process.execPath, [ORPHANAGE], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const lines: string[] = [];
    createInterface({ input: parent.stdout }).on('line', (line) => lines.push(line));
    await until(() => lines.includes('ready'));
    const line = await until(() => lines.find((one) => one.startsWith('pid ')));
    const pid = Number(line.slice(4));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await until(() => !isAlive(pid));
  });

  test('ends when the sandbox dies while it is still loading', async () => {
    const parent = spawn(process.execPath, [ORPHANAGE, 'loading'], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const lines: string[] = [];
    createInterface({ input: parent.stdout }).on('line', (line) => lines.push(line));
    const pid = Number((await until(() => lines.find((one) => one.startsWith('pid ')))).slice(4));
    parent.kill('SIGKILL');
    await until(() => !isAlive(pid));
  });
});

describe('the time of the child', () => {
  test('begins at the time of the sandbox', async () => {
    const { bot, clock, lines } = startProductHarness();
    await clock.advance(HOUR);
    await bot.start();
    await bot.waitForClock();
    await bot.stop();
    expect(lines.filter((line) => line.startsWith('minute'))).toEqual([]);
  });

  test('follows the clock of the sandbox, and what fell due is done when it has caught up', async () => {
    const { bot, clock, lines } = startProductHarness();
    await bot.start();
    await clock.advance(3 * MINUTE);
    await bot.waitForClock();
    await until(() => lines.includes('minute 3'));
    expect(lines.filter((line) => line.startsWith('minute'))).toEqual(['minute 1', 'minute 2', 'minute 3']);
  });

  test('moves with it in slices', async () => {
    const { bot, clock, lines } = startProductHarness();
    await bot.start();
    await createAdvanceClocks({ clock, follow: bot.waitForClock })(31 * MINUTE);
    await until(() => lines.includes('minute 31'));
    expect(lines.filter((line) => line.startsWith('minute'))).toHaveLength(31);
  });

  test('continues even if a task there never ends', async () => {
    const { bot, clock, lines } = startProductHarness({ env: { FAKE: 'stuck' } });
    await bot.start();
    await createAdvanceClocks({ clock, follow: bot.waitForClock })(2 * MINUTE);
    await until(() => lines.includes('minute 2'));
  });

  test('nobody waits for a child that does not run or dies on the way', async () => {
    const { bot, clock } = startProductHarness({ env: { FAKE: 'stuck' } });
    await bot.waitForClock();
    await bot.start();
    await clock.advance(2 * MINUTE);
    const caughtUp = bot.waitForClock();
    await bot.kill();
    await expect(caughtUp).resolves.toBeUndefined();
  });
});

describe('the configuration file of the child', () => {
  const written = (text: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'patchbay-child-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'patchbay.yml');
    writeFileSync(path, text);
    return path;
  };

  test('is read when the sandbox says so, also while it starts, and its faults are the answer', async () => {
    const path = written('roles: {}\nfault: here\nfault: there\n');
    const { bot } = startProductHarness({ env: { PATCHBAY_CONFIG: path } });
    const starting = bot.start();
    const faults = ['fault: here', 'fault: there'];
    expect(await Promise.all([bot.reload(), bot.reload()])).toEqual([faults, faults]);
    await starting;
    writeFileSync(path, 'roles: {}\n');
    expect(await bot.reload()).toEqual([]);
  });

  test.each([
    ['does not run', async () => undefined],
    ['ends before it is ready', async (bot: ProductProcess) => void bot.start().catch(() => undefined)],
    ['is paused', async (bot: ProductProcess) => bot.start().then(bot.pause)],
    ['rests', async (bot: ProductProcess) => bot.start().then(bot.rest)],
  ])('is not waited for where the child %s', async (when, prepare) => {
    const FAKE = when.startsWith('ends') ? 'crash' : 'rests';
    const { bot } = startProductHarness({ env: { FAKE, PATCHBAY_CONFIG: written('fault: here') } });
    await prepare(bot);
    expect(await bot.reload()).toEqual([]);
  });

  test.each(['kill', 'pause'] as const)('is not waited for after a %s on the way', async (how) => {
    const { bot } = startProductHarness({ env: { FAKE: 'stuck' } });
    await bot.start();
    const read = bot.reload();
    await bot[how]();
    expect(await read).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const AT = instant(1_800_000_000_000);

test('the last lines are kept, and long ones are cut', () => {
  const record = createProcessHealthLog(createManualClock(AT));
  for (let line = 0; line < 50; line += 1) record.line(`line ${line}`);
  record.line('x'.repeat(2_000));
  const { lines } = record.read();
  expect(lines).toHaveLength(40);
  expect(lines[0]).toEqual({ at: AT, text: 'line 11' });
  expect(lines.at(-1)?.text).toHaveLength(500);
});

test('the last exit is how it was, and when', () => {
  const record = createProcessHealthLog(createManualClock(AT));
  expect(record.read().lastExit).toBeNull();
  record.exit({ how: 'exit code 2', wanted: false });
  expect(record.read().lastExit).toEqual({ at: AT, how: 'exit code 2', wanted: false });
});
