import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countSeverities,
  hasSeverity,
  packageState,
  severityRank,
} from '../../../src/fleet/model/derived-fields.ts';
import { isMissing } from '../../../src/fleet/model/resources.ts';
import { instant, later } from '../../../src/lib/clock.ts';
import { aPackage, START } from '../../harness/builders.ts';

describe('the state of a package', () => {
  it.each([
    ['missing', {}],
    ['missing', { deferredUntil: START }],
    ['deferred', { deferredUntil: later(START, 1) }],
    ['ignored', { ignored: true }],
    ['ignored', { ignored: true, deferredUntil: later(START, 1) }],
    ['installed', { installed: true }],
    ['installed', { installed: true, ignored: true, deferredUntil: later(START, 1) }],
  ] as const)('is %s with %o', (state, over) => {
    expect(packageState(aPackage(over), START)).toBe(state);
  });

  it('is “missing” exactly when the package is missing', () => {
    const anyPackage = fc.record({
      installed: fc.boolean(),
      ignored: fc.boolean(),
      deferredUntil: fc.option(fc.integer({ min: -5, max: 5 }).map((ms) => instant(START + ms))),
    });
    fc.assert(
      fc.property(anyPackage, (over) => {
        const item = aPackage(over);
        expect(packageState(item, START) === 'missing').toBe(isMissing(item, START));
      }),
    );
  });
});

describe('severities', () => {
  it('are ordered from the worst to missing ones', () => {
    const words = ['critical', 'High', 'medium', 'low', 'no_known_cves', 'a new word', '', null];
    const ranks = words.map(severityRank);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(ranks.slice(0, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(ranks[6]).toBe(ranks[7]);
  });

  it('are counted, worst first, with missing ones separate', () => {
    const items = ['low', null, 'critical', '', 'low'].map((severity) => ({ severity }));
    expect(countSeverities(items)).toEqual([
      { severity: 'critical', count: 1 },
      { severity: 'low', count: 2 },
      { severity: null, count: 2 },
    ]);
  });

  it('match in any capitalization, and never without a severity', () => {
    expect(hasSeverity({ severity: 'Critical' }, ['critical'])).toBe(true);
    expect(hasSeverity({ severity: 'high' }, ['critical', 'low'])).toBe(false);
    expect(hasSeverity({ severity: null }, ['critical'])).toBe(false);
  });
});
