/** Texts that contain every word of a search. A word that no text contains is taken for a typo. Pure. */
import UFuzzy from '@leeoniya/ufuzzy';
import { FIELD_MARK, isFieldEdge, isWordCharacter, SEPARATORS } from './search-text.ts';
import {
  type Bitmap,
  bitmapOf,
  emptyBitmap,
  forEachSlot,
  fullBitmap,
  hasBit,
  isEmptyBitmap,
  type NgramIndex,
  type PairRange,
  type SearchableTexts,
  setBit,
  slotsIn,
} from './text-index.ts';

type TextMatches = {
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

/** uFuzzy's own advice: more hits than this are not put in order by how near they are. */
const MAX_RANKED = 1_000;
/** Expressions with more parts could take very long on hostile names; those are matched part by part. */
const MAX_PATTERN_PARTS = 3;
const MAX_TYPO_LENGTH = 64;

const fuzzy = new UFuzzy({ intraMode: 1 });

/** The same texts twice: as a bitmap, and the nearest first. */
type ApproximateMatches = { readonly bitmap: Bitmap; readonly slots: Uint32Array };

/**
 * Three attempts, the first that finds anything counts: other separators, then one wrong letter where a word begins,
 * then what uFuzzy finds with one typo in each part of the word.
 */
function findApproximate(source: SearchableTexts, word: string, within: Bitmap): ApproximateMatches {
  const typed = toSeparatorFreeWord(word);
  if (typed === null) return matchWithUFuzzy(source, word, within);
  const { ngrams } = source;
  const sameLetters = ngrams?.candidates(typed.letters.join(''), within) ?? within;
  const sameMatches = matchPattern(source, new RegExp(patternSource(typed)), sameLetters);
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

/**
 * A word as people remember it: without a name's hyphens, dots, underscores and spaces, or with additional ones, and
 * finally with one wrong letter too. Digits are never guessed, nor is what stands between two of them.
 */
type SeparatorFreeWord = {
  readonly letters: readonly string[];
  /** For each letter except the first: what may stand between it and the one before. */
  readonly gaps: readonly Gap[];
};
/** `unlikely`: with or without a separator, between two letters that were typed together. */
type Gap = 'nothing' | 'separator' | 'either' | 'unlikely';

const SEPARATOR = `[${SEPARATORS.join('')}]`;
const GAP_SOURCES: Readonly<Record<Gap, string>> = {
  nothing: '',
  separator: SEPARATOR,
  either: `${SEPARATOR}?`,
  unlikely: `${SEPARATOR}?`,
};
/** Shorter words would be found everywhere. */
const MIN_LETTERS = 3;
/** Each letter adds up to four alternatives to the expression. */
const MAX_TYPO_LETTERS = 24;
/** The same characters as `isWordCharacter`. */
const WORD_CHARACTER = '[a-z0-9\\u0080-\\uffff]';
const ANY = '[a-z]';

/** Null when the word has too few letters; a colon makes it an address. */
function toSeparatorFreeWord(word: string): SeparatorFreeWord | null {
  if (word.length > MAX_TYPO_LENGTH || word.includes(':') || !/\p{L}/u.test(word)) return null;
  const letters: string[] = [];
  const gaps: Gap[] = [];
  let isParted = false;
  for (const char of word) {
    if (SEPARATORS.includes(char)) {
      isParted = true;
      continue;
    }
    const before = letters.at(-1);
    if (before !== undefined) gaps.push(gapBetween(before, char, isParted));
    letters.push(char);
    isParted = false;
  }
  return letters.length < MIN_LETTERS ? null : { letters, gaps };
}

/** `1-0` and `10` are different numbers; next to a letter a separator matters little. */
function gapBetween(before: string, char: string, isParted: boolean): Gap {
  if (isDigit(before) && isDigit(char)) return isParted ? 'separator' : 'nothing';
  return isParted || isDigit(before) || isDigit(char) ? 'either' : 'unlikely';
}

/** Hardly anybody mistypes a letter and drops a separator at once; searching for both finds far too much. */
function withoutUnlikelyGaps({ letters, gaps }: SeparatorFreeWord): SeparatorFreeWord {
  return { letters, gaps: gaps.map((gap) => (gap === 'unlikely' ? 'nothing' : gap)) };
}

/** The same with one typo in a run of letters, at the start of a word; null when no run is long enough for one. */
function typoPattern(typed: SeparatorFreeWord): RegExp | null {
  if (typed.letters.length > MAX_TYPO_LETTERS) return null;
  const word = withoutUnlikelyGaps(typed);
  const typos = word.letters.flatMap((_, at) => typosAt(word, at));
  if (typos.length === 0) return null;
  // All alternatives begin with the same letter: with it in front, the expression skips the rest of a text twice as
  // fast.
  const first = escapedLetter(word.letters[0] ?? '');
  const rests = typos.map((typo) => patternSource(typo).slice(first.length));
  return new RegExp(`${first}(?<!${WORD_CHARACTER}${first})(?:${rests.join('|')})`);
}

/**
 * The words that may be meant when the typo is at this letter: the next letter is missing; in runs of three or more
 * also a wrong letter, or two swapped ones; in longer runs also an extra letter. The first letter of a run is never
 * wrong.
 */
function typosAt({ letters, gaps }: SeparatorFreeWord, at: number): readonly SeparatorFreeWord[] {
  const { run, position } = positionInRun(letters, at);
  const hasNext = position < run - 1;
  const typos: SeparatorFreeWord[] = [];
  if (hasNext)
    typos.push({ letters: letters.toSpliced(at + 1, 0, ANY), gaps: gaps.toSpliced(at, 0, 'nothing') });
  if (position < 1 || run < 3) return typos;
  typos.push({ letters: letters.with(at, ANY), gaps });
  if (hasNext)
    typos.push({ letters: letters.toSpliced(at, 2, ...letters.slice(at, at + 2).reverse()), gaps });
  if (run > 3) typos.push({ letters: letters.toSpliced(at, 1), gaps: gaps.toSpliced(at - 1, 1) });
  return typos;
}

/** For each letter with a typo: the pairs of letters that may differ from those typed. */
function pairsChangedByTypos(letters: readonly string[]): readonly PairRange[] {
  return letters.flatMap((_, at) => {
    const { run, position } = positionInRun(letters, at);
    if (run < 2) return [];
    return position === 0 ? [{ first: at, last: at }] : [{ first: at - 1, last: at + 1 }];
  });
}

/** The length of the run of letters around this one and the position in it; a digit has no run. */
function positionInRun(
  letters: readonly string[],
  at: number,
): { readonly run: number; readonly position: number } {
  const isOther = (letter: string) => !isPlainLetter(letter);
  const before = letters.slice(0, at + 1).findLastIndex(isOther);
  const after = letters.slice(at).findIndex(isOther);
  const end = after === -1 ? letters.length : at + after;
  return { run: end - before - 1, position: at - before - 1 };
}

function patternSource({ letters, gaps }: SeparatorFreeWord): string {
  return letters
    .map((letter, at) => `${GAP_SOURCES[gaps[at - 1] ?? 'nothing']}${escapedLetter(letter)}`)
    .join('');
}

function escapedLetter(letter: string): string {
  return letter === ANY ? ANY : letter.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Lower is better: whether the match begins and ends with a field, or at least with a word. */
function edgeRankOf(text: string, from: number, end: number): number {
  return 3 * edgeRank(text, from - 1) + edgeRank(text, end);
}

function edgeRank(text: string, at: number): number {
  if (isFieldEdge(text, at)) return 0;
  return isWordCharacter(text.charCodeAt(at)) ? 2 : 1;
}

const isDigit = (char: string): boolean => /^[0-9]$/.test(char);

const isPlainLetter = (char: string): boolean => /^[a-z]$/.test(char);

/** Ranks of a match, the best first: a whole field, its beginning, the beginning of a word in it, or any part. */
const EXACT = 0;
const PREFIX = 1;
const WORD_START = 2;
const SUBSTRING = 3;
/** A typo match. */
const FUZZY = 4;
const NO_MATCH = 255;

/** The rank of the best occurrence of the word. `possible` is the best rank that the text can have: it ends the search. */
function rankIn(text: string, word: string, possible: number): number {
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

/** Equal ones as given, or in rising order. A counting sort: few scores, up to a hundred thousand slots. */
function sortByScore(found: Bitmap, scores: Uint8Array, order?: Uint32Array): Uint32Array {
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
