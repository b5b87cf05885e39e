/** How well a word matches a text, and texts in the order of their ranks. Pure. */
import { type Bitmap, forEachSlot, hasBit } from './bitmap.ts';
import { isFieldEdge, isWordCharacter } from './characters.ts';

/** Ranks of a match, the best first: a whole field, its beginning, the beginning of a word in it, or any part. */
export const EXACT = 0;
export const PREFIX = 1;
export const WORD_START = 2;
export const SUBSTRING = 3;
/** A typo match. */
export const FUZZY = 4;
export const NO_MATCH = 255;

/** The rank of the best occurrence of the word. `possible` is the best rank that the text can have: it ends the search. */
export function rankIn(text: string, word: string, possible: number): number {
  let best = NO_MATCH;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    best = Math.min(best, rankAt(text, word, at));
    if (best <= possible) break;
  }
  return best;
}

function rankAt(text: string, word: string, at: number): number {
  if (isFieldEdge(text, at - 1)) return isFieldEdge(text, at + word.length) ? EXACT : PREFIX;
  return isWordCharacter(text.charCodeAt(at - 1)) ? SUBSTRING : WORD_START;
}

/** Above the sum of the ranks of all words of a search. */
const MAX_SCORE = 64;

/**
 * The slots by their scores, the lowest first; equal ones in the order given, or in rising order. A counting sort:
 * there are few scores and up to a hundred thousand slots.
 */
export function sortByScore(found: Bitmap, scores: Uint8Array, order?: Uint32Array): Uint32Array {
  /** By score: where the next slot with this score goes. */
  const next = new Uint32Array(MAX_SCORE + 2);
  forEachSlot(found, (slot) => {
    const after = (scores[slot] ?? 0) + 1;
    next[after] = (next[after] ?? 0) + 1;
  });
  for (let score = 1; score < next.length; score += 1)
    next[score] = (next[score] ?? 0) + (next[score - 1] ?? 0);
  const sorted = new Uint32Array(next.at(-1) ?? 0);
  const place = (slot: number): void => {
    const score = scores[slot] ?? 0;
    const at = next[score] ?? 0;
    sorted[at] = slot;
    next[score] = at + 1;
  };
  if (order === undefined) forEachSlot(found, place);
  else {
    for (const slot of order) {
      if (hasBit(found, slot)) place(slot);
    }
  }
  return sorted;
}
