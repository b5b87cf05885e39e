import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { HeavyFirst } from './sequencer.ts';

/** Compiled code is kept from one start to the next: the tests start the product hundreds of times. */
const COMPILED = join(tmpdir(), `patchbay-compiled-${userInfo().uid}`);

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // Two cores: more workers only make real servers and browsers compete with the tests for time.
    maxWorkers: 2,
    sequence: { sequencer: HeavyFirst },
    env: { NODE_COMPILE_CACHE: COMPILED },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a page shows comes when it comes: tests ask until it is there.
    expect: { poll: { timeout: 10_000, interval: 20 } },
  },
});
