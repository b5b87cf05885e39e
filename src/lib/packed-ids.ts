/**
 * Many ids as a short text: their differences, lowest first, in as few signs as each takes. A thousand devices fit into a
 * button or the metadata of a window, whose limits are Slack's (2,000 and 3,000 characters).
 */
import { z } from 'zod';

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Of the 64 signs the upper half says that the number goes on. */
const BASE = 32;

/** Each id once. */
export function packIds(ids: Iterable<number>): string {
  let before = 0;
  let text = '';
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    let rest = id - before;
    before = id;
    while (rest >= BASE) {
      text += SIGNS[BASE + (rest % BASE)];
      rest = Math.floor(rest / BASE);
    }
    text += SIGNS[rest];
  }
  return text;
}

/** The ids, lowest first; null for a text that {@link packIds} does not write. */
export function unpackIds(text: string): readonly number[] | null {
  const ids: number[] = [];
  let id = 0;
  let difference = 0;
  let factor = 1;
  for (const sign of text) {
    const digit = SIGNS.indexOf(sign);
    if (digit < 0) return null;
    difference += (digit % BASE) * factor;
    factor *= BASE;
    if (digit >= BASE) continue;
    id += difference;
    if (difference === 0 || !Number.isSafeInteger(id)) return null;
    ids.push(id);
    difference = 0;
    factor = 1;
  }
  return ids.length === 0 || factor > 1 ? null : ids;
}

export const packedIds = z.string().refine((text) => unpackIds(text) !== null);
