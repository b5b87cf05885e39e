/** A parent that starts a product and is then killed, to test what the child does. */
import { createClock } from '../../../src/lib/clock.ts';
import { createProductProcess } from '../../../src/sandbox/process/product-process.ts';

const bot = createProductProcess({
  entry: new URL('fake-product.ts', import.meta.url).pathname,
  env: { FAKE: process.argv[2] ?? '' },
  clock: createClock(),
  onLine: (line) => process.stdout.write(`${line}\n`),
});
await bot.start();
process.stdout.write('ready\n');
