/** Starts, stops and moves `fake-product.ts` as a child process. */
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createClock } from '../../../src/lib/clock.ts';
import {
  createProductProcess,
  type ProductProcessOptions,
} from '../../../src/sandbox/process/product-process.ts';

const PRODUCT = fileURLToPath(new URL('fake-product.ts', import.meta.url));

/** Not started yet; killed when the test is over. */
export function startProductHarness(options: Partial<ProductProcessOptions> = {}) {
  const clock = createClock();
  const lines: string[] = [];
  const exits: { how: string; wanted: boolean }[] = [];
  const bot = createProductProcess({
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
