/** Finds texts close to a word that occurs nowhere as typed. Pure. */
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

/** uFuzzy's own recommendation: more hits than this are not ranked. */
const MAX_RANKED = 1_000;
/** Expressions with more parts could take very long on hostile names; those are matched part by part. */
const MAX_PATTERN_PARTS = 3;
const MAX_TYPO_LENGTH = 64;

const fuzzy = new UFuzzy({ intraMode: 1 });

/** Matches by slot, and their positions in the order of the texts, closest first. */
export type ApproximateMatches = { readonly bitmap: Bitmap; readonly positions: Uint32Array };

/**
 * Texts close to a word that occurs nowhere. A different separator is the smallest deviation, then a typo at the
 * start of a word, then whatever uFuzzy finds inside words or with a typo in several of them.
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

/** Texts that match the expression, equally good ones in their order; null when there are none. */
function matchPattern(
  source: SearchableTexts,
  pattern: RegExp,
  candidates: Bitmap,
): ApproximateMatches | null {
  const bitmap = new Int32Array(candidates.length);
  const ranks = buffersOf(source).bytes('ranks');
  // Finds the end separately: building the result of `exec` takes longer than the search.
  const endPattern = new RegExp(pattern, 'y');
  let isAny = false;
  for (let at = 0; at < candidates.length; at += 1) {
    for (let left = candidates[at] ?? 0; left !== 0; left &= left - 1) {
      const slot = at * 32 + lowestBit(left);
      const text = source.texts[slot] ?? '';
      const from = text.search(pattern);
      if (from === -1) continue;
      isAny = true;
      bitmap[at] = (bitmap[at] ?? 0) | (left & -left);
      endPattern.lastIndex = from;
      ranks[slot] = edgeRankOf(text, from, endPattern.test(text) ? endPattern.lastIndex : from);
    }
  }
  return isAny ? { bitmap, positions: rankSlots(source, bitmap, ranks) } : null;
}

const NO_MATCHES: ApproximateMatches = { bitmap: new Int32Array(), positions: new Uint32Array() };

/** Texts that uFuzzy finds with one typo. */
function matchWithOneTypo(source: SearchableTexts, word: string, within: Bitmap | null): ApproximateMatches {
  const { texts, ngrams } = source;
  // uFuzzy would read a quote as an operator.
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

/** Texts close to each of many parts, in any order. */
function matchAllParts(texts: string[], parts: readonly string[], candidates: number[]): number[] {
  let found = candidates;
  for (const part of new Set(parts)) found = fuzzy.filter(texts, part, found) ?? [];
  return found;
}
