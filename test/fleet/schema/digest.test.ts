import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonDigest } from '../../../src/fleet/schema/policy.ts';

/** The same JSON with the keys of every object in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turned(inner)]),
  );
}

describe('a digest', () => {
  it('is the whole of a SHA-256', () => {
    expect(jsonDigest({ script: 'echo' })).toMatch(/^[0-9a-f]{64}$/);
  });

  it('does not depend on the order of keys (property)', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        expect(jsonDigest(turned(value))).toBe(jsonDigest(value));
      }),
    );
  });

  it('differs for any two different values (property)', () => {
    const value = fc.json({ maxDepth: 2 }).map((text): unknown => JSON.parse(text));
    fc.assert(
      fc.property(value, value, (one, other) => {
        const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(jsonDigest(one) === jsonDigest(other)).toBe(same);
      }),
    );
  });

  it.each<[unknown, unknown]>([
    [[1, 2], [12]],
    [[[1], 2], [[1, 2]]],
    [{ a: 1, b: 2 }, { a: { b: 2 } }],
    [{ a: '1' }, { a: 1 }],
    [{ a: null }, {}],
    [[], {}],
    ['{}', {}],
    [0, false],
    [{ a: [1], b: [2] }, { a: [1, 2] }],
  ])('differs for %j and %j', (one, other) => {
    expect(jsonDigest(one)).not.toBe(jsonDigest(other));
  });

  it.each([150, 100_000])('sees a change below %i levels', (depth) => {
    const deep = (script: string): string => {
      const inner = `${'[{"a":'.repeat(depth / 2)}"${script}"${'}]'.repeat(depth / 2)}`;
      return jsonDigest(JSON.parse(inner));
    };
    expect(deep('echo')).toMatch(/^[0-9a-f]{64}$/);
    expect(deep('echo')).toBe(deep('echo'));
    expect(deep('rm')).not.toBe(deep('echo'));
  });

  it('tells numbers that are too large to be held from null', () => {
    expect(jsonDigest(JSON.parse('{"a":1e999}'))).not.toBe(jsonDigest({ a: null }));
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => ['key', key, sorted(inner)]).concat([['object']]);
}
