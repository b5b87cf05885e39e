/**
 * Words as people remember them: without a name's hyphens, dots, underscores and spaces, or with additional ones, and
 * finally with one wrong letter too. Digits are never guessed, nor is what stands between two of them. Pure.
 */
import { isFieldEdge, isWordCharacter, SEPARATORS } from './characters.ts';
import type { PairRange } from './ngram-index.ts';

/** The letters and digits of a word. */
export type SeparatorFreeWord = {
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
export const MIN_LETTERS = 3;
const MAX_LENGTH = 64;
/** Each letter adds up to four alternatives to the expression. */
const MAX_TYPO_LETTERS = 24;
/** The same characters as `isWordCharacter`. */
const WORD_CHARACTER = '[a-z0-9\\u0080-\\uffff]';
/** Stands for any letter. */
const ANY = '[a-z]';

/** Null when the word has too few letters; a colon makes it an address. */
export function toSeparatorFreeWord(word: string): SeparatorFreeWord | null {
  if (word.length > MAX_LENGTH || word.includes(':') || !/\p{L}/u.test(word)) return null;
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

/** Matches the word whatever separates its letters. */
export function separatorInsensitivePattern(word: SeparatorFreeWord): RegExp {
  return new RegExp(patternSource(word));
}

/** The same with one typo in a run of letters, at the start of a word; null when no run is long enough for one. */
export function typoPattern(typed: SeparatorFreeWord): RegExp | null {
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
export function pairsChangedByTypos(letters: readonly string[]): readonly PairRange[] {
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
export function edgeRankOf(text: string, from: number, end: number): number {
  return 3 * edgeRank(text, from - 1) + edgeRank(text, end);
}

function edgeRank(text: string, at: number): number {
  if (isFieldEdge(text, at)) return 0;
  return isWordCharacter(text.charCodeAt(at)) ? 2 : 1;
}

const isDigit = (char: string): boolean => /^[0-9]$/.test(char);

const isPlainLetter = (char: string): boolean => /^[a-z]$/.test(char);
