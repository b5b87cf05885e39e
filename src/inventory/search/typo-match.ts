/** Texts that come near to a word that stands nowhere as it was typed. Pure. */
import UFuzzy from '@leeoniya/ufuzzy';
import { type Bitmap, bitmapOf, fullBitmap, lowestBit, slotsIn } from './bitmap.ts';
import { findSeparatorCandidates, findSeparatorTypoCandidates, findTypoCandidates } from './candidates.ts';
import { buffersOf, positionsOfSlots, rankSlots, type SearchableTexts, slotAt } from './ranking.ts';
import {
  edgeRankOf,
  MIN_LETTERS,
  separatorInsensitivePattern,
  toSeparatorFreeWord,
  typoPattern,
} from './separator-match.ts';

/** uFuzzy's own advice: more than this many hits are not put in order by how near they are. */
const MAX_RANKED = 1_000;
/** Expressions of more parts could take very long on hostile names: those are only asked for part by part. */
const MAX_PATTERN_PARTS = 3;
const MAX_TYPO_LENGTH = 64;

const fuzzy = new UFuzzy({ intraMode: 1 });

/** Texts by their places, and where they stand in their order, the nearest first. */
export type ApproximateMatches = { readonly bitmap: Bitmap; readonly positions: Uint32Array };

/**
 * Those that come near to a word that stands nowhere: a separator is the least of slips, then come a letter where a
 * word begins, and what uFuzzy finds within words or with a slip in each of several.
 */
export function findApproximate(
  source: SearchableTexts,
  word: string,
  within: Bitmap | null,
): ApproximateMatches {
  const separatorFree = toSeparatorFreeWord(word);
  if (separatorFree === null) return matchWithOneTypo(source, word, within);
  const all = within ?? fullBitmap(source.texts.length);
  const separatorMatches = matchPattern(
    source,
    separatorInsensitivePattern(separatorFree),
    findSeparatorCandidates(source.ngrams, separatorFree, all),
  );
  if (separatorMatches !== null) return separatorMatches;
  const pattern = typoPattern(separatorFree);
  const typoMatches =
    pattern === null
      ? null
      : matchPattern(source, pattern, findSeparatorTypoCandidates(source.ngrams, separatorFree, all));
  return typoMatches ?? matchWithOneTypo(source, word, within);
}

/** Those in which the expression is found, equally good ones in their order; null for none. */
function matchPattern(
  source: SearchableTexts,
  pattern: RegExp,
  candidates: Bitmap,
): ApproximateMatches | null {
  const bitmap = new Int32Array(candidates.length);
  const ranks = buffersOf(source).bytes('ranks');
  // Where it ends is asked for apart: what `exec` gives takes longer to make than to find.
  const ending = new RegExp(pattern, 'y');
  let isAny = false;
  for (let at = 0; at < candidates.length; at += 1) {
    for (let left = candidates[at] ?? 0; left !== 0; left &= left - 1) {
      const slot = at * 32 + lowestBit(left);
      const text = source.texts[slot] ?? '';
      const from = text.search(pattern);
      if (from === -1) continue;
      isAny = true;
      bitmap[at] = (bitmap[at] ?? 0) | (left & -left);
      ending.lastIndex = from;
      ranks[slot] = edgeRankOf(text, from, ending.test(text) ? ending.lastIndex : from);
    }
  }
  return isAny ? { bitmap, positions: rankSlots(source, bitmap, ranks) } : null;
}

const NO_MATCHES: ApproximateMatches = { bitmap: new Int32Array(), positions: new Uint32Array() };

/** Those that uFuzzy finds one slip away. */
function matchWithOneTypo(source: SearchableTexts, word: string, within: Bitmap | null): ApproximateMatches {
  const { texts, ngrams } = source;
  // A quote would be an order to uFuzzy.
  const needle = word.slice(0, MAX_TYPO_LENGTH).replaceAll('"', ' ');
  const parts = /[a-z]/.test(needle) ? fuzzy.split(needle) : [];
  if ([...new Set(parts)].join('').length < MIN_LETTERS) return NO_MATCHES;
  const candidates = slotsIn(findTypoCandidates(ngrams, parts, within ?? fullBitmap(texts.length)));
  const found =
    parts.length > MAX_PATTERN_PARTS || needle !== word
      ? matchAllParts(texts, parts, candidates)
      : (fuzzy.filter(texts, needle, candidates) ?? []);
  const bitmap = bitmapOf(found, texts.length);
  const near = rankSlots(source, bitmap);
  if (near.length === 0 || near.length > MAX_RANKED || needle !== word || parts.length > MAX_PATTERN_PARTS)
    return { bitmap, positions: near };
  const slots = Array.from(near, (position) => slotAt(source, position));
  const info = fuzzy.info(slots, texts, needle);
  const sorted = fuzzy.sort(info, texts, needle).flatMap((at) => info.idx[at] ?? []);
  return { bitmap: bitmapOf(sorted, texts.length), positions: positionsOfSlots(source, sorted) };
}

/** Texts that come near to each of many parts, wherever these stand. */
function matchAllParts(texts: string[], parts: readonly string[], candidates: number[]): number[] {
  let found = candidates;
  for (const part of new Set(parts)) found = fuzzy.filter(texts, part, found) ?? [];
  return found;
}
