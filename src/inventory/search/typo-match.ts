/** Texts that come near to a word that no text contains as it was typed. Pure. */
import UFuzzy from '@leeoniya/ufuzzy';
import { type Bitmap, bitmapOf, emptyBitmap, forEachSlot, isEmptyBitmap, setBit, slotsIn } from './bitmap.ts';
import type { NgramIndex } from './ngram-index.ts';
import { sortByScore } from './ranking.ts';
import {
  edgeRankOf,
  MIN_LETTERS,
  pairsChangedByTypos,
  separatorInsensitivePattern,
  toSeparatorFreeWord,
  typoPattern,
} from './separator-match.ts';
import type { SearchableTexts } from './text-index.ts';

/** uFuzzy's own advice: more hits than this are not put in order by how near they are. */
const MAX_RANKED = 1_000;
/** Expressions with more parts could take very long on hostile names; those are matched part by part. */
const MAX_PATTERN_PARTS = 3;
const MAX_TYPO_LENGTH = 64;

const fuzzy = new UFuzzy({ intraMode: 1 });

/** The same texts twice: as a bitmap, and the nearest first. */
export type ApproximateMatches = { readonly bitmap: Bitmap; readonly slots: Uint32Array };

/**
 * Three attempts, the first that finds anything counts: other separators, then one wrong letter where a word begins,
 * then what uFuzzy finds with one typo in each part of the word.
 */
export function findApproximate(source: SearchableTexts, word: string, within: Bitmap): ApproximateMatches {
  const typed = toSeparatorFreeWord(word);
  if (typed === null) return matchWithUFuzzy(source, word, within);
  const { ngrams } = source;
  const sameLetters = ngrams?.candidates(typed.letters.join(''), within) ?? within;
  const sameMatches = matchPattern(source, separatorInsensitivePattern(typed), sameLetters);
  if (sameMatches !== null) return sameMatches;
  const pattern = typoPattern(typed);
  if (pattern === null) return matchWithUFuzzy(source, word, within);
  const sameStart = ngrams?.candidates(` ${typed.letters[0] ?? ''}`, within) ?? within;
  const near = ngrams?.typoCandidates(typed.letters, pairsChangedByTypos(typed.letters), sameStart) ?? within;
  return matchPattern(source, pattern, near) ?? matchWithUFuzzy(source, word, within);
}

/** Texts that the pattern matches, those first in which fields or words begin and end with the match; null for none. */
function matchPattern(
  { texts, order }: SearchableTexts,
  pattern: RegExp,
  candidates: Bitmap,
): ApproximateMatches | null {
  const bitmap = emptyBitmap(texts.length);
  const ranks = new Uint8Array(texts.length);
  // `exec` takes longer to build its result than to find it, so a sticky copy finds the end.
  const ending = new RegExp(pattern, 'y');
  forEachSlot(candidates, (slot) => {
    const text = texts[slot] ?? '';
    const from = text.search(pattern);
    if (from === -1) return;
    setBit(bitmap, slot);
    ending.lastIndex = from;
    ranks[slot] = edgeRankOf(text, from, ending.test(text) ? ending.lastIndex : from);
  });
  return isEmptyBitmap(bitmap) ? null : { bitmap, slots: sortByScore(bitmap, ranks, order) };
}

function matchWithUFuzzy(
  { texts, ngrams, order }: SearchableTexts,
  word: string,
  within: Bitmap,
): ApproximateMatches {
  // A quote would be an order to uFuzzy.
  const needle = word.slice(0, MAX_TYPO_LENGTH).replaceAll('"', ' ');
  const parts = /[a-z]/.test(needle) ? fuzzy.split(needle) : [];
  const isLong = needle !== word || parts.length > MAX_PATTERN_PARTS;
  // `10.1.2.j` has no letters to go by: another address would be another device.
  const isAddress = parts.length > MAX_PATTERN_PARTS && !/[a-z]{3}/.test(needle);
  const isShort = isAddress || [...new Set(parts)].join('').length < MIN_LETTERS;
  const candidates = isShort ? [] : slotsIn(uFuzzyCandidates(ngrams, parts, within));
  const found = isLong
    ? matchAllParts(texts, parts, candidates)
    : (fuzzy.filter(texts, needle, candidates) ?? []);
  const bitmap = bitmapOf(found, texts.length);
  const slots = sortByScore(bitmap, new Uint8Array(texts.length), order);
  if (isLong || found.length === 0 || found.length > MAX_RANKED) return { bitmap, slots };
  const info = fuzzy.info([...slots], texts, needle);
  const sorted = fuzzy.sort(info, texts, needle).flatMap((at) => info.idx[at] ?? []);
  return { bitmap: bitmapOf(sorted, texts.length), slots: Uint32Array.from(sorted) };
}

/** uFuzzy allows one typo in each run of three letters and more; digits must match. */
function uFuzzyCandidates(ngrams: NgramIndex | undefined, parts: readonly string[], within: Bitmap): Bitmap {
  if (ngrams === undefined) return within;
  let found = within;
  for (const run of new Set(parts.flatMap((part) => part.match(/[a-z]+|\d+/g) ?? []))) {
    const isExact = run.length < MIN_LETTERS || /\d/.test(run);
    found = isExact
      ? ngrams.candidates(run, found)
      : ngrams.typoCandidates([...run], pairsChangedByTypos([...run]), found);
  }
  return found;
}

/** Texts close to each of many parts, in any order. */
function matchAllParts(texts: string[], parts: readonly string[], candidates: number[]): number[] {
  let found = candidates;
  for (const part of new Set(parts)) found = fuzzy.filter(texts, part, found) ?? [];
  return found;
}
