/**
 * The product, killing itself at the failpoint named in the first line of the file `kill-at` beside its database (with
 * PostgreSQL, in the folder that the `application_name` of its address names), with a number the nth time that this
 * process passes there since the file exists. The line is removed first, so that the next start goes on to the next
 * one. The content of `more.yml` there is added to its configuration.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProduct } from '../../../src/sandbox/process/run-product.ts';

const database = process.env['DATABASE_URL'] ?? '';
const folder = database.startsWith('sqlite:')
  ? dirname(database.slice('sqlite:'.length))
  : (new URL(database).searchParams.get('application_name') ?? '');
const orders = join(folder, 'kill-at');
const more = readText(join(folder, 'more.yml'));
if (more !== null) {
  const whole = join(folder, 'configuration.yml');
  writeFileSync(whole, `${readFileSync(process.env['PATCHBAY_CONFIG'] ?? '', 'utf8')}\n${more}`);
  process.env['PATCHBAY_CONFIG'] = whole;
}
const passed = new Map<string, number>();

await runProduct({
  // The next start in this process would still have the content of `more.yml`.
  canRest: more === null,
  callTimeoutMs: 1_000,
  onFailpoint: (name) => {
    const text = readText(orders);
    if (text === null) passed.clear();
    const count = (passed.get(name) ?? 0) + 1;
    passed.set(name, count);
    const [order = '', ...later] = (text ?? '').split('\n');
    const [point, nth = '1'] = order.split(' ');
    if (point !== name || count < Number(nth)) return;
    if (later.length === 0) rmSync(orders);
    else writeFileSync(orders, later.join('\n'));
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
