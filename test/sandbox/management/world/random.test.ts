import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, uuidOf } from '../../../../src/sandbox/management/world/random.ts';

describe('seeded chance', () => {
  it('repeats itself for the same seed', () => {
    const [one, other] = [createRandom('a'), createRandom('a')];
    const draw = (random: typeof one) => Array.from({ length: 50 }, () => random.next());
    expect(draw(one)).toEqual(draw(other));
    expect(draw(createRandom('b'))).not.toEqual(draw(createRandom('a')));
  });

  it('stays inside its bounds and reaches both', () => {
    const random = createRandom('bounds');
    const drawn = new Set(Array.from({ length: 500 }, () => random.int(3, 7)));
    expect([...drawn].sort()).toEqual([3, 4, 5, 6, 7]);
  });

  it('samples different items, and no more than there are', () => {
    fc.assert(
      fc.property(fc.string(), fc.uniqueArray(fc.integer()), fc.nat({ max: 50 }), (seed, items, count) => {
        const sample = createRandom(seed).sample(items, count);
        expect(sample).toHaveLength(Math.min(count, items.length));
        expect(new Set(sample).size).toBe(sample.length);
        expect(items).toEqual(expect.arrayContaining([...sample]));
      }),
    );
  });

  it('will not pick from nothing', () => {
    expect(() => createRandom('x').pick([])).toThrow('nothing to pick');
  });

  it('makes well-formed uuids', () => {
    expect(uuidOf('x')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuidOf('x')).not.toBe(uuidOf('y'));
  });
});
