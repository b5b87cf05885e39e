import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeenIds } from '../../../src/fleet/reads/reads.ts';

describe('the ids that a walk has seen', () => {
  it('are recognized exactly like in a set (property)', () => {
    const id = fc.oneof(fc.nat(50), fc.maxSafeInteger(), fc.integer(), fc.constant(2 ** 32));
    fc.assert(
      fc.property(fc.array(id, { maxLength: 3_000 }), (ids) => {
        const seen = createSeenIds();
        const set = new Set<number>();
        // One assertion for all of them: one for each would take longer than the ids themselves.
        const wrong = ids.filter((one) => {
          const isNew = !set.has(one);
          set.add(one);
          return seen.add(one) !== isNew || seen.size() !== set.size;
        });
        expect(wrong).toEqual([]);
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
    const indexes = Array.from({ length: 100_000 }, (_item, index) => index);
    expect(indexes.filter((index) => !seen.add(idOf(index)))).toEqual([]);
    expect(indexes.filter((index) => index % 997 === 0 && seen.add(idOf(index)))).toEqual([]);
    expect(seen.size()).toBe(100_000);
  });
});
