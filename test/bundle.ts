/** Bundles the product once before tests and benchmarks, as the image does, and beside it what they run in its place. */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBundle } from '../src/bundle.ts';

const ENTRIES = {
  'start-product': 'src/sandbox/process/start-product.ts',
  'killable-product': 'test/e2e/crashes/killable-product.ts',
  'elsewhere-product': 'test/e2e/harness/elsewhere-product.ts',
  'rules-product': 'test/e2e/harness/rules-product.ts',
  'short-approvals-product': 'test/e2e/harness/short-approvals-product.ts',
  'stopping-product': 'test/torture/run/stopping-product.ts',
  'fake-product': 'test/sandbox/process/fake-product.ts',
  'bare-bolt': 'test/bench/bare-bolt.ts',
};

const folder = join(tmpdir(), `patchbay-bundle-${process.pid}`);

/** Children of this process that are to start the product find the folder in `PATCHBAY_BUNDLE`. */
export async function setup(): Promise<void> {
  process.env['PATCHBAY_BUNDLE'] = folder;
  await writeBundle(folder, ENTRIES);
}

export const teardown = () => rmSync(folder, { recursive: true, force: true });
