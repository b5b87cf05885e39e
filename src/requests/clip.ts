/** Cutting what comes from outside before it is stored. */

import { cut } from '../lib/text.ts';

/** Longest quotation of a device's or an agent's words. */
export const MAX_QUOTE_LENGTH = 300;

/** `text` on one line, cut to `length` characters with a visible mark. */
export function clip(text: string, length: number): string {
  return cut(text.replaceAll(/\s+/g, ' ').trim(), length);
}
