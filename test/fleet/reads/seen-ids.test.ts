import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeenIds } from '../../../src/fleet/reads/seen-ids.ts';

describe('the ids that a walk has seen', () => {
  it('are recognized exactly like in a set (property)', () => {
    const id = fc.oneof(fc.nat(50), fc.maxSafeInteger(), fc.integer(), fc.constant(2 ** 32));
    fc.assert(
      fc.property(fc.array(id, { maxLength: 3_000 }), (ids) => {
        const seen = createSeenIds();
        const set = new Set<number>();
        for (const one of ids) {
          expect(seen.add(one)).toBe(!set.has(one));
          set.add(one);
          expect(seen.size()).toBe(set.size);
        }
      }),
    );
  });

  it.each([
    ['one after the other', (index: number) => index],
    ['far apart', (index: number) => index * 65_536],
    ['falling', (index: number) => 4_000_000_000 - index * 7],
    ['larger than 32 bits', (index: number) => 2 ** 40 + index * 1_000],
  ])('are stored by the hundred thousand: %s', (_, idOf) => {
    const seen = createSeenIds();
    for (let index = 0; index < 100_000; index += 1) expect(seen.add(idOf(index))).toBe(true);
    for (let index = 0; index < 100_000; index += 997) expect(seen.add(idOf(index))).toBe(false);
    expect(seen.size()).toBe(100_000);
  });
});
