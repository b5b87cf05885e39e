/** Cutting what comes from outside before it is stored. */

/** Longest quotation of a device's or an agent's words. */
export const MAX_QUOTE_LENGTH = 300;

/** `text` on one line, cut to `length` characters with a visible mark. */
export function clip(text: string, length: number): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' ').trim());
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
}
