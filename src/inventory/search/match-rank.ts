/** Ranks how well a word matches a text. Pure. */
import { hasBit } from './bitmap.ts';
import type { Candidates } from './candidates.ts';
import { isWordCharacter } from './ngram-layout.ts';
import { ADDRESS_MARK, FIELD_MARK } from './search-text.ts';

/** Best rank first. */
export const EXACT = 0;
export const PREFIX = 1;
export const WORD_START = 2;
export const SUBSTRING = 3;
export const FUZZY = 4;

/** The best rank of all occurrences of the word in the text, of which `first` is the first. */
export function bestRankIn(
  text: string,
  word: string,
  first: number,
  candidates: Candidates,
  slot: number,
): number {
  let found = rankAtPosition(text, word, first);
  if (found === EXACT) return found;
  const best = bestPossibleRank(candidates, slot);
  for (let at = first; found > best; found = Math.min(found, rankAtPosition(text, word, at))) {
    at = text.indexOf(word, at + 1);
    if (at === -1) return found;
  }
  return found;
}

function rankAtPosition(text: string, word: string, at: number): number {
  if (!isEdge(text, at - 1)) return isWordCharacter(text.charCodeAt(at - 1)) ? SUBSTRING : WORD_START;
  return isEdge(text, at + word.length) ? EXACT : PREFIX;
}

function isEdge(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true;
  const char = text.charCodeAt(at);
  return char === FIELD_EDGE || char === ADDRESS_EDGE;
}

const FIELD_EDGE = FIELD_MARK.charCodeAt(0);
const ADDRESS_EDGE = ADDRESS_MARK.charCodeAt(0);

/** The best rank that the word can have in the text of this slot. */
export function bestPossibleRank(
  { atWordStart, atFieldStart, wholeField }: Candidates,
  slot: number,
): number {
  if (!hasBit(atWordStart, slot)) return SUBSTRING;
  if (!hasBit(atFieldStart, slot)) return WORD_START;
  return hasBit(wholeField, slot) ? EXACT : PREFIX;
}
