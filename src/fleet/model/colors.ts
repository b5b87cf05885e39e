/** The colors of groups (§2.1): the service stores any, its console knows nine by name. */

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
  return isColor(wanted)
    ? wanted
    : (COLORS.find(({ name }) => equalsIgnoringCase(name, wanted))?.value ?? null);
}

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** How the console's editor shows a stored color: by its name, any other one as the first, Pine Green. Null for none. */
export function colorName(value: string | null): string | null {
  if (value === null) return null;
  return (COLORS.find((color) => equalsIgnoringCase(color.value, value)) ?? COLORS[0]).name;
}

function equalsIgnoringCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
