/** A parent that starts a product and is then killed, to see what becomes of the child. */
import { createClock } from '../../src/clock.ts';
import { createBot } from '../../src/sandbox/bot.ts';

const bot = createBot({
  entry: new URL('fake-product.ts', import.meta.url).pathname,
  env: {},
  clock: createClock(),
  onLine: (line) => process.stdout.write(`${line}\n`),
});
await bot.start();
process.stdout.write('ready\n');
