/**
 * The product with a sharp end: at the step named in the file `kill-at` beside its database it ends by SIGKILL.
 * The file is removed first, so that the next start lives.
 */
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProduct } from '../../src/sandbox/product.ts';

const database = (process.env['DATABASE_URL'] ?? '').replace(/^sqlite:/, '');
const order = join(dirname(database), 'kill-at');

await runProduct({
  settleMs: 1_000,
  onStep: (name) => {
    if (readOrder() !== name) return;
    rmSync(order);
    process.kill(process.pid, 'SIGKILL');
    // Nothing after the point may happen: the signal is delivered, but not necessarily before this returns.
    return new Promise(() => undefined);
  },
});

function readOrder(): string | null {
  try {
    return readFileSync(order, 'utf8');
  } catch {
    return null;
  }
}
