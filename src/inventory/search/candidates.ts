/** Chooses the texts that may contain a word, by the pairs of letters in them. Pure. */
import { type Bitmap, fullBitmap, intersect } from './bitmap.ts';
import type { NgramIndex } from './ngram-index.ts';
import {
  LETTER_ANYWHERE,
  LETTER_AT_FIELD_START,
  LETTER_AT_WORD_START,
  LETTER_IS_FIELD,
} from './ngram-layout.ts';
import { FIELD_MARK } from './search-text.ts';
import {
  linksBrokenByTypo,
  SEPARATORS,
  type SeparatorFreeWord,
  withoutUnlikelyGaps,
} from './separator-match.ts';

/** Texts that may contain a word, and the subsets in which it may match better than anywhere in the text. */
export type Candidates = {
  readonly anywhere: Bitmap;
  readonly atWordStart: Bitmap;
  readonly atFieldStart: Bitmap;
  readonly wholeField: Bitmap;
  /** The bits are certain, so that no text needs to be read. */
  readonly isExact: boolean;
};

/** Longer words are compared by their beginning. */
const MAX_COMPARED_LENGTH = 64;

/** Candidates among `count` texts; without an n-gram index, every text is one. */
export function findCandidates(ngrams: NgramIndex | undefined, word: string, count: number): Candidates {
  if (ngrams === undefined) return unrankedCandidates(fullBitmap(count));
  const begin = word.slice(0, MAX_COMPARED_LENGTH);
  const letter = singleLetterCandidates(ngrams, begin);
  if (letter !== null) return letter;
  const anywhere = ngrams.containing(begin, LETTER_ANYWHERE) ?? fullBitmap(count);
  // A word can't match at a word or field start where its first letter does not.
  const atWordStart = ngrams.containing(begin, LETTER_AT_WORD_START) ?? anywhere;
  const atFieldStart = ngrams.containing(FIELD_MARK + begin, LETTER_AT_FIELD_START) ?? atWordStart;
  const all = begin === word ? FIELD_MARK + word + FIELD_MARK : FIELD_MARK + begin;
  // Empty, but of full length: reading beyond the end of a typed array is slow.
  const whole = ngrams.mayBeWholeField(word) ? ngrams.containing(all, LETTER_AT_FIELD_START) : null;
  return {
    anywhere,
    atWordStart,
    atFieldStart,
    wholeField: whole ?? new Int32Array(atFieldStart.length),
    isExact: false,
  };
}

function unrankedCandidates(anywhere: Bitmap): Candidates {
  return { anywhere, atWordStart: anywhere, atFieldStart: anywhere, wholeField: anywhere, isExact: false };
}

/** For a single letter or digit the bits are certain. */
function singleLetterCandidates(ngrams: NgramIndex, letter: string): Candidates | null {
  const anywhere = ngrams.withLetter(letter, LETTER_ANYWHERE);
  const atWordStart = ngrams.withLetter(letter, LETTER_AT_WORD_START);
  const atFieldStart = ngrams.withLetter(letter, LETTER_AT_FIELD_START);
  const wholeField = ngrams.withLetter(letter, LETTER_IS_FIELD);
  if (anywhere === null || atWordStart === null || atFieldStart === null || wholeField === null) return null;
  return { anywhere, atWordStart, atFieldStart, wholeField, isExact: true };
}

/** A superset of the texts of `within` that uFuzzy finds with one typo in each run of letters of these parts. */
export function findTypoCandidates(
  ngrams: NgramIndex | undefined,
  parts: readonly string[],
  within: Bitmap,
): Bitmap {
  if (ngrams === undefined) return within;
  let found = within;
  for (const run of new Set(parts.flatMap((part) => part.match(/[a-z]+|\d+/g) ?? []))) {
    const near = runWithTypo(ngrams, run);
    if (near !== null) found = intersect(found, near);
  }
  return found;
}

/** uFuzzy takes numbers and words of one or two letters literally. */
function runWithTypo(ngrams: NgramIndex, run: string): Bitmap | null {
  if (run.length === 1) return ngrams.withLetter(run, LETTER_ANYWHERE);
  return run.length === 2 || /\d/.test(run)
    ? ngrams.containing(run, LETTER_ANYWHERE)
    : ngrams.withOneTypo(run);
}

/** A superset of the texts of `within` that contain these letters, whatever separates them. */
export function findSeparatorCandidates(
  ngrams: NgramIndex | undefined,
  word: SeparatorFreeWord,
  within: Bitmap,
): Bitmap {
  return ngrams === undefined ? within : intersect(ngrams.containingLinks(letterLinksOf(word)), within);
}

/**
 * The same with one typo in a run of letters: the letter pairs before and after the typo are unchanged, and the first
 * letter starts a word.
 */
export function findSeparatorTypoCandidates(
  ngrams: NgramIndex | undefined,
  word: SeparatorFreeWord,
  within: Bitmap,
): Bitmap {
  if (ngrams === undefined) return within;
  const links = letterLinksOf(withoutUnlikelyGaps(word));
  return intersect(
    ngrams.containingAllButOneLink(word.letters[0] ?? '', links, linksBrokenByTypo(word)),
    within,
  );
}

/** For every two neighboring letters, the ways in which they may be joined. */
function letterLinksOf({ letters, gaps }: SeparatorFreeWord): readonly (readonly string[])[] {
  return gaps.map((gap, at) => {
    const [before = '', after = ''] = letters.slice(at, at + 2);
    const parted = gap === 'nothing' ? [] : SEPARATORS.map((separator) => before + separator + after);
    return gap === 'separator' ? parted : [before + after, ...parted];
  });
}
