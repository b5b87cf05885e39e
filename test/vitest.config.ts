import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { HeavyFirst, SHARING_FOLDERS } from './sequencer.ts';

/** Compiled code is kept from one start to the next: the tests start the product hundreds of times. */
const COMPILED = join(tmpdir(), `patchbay-compiled-${userInfo().uid}`);
/** Files that share a worker and its modules: to load those anew for each cost twice as much as the tests (measured). */
const SHARING = SHARING_FOLDERS.map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    projects: [
      { extends: true, test: { name: 'sharing', include: SHARING, isolate: false } },
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: SHARING } },
    ],
    globalSetup: 'test/bundle.ts',
    // For two cores: a third worker uses them while tests wait for faults and stops to pass.
    maxWorkers: 3,
    sequence: { sequencer: HeavyFirst },
    env: { NODE_COMPILE_CACHE: COMPILED },
    // Tests that say so are played at once: those that wait most of their time.
    maxConcurrency: 8,
    // Limits for what hangs: a busy machine is several times slower than a quiet one.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // What a page shows comes when it comes: tests ask until it is there.
    expect: { poll: { timeout: 40_000, interval: 20 } },
  },
});
