/** Texts that contain every word of a search. A word that no text contains is taken for a typo. Pure. */
import {
  type Bitmap,
  emptyBitmap,
  forEachSlot,
  fullBitmap,
  hasBit,
  isEmptyBitmap,
  setBit,
} from './bitmap.ts';
import { FIELD_MARK } from './characters.ts';
import { EXACT, FUZZY, NO_MATCH, PREFIX, rankIn, SUBSTRING, sortByScore, WORD_START } from './ranking.ts';
import type { SearchableTexts } from './text-index.ts';
import { type ApproximateMatches, findApproximate } from './typo-match.ts';

export type TextMatches = {
  /** The best first. */
  readonly slots: Uint32Array;
  /** No text contains some word as it was typed. */
  readonly isApproximate: boolean;
};

/** More words do not narrow the result further. */
export const MAX_SEARCH_WORDS = 12;

const NO_MATCHES: TextMatches = { slots: new Uint32Array(), isApproximate: false };

/** `words` are folded. Without words, every text matches. Only texts in `only` are read. */
export function searchTexts(
  source: SearchableTexts,
  words: readonly string[],
  { only = null, limit = Infinity }: { readonly only?: Bitmap | null; readonly limit?: number } = {},
): TextMatches {
  const wanted = [...new Set(words)].filter((word) => word !== '').slice(0, MAX_SEARCH_WORDS);
  const scores = new Uint8Array(source.texts.length);
  let within = only;
  let approximate: ApproximateMatches | null = null;
  // Long words first: they leave the fewest texts to read.
  for (const word of wanted.toSorted((a, b) => b.length - a.length)) {
    const exact = matchExactly(source, word, within, scores);
    if (!isEmptyBitmap(exact)) {
      within = exact;
      continue;
    }
    // A word that other texts contain is no typo, so nothing has all the words.
    if (within !== null && !isEmptyBitmap(slotsContaining(source, word))) return NO_MATCHES;
    approximate = findApproximate(source, word, within ?? fullBitmap(source.texts.length));
    within = approximate.bitmap;
    forEachSlot(within, (slot) => addScore(scores, slot, FUZZY));
  }
  const found = within ?? fullBitmap(source.texts.length);
  const slots = approximate === null ? sortByScore(found, scores, source.order) : approximate.slots;
  if (approximate === null) return { slots: slots.subarray(0, limit), isApproximate: false };
  // The typo match has an order of its own; the ranks of other words go before it.
  const sorted = slots
    .filter((slot) => hasBit(found, slot))
    .sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0));
  return { slots: sorted.subarray(0, limit), isApproximate: sorted.length > 0 };
}

export function slotsContaining({ texts, ngrams }: SearchableTexts, word: string): Bitmap {
  const all = fullBitmap(texts.length);
  const found = emptyBitmap(texts.length);
  forEachSlot(ngrams?.candidates(word, all) ?? all, (slot) => {
    if (texts[slot]?.includes(word)) setBit(found, slot);
  });
  return found;
}

/** Texts that come near to a word that no text contains. */
export function slotsNear(source: SearchableTexts, word: string): Bitmap {
  return findApproximate(source, word, fullBitmap(source.texts.length)).bitmap;
}

/** Reads the candidates, and adds the rank of each match to its score. */
function matchExactly(
  { texts, ngrams, arePartial }: SearchableTexts,
  word: string,
  within: Bitmap | null,
  scores: Uint8Array,
): Bitmap {
  const candidates = (part: string, among: Bitmap): Bitmap => ngrams?.candidates(part, among) ?? among;
  const mayContain = candidates(word, within ?? fullBitmap(texts.length));
  const mayStartWord = candidates(` ${word.charAt(0)}`, mayContain);
  const mayBePrefix = candidates(FIELD_MARK + word.charAt(0), mayStartWord);
  const mayBeExact = candidates(FIELD_MARK + word + FIELD_MARK, mayBePrefix);
  const possibleRank = (slot: number): number => {
    if (!hasBit(mayStartWord, slot)) return SUBSTRING;
    if (!hasBit(mayBePrefix, slot)) return WORD_START;
    return hasBit(mayBeExact, slot) ? EXACT : PREFIX;
  };
  const isCertain = arePartial !== true && ngrams?.isExact(word) === true;
  const found = emptyBitmap(texts.length);
  forEachSlot(mayContain, (slot) => {
    const possible = possibleRank(slot);
    const rank = isCertain && possible !== EXACT ? possible : rankIn(texts[slot] ?? '', word, possible);
    if (rank === NO_MATCH) return;
    setBit(found, slot);
    addScore(scores, slot, rank);
  });
  return found;
}

function addScore(scores: Uint8Array, slot: number, rank: number): void {
  scores[slot] = (scores[slot] ?? 0) + rank;
}
