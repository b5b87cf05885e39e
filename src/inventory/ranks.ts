/** How well a word fits a text. Pure. */
import { hasBit } from './bits.ts';
import { isPartOfWord } from './gram-rows.ts';
import type { Promising } from './promising.ts';
import { ADDRESS, FIELD } from './searched.ts';

/** The best first. */
export const EXACT = 0;
export const PREFIX = 1;
export const WORD_START = 2;
export const SUBSTRING = 3;
export const FUZZY = 4;

/** The best of all places where the word stands in the text, of which `first` is the first. */
export function rankIn(
  text: string,
  word: string,
  first: number,
  promising: Promising,
  place: number,
): number {
  let found = rankAt(text, word, first);
  if (found === EXACT) return found;
  const best = bestIn(promising, place);
  for (let at = first; found > best; found = Math.min(found, rankAt(text, word, at))) {
    at = text.indexOf(word, at + 1);
    if (at === -1) return found;
  }
  return found;
}

function rankAt(text: string, word: string, at: number): number {
  if (!isEdge(text, at - 1)) return isPartOfWord(text.charCodeAt(at - 1)) ? SUBSTRING : WORD_START;
  return isEdge(text, at + word.length) ? EXACT : PREFIX;
}

function isEdge(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true;
  const char = text.charCodeAt(at);
  return char === FIELD_EDGE || char === ADDRESS_EDGE;
}

const FIELD_EDGE = FIELD.charCodeAt(0);
const ADDRESS_EDGE = ADDRESS.charCodeAt(0);

/** The word fits the text at this place no better than this. */
export function bestIn({ words, starts, whole }: Promising, place: number): number {
  if (!hasBit(words, place)) return SUBSTRING;
  if (!hasBit(starts, place)) return WORD_START;
  return hasBit(whole, place) ? EXACT : PREFIX;
}
