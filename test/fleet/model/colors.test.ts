import { describe, expect, it } from 'vitest';
import { COLORS, colorName, colorValue, isColor } from '../../../src/fleet/model/derived-fields.ts';

/** The table of §2.1. */
const DOCUMENTED = [
  ['Pine Green', '#059F1D'],
  ['Salmon', '#CC6666'],
  ['Lemonade', '#E9FF03'],
  ['Bubblegum', '#FFa4c0'],
  ['Colorado Snow', '#FFFFFF'],
  ['Battleship Hull', '#61666F'],
  ['Utah Clay', '#D78500'],
  ['Electric Violet', '#BD0FE1'],
  ['Forgot Sunscreen', '#F65C23'],
];

describe('the colors of groups', () => {
  it('are those of the interface, in order', () => {
    expect(COLORS.map(({ name, value }) => [name, value])).toEqual(DOCUMENTED);
  });

  it.each(DOCUMENTED)('%s is the name of %s, however it is capitalized', (name, value) => {
    expect([value, value?.toLowerCase(), value?.toUpperCase()].map((form) => colorName(form ?? ''))).toEqual([
      name,
      name,
      name,
    ]);
    expect(colorValue(` ${name?.toLowerCase()} `)).toBe(value);
  });

  it.each(['#123456', '', 'red', '#059F1'])('shows the unknown color "%s" as the first one', (value) => {
    expect(colorName(value)).toBe('Pine Green');
  });

  it('has no name without a color', () => {
    expect(colorName(null)).toBeNull();
  });

  it.each([
    ['#059F1D', true],
    ['#ffa4c0', true],
    ['059F1D', false],
    ['#059F1', false],
    ['#059F1D0', false],
    ['#05 F1D', false],
    ['#05GF1D', false],
    ['', false],
  ])('"%s" is of the form #RRGGBB: %s', (text, expected) => {
    expect(isColor(text)).toBe(expected);
  });

  it('accepts any value of that form, and no other text', () => {
    expect(colorValue('#123456')).toBe('#123456');
    expect(colorValue('a nice green')).toBeNull();
  });
});
