import { describe, expect, it } from 'vitest';
import { COLORS, colorName, colorValue } from '../../src/fleet/colors.ts';

describe('a colour to send', () => {
  it.each([
    ['#059F1D', '#059F1D'],
    ['#abcdef', '#abcdef'],
    [' #ABCDEF ', '#ABCDEF'],
    ['Pine Green', '#059F1D'],
    ['BUBBLEGUM', '#FFa4c0'],
    ['forgot sunscreen', '#F65C23'],
  ])('is taken from %j', (text, value) => {
    expect(colorValue(text)).toBe(value);
  });

  it.each(['', '#', '#abc', '#abcdefa', '#abcdeg', 'abcdef', 'Green', 'pinegreen'])(
    'cannot be taken from %j',
    (text) => {
      expect(colorValue(text)).toBeNull();
    },
  );
});

describe('a stored colour', () => {
  it('has the name that it is sent by, however it is written', () => {
    for (const { name, value } of COLORS) {
      expect(colorName(value.toLowerCase())).toBe(name);
      expect(colorValue(name)).toBe(value);
    }
    expect(new Set(COLORS.map(({ value }) => value)).size).toBe(9);
  });

  it('has no name beside the nine', () => {
    expect(colorName('#000000')).toBeNull();
  });
});
