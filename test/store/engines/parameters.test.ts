import { describe, expect, it } from 'vitest';
import { toParameter } from '../../../src/store/engines/engine.ts';

describe('a parameter of a statement', () => {
  it.each([[null], [0], [-1], [''], ['text'], [2 ** 53 - 1], [10n]])('may be %s', (value) => {
    expect(toParameter(value)).toBe(value);
  });

  it.each([
    ['a Date, which node:sqlite would bind as NULL', new Date(0)],
    ['an object', {}],
    ['an array', [1]],
    ['undefined', undefined],
    ['a function', () => 1],
    ['NaN', Number.NaN],
    ['a number that is not whole', 0.5],
    ['a number beyond the safe ones', 2 ** 53],
  ])('is never %s', (_, value) => {
    expect(() => toParameter(value)).toThrow('not a value for the database');
  });

  it('is not quoted in the error when it is refused', () => {
    expect(() => toParameter({ secret: 'hush' })).toThrow(/^(?!.*hush)/);
  });

  it('is text that both engines store alike', () => {
    expect(toParameter('a\u0000b\udc00c💥')).toBe('a\uFFFDb\uFFFDc💥');
  });
});
