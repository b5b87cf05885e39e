import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SMALL_FLEET, walkIntervalMs } from '../../../src/inventory/refresh/refresher.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { LIST_PAGE, PAGE_PAUSE_MS } from '../../../src/lib/lists.ts';
import { POLL_INTERVAL_MS } from '../../../src/watch/poll-loop.ts';

const ROOT = new URL('../../../', import.meta.url);
/** One page of groups and one of policies. */
const BESIDES = 2;

/**
 * The cost of keeping this many devices in the index, as in the tables of `test/bench/README.md` and
 * `refresher.ts`.
 */
function costs(devices: number) {
  const pages = Math.ceil(devices / LIST_PAGE);
  const requests = pages + BESIDES;
  const walkMs = devices > SMALL_FLEET ? pages * PAGE_PAUSE_MS : 0;
  const oldestMs = walkIntervalMs(devices) + walkMs;
  return {
    pages,
    oldest: `${Math.ceil(oldestMs / MINUTE)} min`,
    hourly: Math.ceil((requests * HOUR) / oldestMs).toLocaleString('en'),
    naive: ((requests * HOUR) / POLL_INTERVAL_MS).toLocaleString('en'),
  };
}

describe('the cost of a fresh index', () => {
  it.each(['test/bench/README.md', 'src/inventory/refresh/refresher.ts'])(
    'is in %s as computed by the code',
    (file) => {
      const text = readFileSync(new URL(file, ROOT), 'utf8');
      for (const devices of [240, 10_000, 100_000]) {
        const { pages, oldest, hourly, naive } = costs(devices);
        const row = [devices.toLocaleString('en'), pages, oldest, hourly, naive].map(
          (cell) => `\\s*${cell}\\s*`,
        );
        expect(text).toMatch(new RegExp(`\\|${row.join('\\|')}\\|`));
      }
    },
  );

  it('stays below half of what the service allows, however large the fleet', () => {
    for (const devices of [1, 2_001, 10_000, 100_000, 1_000_000]) {
      expect(PAGE_PAUSE_MS).toBeGreaterThanOrEqual((2 * MINUTE) / 30);
      expect(walkIntervalMs(devices)).toBeGreaterThanOrEqual(Math.ceil(devices / LIST_PAGE) * 30 * SECOND);
    }
  });
});
