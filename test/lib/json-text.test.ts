import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText } from '../../src/lib/json.ts';

describe('JSON text', () => {
  it('is what JSON.stringify writes (property)', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('leaves out what is undefined', () => {
    const value = { a: undefined, b: [undefined, 1] };
    expect(jsonText(value)).toBe(JSON.stringify(value));
  });

  it.each([150, 100_000])('is whole at %i levels', (depth) => {
    const text = `${'[{"a":'.repeat(depth / 2)}"echo"${'}]'.repeat(depth / 2)}`;
    expect(jsonText(JSON.parse(text))).toBe(text);
  });
});
