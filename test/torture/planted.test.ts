/** The table of planted faults fits the code as it is; `npm run torture -- --planted` plays it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OPENING_THEMES } from './plan/plan-round.ts';
import { withFault } from './planted.ts';
import { PLANTED_FAULTS } from './planted-faults.ts';

const ROOT = new URL('../../', import.meta.url);

it.each(PLANTED_FAULTS)('$name: matches the code exactly once, and changes it', (fault) => {
  const text = readFileSync(new URL(fault.file, ROOT), 'utf8');
  const planted = withFault(text, fault);
  expect(planted).not.toBeNull();
  expect(planted).not.toBe(text);
  if (fault.first !== undefined) expect(OPENING_THEMES).toContain(fault.first);
});

it('has faults of each kind of promise', () => {
  const kinds = new Set(PLANTED_FAULTS.map(({ name }) => name.split(':')[0]));
  const promised = 'decision claim brake pause seal outbox poller alert edit removal rule reload';
  expect([...kinds].toSorted()).toEqual(promised.split(' ').toSorted());
  expect(PLANTED_FAULTS.length).toBeGreaterThanOrEqual(15);
});

it('plants nothing where the code says it twice, or not at all', () => {
  const fault = { name: 'x', file: 'x', search: 'a', replace: 'b' };
  expect(withFault('a a', fault)).toBeNull();
  expect(withFault('c', fault)).toBeNull();
  expect(withFault('ca', fault)).toBe('cb');
});
