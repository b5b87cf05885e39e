/** Many ids in a short text, for a button or a window. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packedIds, packIds, unpackIds } from '../../src/lib/packed-ids.ts';

describe('packed ids', () => {
  it('come back, each once, lowest first', () => {
    const ids = fc.array(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { minLength: 1 });
    fc.assert(
      fc.property(ids, (all) => {
        expect(unpackIds(packIds(all))).toEqual([...new Set(all)].toSorted((a, b) => a - b));
      }),
    );
  });

  it('take two signs each where a thousand stand among a million', () => {
    const ids = Array.from({ length: 1_000 }, (_, at) => 5_000_000 + at * 1_000);
    expect(packIds(ids).length).toBeLessThan(2_010);
  });

  it.each(['', '!', 'A', 'BA', 'Bg', 'é', '#1, #2'])('%j is none', (text) => {
    expect(unpackIds(text)).toBeNull();
    expect(packedIds.safeParse(text).success).toBe(false);
  });

  it('whatever the text says, they are whole numbers above zero, each once', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ABCghz0_-') }), (text) => {
        const ids = unpackIds(text);
        if (ids === null) return;
        expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});
