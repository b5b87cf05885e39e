/**
 * Finds texts by words: every word must be in the text. Only a word that occurs nowhere is treated as a typo. A
 * number or an address is never one, because another number would be another thing. Pure.
 */

import { NO_MATCH } from './address-rank.ts';
import { type Bitmap, fullBitmap, hasBit, intersect, isEmptyBitmap, lowestBit } from './bitmap.ts';
import { findCandidates } from './candidates.ts';
import { bestPossibleRank, bestRankIn, FUZZY } from './match-rank.ts';
import { buffersOf, rankSlots, type SearchableTexts, slotAt } from './ranking.ts';
import type { AddressMatches } from './text-index.ts';
import { type ApproximateMatches, findApproximate } from './typo-match.ts';

export type TextMatches = {
  /** Positions in the order of the texts, best match first; equally good ones in this order. */
  readonly positions: Uint32Array;
  /** Some word does not occur in any of them as typed. */
  readonly isApproximate: boolean;
};

/** More words do not narrow the result further. */
export const MAX_SEARCH_WORDS = 12;

export type TextSearchOptions = {
  /** Only these slots are searched. */
  readonly only?: Bitmap | null;
  /** How many of the best matches are enough. */
  readonly limit?: number;
};

/** Searches for folded words; no words match everything. */
export function searchTexts(
  source: SearchableTexts,
  words: readonly string[],
  { only = null, limit = Infinity }: TextSearchOptions = {},
): TextMatches {
  const wanted = [...new Set(words)].filter((word) => word !== '').slice(0, MAX_SEARCH_WORDS);
  const scores = buffersOf(source).bytes('scores');
  let within = only;
  let approximate: ApproximateMatches | null = null;
  for (const word of wanted.toSorted((a, b) => b.length - a.length)) {
    const exact = matchExactly(source, word, within, scores);
    if (!isEmptyBitmap(exact)) {
      within = exact;
      continue;
    }
    // A word that occurs elsewhere as typed is not a typo, so no text has all the words.
    if (within !== null && !isEmptyBitmap(matchExactly(source, word, null, null))) return NO_MATCHES;
    approximate = findApproximate(source, word, within);
    within = approximate.bitmap;
    addTypoScore(scores, within);
  }
  const found = within ?? fullBitmap(source.texts.length);
  if (approximate === null)
    return { positions: rankSlots(source, found, scores, limit), isApproximate: false };
  // The typo search has its own order; it decides alone when there is no other word.
  const positions =
    wanted.length === 1
      ? approximate.positions
      : sortByScore(source, approximate.positions, { found, scores });
  return { positions: positions.subarray(0, limit), isApproximate: positions.length > 0 };
}

/** The slots of the texts that contain the word. */
export function slotsContaining(source: SearchableTexts, word: string): Bitmap {
  return matchExactly(source, word, null, null);
}

/** The slots of texts close to a word that occurs nowhere. */
export function slotsNear(source: SearchableTexts, word: string): Bitmap {
  return findApproximate(source, word, null).bitmap;
}

const NO_MATCHES: TextMatches = { positions: new Uint32Array(), isApproximate: false };

/** The slots of texts that contain the word; adds the rank of each match to `scores`. */
function matchExactly(
  source: SearchableTexts,
  word: string,
  within: Bitmap | null,
  scores: Uint8Array | null,
): Bitmap {
  const { texts, ngrams, isPartialText } = source;
  const addresses = source.matchAddresses?.(word) ?? null;
  const candidates = findCandidates(ngrams, word, texts.length);
  const certain = candidates.isExact && isPartialText !== true;
  const found = within === null ? candidates.anywhere.slice() : intersect(candidates.anywhere, within);
  // May visit every text: a plain loop takes a third of the time.
  for (let at = 0; at < found.length; at += 1) {
    for (let left = found[at] ?? 0; left !== 0; left &= left - 1) {
      const slot = at * 32 + lowestBit(left);
      const best = bestPossibleRank(candidates, slot);
      const known = addresses === null ? NO_MATCH : (addresses.ranks[slot] ?? NO_MATCH);
      let rank = known;
      if (known > best) {
        const text = texts[slot] ?? '';
        const first = certain ? 0 : text.indexOf(word);
        if (first !== -1)
          rank = Math.min(known, certain ? best : bestRankIn(text, word, first, candidates, slot));
      }
      if (rank === NO_MATCH) found[at] = (found[at] ?? 0) & ~(left & -left);
      else if (scores !== null) scores[slot] = (scores[slot] ?? 0) + rank;
    }
  }
  if (addresses !== null) addAddressMatches(addresses, candidates.anywhere, { found, within, scores });
  return found;
}

/** Adds the texts that contain the word only in an IPv4 address, which the n-gram index does not cover. */
function addAddressMatches(
  { bitmap, ranks }: AddressMatches,
  anywhere: Bitmap,
  { found, within, scores }: { found: Bitmap; within: Bitmap | null; scores: Uint8Array | null },
): void {
  for (let at = 0; at < bitmap.length; at += 1) {
    const others = (bitmap[at] ?? 0) & ~(anywhere[at] ?? 0) & (within === null ? -1 : (within[at] ?? 0));
    found[at] = (found[at] ?? 0) | others;
    if (scores === null) continue;
    for (let left = others; left !== 0; left &= left - 1) {
      const slot = at * 32 + lowestBit(left);
      scores[slot] = (scores[slot] ?? 0) + (ranks[slot] ?? 0);
    }
  }
}

function addTypoScore(scores: Uint8Array, bits: Bitmap): void {
  for (let at = 0; at < bits.length; at += 1) {
    for (let left = bits[at] ?? 0; left !== 0; left &= left - 1) {
      const slot = at * 32 + lowestBit(left);
      scores[slot] = (scores[slot] ?? 0) + FUZZY;
    }
  }
}

/** Best match first, equally good ones in the given order. */
function sortByScore(
  source: SearchableTexts,
  positions: Uint32Array,
  { found, scores }: { readonly found: Bitmap; readonly scores: Uint8Array },
): Uint32Array {
  const scoreAt = (position: number) => scores[slotAt(source, position)] ?? 0;
  const entries = positions.filter((position) => hasBit(found, slotAt(source, position)));
  return entries.sort((a, b) => scoreAt(a) - scoreAt(b));
}
