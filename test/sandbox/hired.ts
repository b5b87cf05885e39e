/** A product to try how it is started, stopped and moved in time: `fake-product.ts` as a child process. */
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createClock, type MovableClock } from '../../src/clock.ts';
import { type BotOptions, createBot } from '../../src/sandbox/bot.ts';
import type { Bot } from '../../src/sandbox/contracts.ts';

const PRODUCT = fileURLToPath(new URL('fake-product.ts', import.meta.url));

export type Hired = {
  readonly bot: Bot;
  readonly clock: MovableClock;
  readonly lines: readonly string[];
  readonly exits: readonly { readonly how: string; readonly wanted: boolean }[];
};

/** Not started yet; killed when the test is over. */
export function hire(options: Partial<BotOptions> = {}): Hired {
  const clock = createClock();
  const lines: string[] = [];
  const exits: { how: string; wanted: boolean }[] = [];
  const bot = createBot({
    entry: PRODUCT,
    env: {},
    clock,
    onLine: (line) => lines.push(line),
    onExit: (exit) => exits.push(exit),
    ...options,
  });
  onTestFinished(async () => {
    await bot.kill();
    clock.stop();
  });
  return { bot, clock, lines, exits };
}
