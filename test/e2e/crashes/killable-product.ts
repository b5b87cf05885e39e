/**
 * The product, killing itself at the failpoint named in the file `kill-at` beside its database. The file is removed
 * first, so that the next start survives. The content of `more.yml` there is added to its configuration.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProduct } from '../../../src/sandbox/process/run-product.ts';

const database = (process.env['DATABASE_URL'] ?? '').replace(/^sqlite:/, '');
const order = join(dirname(database), 'kill-at');
const more = readText(join(dirname(database), 'more.yml'));
if (more !== null) {
  const whole = join(dirname(database), 'configuration.yml');
  writeFileSync(whole, `${readFileSync(process.env['PATCHBAY_CONFIG'] ?? '', 'utf8')}\n${more}`);
  process.env['PATCHBAY_CONFIG'] = whole;
}

await runProduct({
  callTimeoutMs: 1_000,
  onFailpoint: (name) => {
    if (readText(order) !== name) return;
    rmSync(order);
    process.kill(process.pid, 'SIGKILL');
    // Nothing after the failpoint may run: the signal is delivered, but not necessarily before this returns.
    return new Promise(() => undefined);
  },
});

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
