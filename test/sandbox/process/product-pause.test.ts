/** A paused product, and one whose wall clock is wrong. */
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, wallNow } from '../../../src/lib/clock.ts';
import { createAdvanceClocks } from '../../../src/sandbox/clock-sync.ts';
import { until } from '../../harness/until.ts';
import { startProductHarness } from './product-harness.ts';

const minutes = (lines: readonly string[]) => lines.filter((line) => line.startsWith('minute'));

describe('a paused product', () => {
  test('stands still, and catches up when it goes on', async () => {
    const { bot, clock, lines } = startProductHarness();
    await bot.start();
    bot.pause();
    expect([bot.running(), bot.paused()]).toEqual([true, true]);
    await createAdvanceClocks({ clock, follow: bot.waitForClock })(3 * MINUTE);
    expect(minutes(lines)).toEqual([]);
    bot.resume();
    expect(bot.paused()).toBe(false);
    await until(() => lines.includes('minute 3'));
  });

  test('blocks nobody who waits for it to catch up, even if it is paused meanwhile', async () => {
    const { bot, clock } = startProductHarness({ env: { FAKE: 'stuck' } });
    await bot.start();
    await clock.advance(2 * MINUTE);
    const caughtUp = bot.waitForClock();
    bot.pause();
    await expect(caughtUp).resolves.toBeUndefined();
    await expect(bot.waitForClock()).resolves.toBeUndefined();
  });

  test('stops in order when it is told to', async () => {
    const { bot, lines, exits } = startProductHarness();
    await bot.start();
    bot.pause();
    await bot.stop();
    expect(lines.at(-1)).toBe('stopped in order');
    expect(exits).toMatchObject([{ how: 'exit code 0' }]);
    expect(bot.paused()).toBe(false);
  });

  test('can be killed and started again', async () => {
    const { bot, exits } = startProductHarness();
    await bot.start();
    bot.pause();
    await bot.kill();
    expect(exits).toMatchObject([{ how: 'signal SIGKILL' }]);
    await bot.start();
    expect([bot.running(), bot.paused()]).toEqual([true, false]);
  });

  test('that is not ready for a while may be waited for again', async () => {
    const { bot } = startProductHarness({ readyWaitMs: 100 });
    const first = bot.start();
    bot.pause();
    await expect(first).rejects.toThrow('The bot is still not ready');
    bot.resume();
    await until(async () => bot.start().then(() => true));
    expect([bot.running(), bot.paused()]).toEqual([true, false]);
  });

  test('ignores pause and resume while it does not run', async () => {
    const { bot } = startProductHarness();
    bot.pause();
    bot.resume();
    expect([bot.running(), bot.paused()]).toEqual([false, false]);
  });
});

describe('a product whose wall clock is wrong', () => {
  const apart = async (lines: readonly string[]): Promise<readonly number[]> => {
    const line = await until(() => lines.findLast((one) => one.startsWith('wall ')));
    const [, now = '', date = ''] = line.split(' ');
    return [Number(now), Date.parse(date)].map((at) => Math.round((at - wallNow()) / HOUR) + 0);
  };

  test.each([
    ['ahead', 5],
    ['behind', -3],
  ])('reads a time of day that is %s', async (_way, hours) => {
    const { bot, lines } = startProductHarness();
    await bot.start(hours * HOUR);
    expect(await apart(lines)).toEqual([hours, hours]);
  });

  test('still follows the clock of the sandbox', async () => {
    const { bot, clock, lines } = startProductHarness();
    await bot.start(5 * HOUR);
    await clock.advance(2 * MINUTE);
    await bot.waitForClock();
    await until(() => lines.includes('minute 2'));
    expect(minutes(lines)).toEqual(['minute 1', 'minute 2']);
  });

  test('has the right one again when it is started without', async () => {
    const { bot, lines } = startProductHarness();
    await bot.start(5 * HOUR);
    await bot.kill();
    await bot.start();
    await until(() => lines.filter((line) => line.startsWith('wall ')).length === 2);
    expect(await apart(lines)).toEqual([0, 0]);
  });
});
