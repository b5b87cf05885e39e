/** The colours of groups (§2.1): the service stores any, its console knows nine by name. */

export const COLORS = [
  { name: 'Pine Green', value: '#059F1D' },
  { name: 'Salmon', value: '#CC6666' },
  { name: 'Lemonade', value: '#E9FF03' },
  { name: 'Bubblegum', value: '#FFa4c0' },
  { name: 'Colorado Snow', value: '#FFFFFF' },
  { name: 'Battleship Hull', value: '#61666F' },
  { name: 'Utah Clay', value: '#D78500' },
  { name: 'Electric Violet', value: '#BD0FE1' },
  { name: 'Forgot Sunscreen', value: '#F65C23' },
] as const;

/** The value to send for `#RRGGBB` or for one of the nine names, however they are capitalized; null for other texts. */
export function colorValue(text: string): string | null {
  const wanted = text.trim();
  if (/^#[0-9a-f]{6}$/i.test(wanted)) return wanted;
  return COLORS.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.value ?? null;
}

/**
 * The name that the console has for a stored colour; null where it has none. One without a name becomes the first,
 * Pine Green, as soon as the group is saved in the console's own editor.
 */
export function colorName(value: string): string | null {
  return COLORS.find((color) => color.value.toLowerCase() === value.toLowerCase())?.name ?? null;
}
