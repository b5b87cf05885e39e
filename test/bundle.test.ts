/** The bundle that the image holds. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ENTRY, SOURCE_ENTRY } from './harness/entry.ts';
import { runVerb } from './harness/run-verb.ts';

it('names the lines of the sources in a stack trace', async () => {
  const source = readFileSync(join(dirname(SOURCE_ENTRY), 'start.ts'), 'utf8').split('\n');
  const line = 1 + source.findIndex((text) => text.includes('process.stderr.write(settingsFaultText('));
  const broken = 'process.stderr.write = () => { throw new Error("no screen"); };';
  const { err } = await runVerb(['start'], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(broken)}`,
  });
  expect(err).toContain('no screen');
  expect(err).toMatch(new RegExp(`src/start\\.ts:${line}:\\d+`));
});

it('takes less than 6 MB, without what only the tests start', () => {
  const folder = dirname(ENTRY);
  const sizes = readdirSync(folder)
    .filter((name) => !/-product\.|^bare-bolt\./.test(name))
    .map((name) => statSync(join(folder, name)).size);
  expect(sizes.length).toBeGreaterThan(10);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6_000_000);
});
