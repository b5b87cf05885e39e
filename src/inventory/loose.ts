/**
 * Words as people remember them: without a name's hyphens, dots, underscores and spaces, or with some that it has
 * not, and at last with one wrong letter besides. Digits are never guessed, nor is what stands between two of them.
 * Pure.
 */
import { isPartOfWord } from './gram-rows.ts';
import type { Span } from './gram-slips.ts';
import { ADDRESS, FIELD } from './searched.ts';

/** A word by its letters and digits. */
export type Loose = {
  readonly letters: readonly string[];
  /** For each of them but the first: what may stand between it and the one before. */
  readonly gaps: readonly Gap[];
};
/** `unlikely`: either, between two letters that were typed together. */
export type Gap = 'nothing' | 'separator' | 'either' | 'unlikely';

/** What people drop and add. */
export const SEPARATORS: readonly string[] = ['-', '.', '_', ' '];
const SEPARATOR = '[-._ ]';
/** Shorter words would be found everywhere. */
export const FEWEST = 3;
const MOST = 64;
/** Each letter adds up to four expressions. */
const MOST_SLIPPED = 24;
/** As `isPartOfWord` has it. */
const PART_OF_WORD = '[a-z0-9\\u0080-\\uffff]';
/** Stands for any letter. */
const ANY = '[a-z]';

/** Null where the word has too little to go by; a colon makes an address of it. */
export function looseOf(word: string): Loose | null {
  if (word.length > MOST || word.includes(':') || !/\p{L}/u.test(word)) return null;
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
  return letters.length < FEWEST ? null : { letters, gaps };
}

/** `1-0` and `10` are different numbers; beside a letter a separator means little. */
function gapBetween(before: string, char: string, isParted: boolean): Gap {
  if (isDigit(before) && isDigit(char)) return isParted ? 'separator' : 'nothing';
  return isParted || isDigit(before) || isDigit(char) ? 'either' : 'unlikely';
}

/** Nobody slips and drops a separator between letters at once; looking for both finds far too much. */
export function likely({ letters, gaps }: Loose): Loose {
  return { letters, gaps: gaps.map((gap) => (gap === 'unlikely' ? 'nothing' : gap)) };
}

/** Finds the word whatever separates its letters. */
export function joinedPattern(loose: Loose): RegExp {
  return new RegExp(expression(loose));
}

/** The same with one slip in a run of letters, where a word begins; null where none has room for one. */
export function slippedPattern(typed: Loose): RegExp | null {
  if (typed.letters.length > MOST_SLIPPED) return null;
  const loose = likely(typed);
  const slips = loose.letters.flatMap((_, at) => slipsAt(loose, at));
  if (slips.length === 0) return null;
  // All begin with the same letter: an expression that does, too, passes over the rest of a text twice as fast.
  const first = escaped(loose.letters[0] ?? '');
  const rests = slips.map((slip) => expression(slip).slice(first.length));
  return new RegExp(`${first}(?<!${PART_OF_WORD}${first})(?:${rests.join('|')})`);
}

/**
 * What may have been meant where the slip is at this letter: one was left out behind it; in runs of three and more
 * also another one, or two in the other order; in longer ones also one too many. The first of a run is never wrong.
 */
function slipsAt({ letters, gaps }: Loose, at: number): readonly Loose[] {
  const { run, position } = placeInRun(letters, at);
  const hasNext = position < run - 1;
  const slips: Loose[] = [];
  if (hasNext)
    slips.push({ letters: letters.toSpliced(at + 1, 0, ANY), gaps: gaps.toSpliced(at, 0, 'nothing') });
  if (position < 1 || run < 3) return slips;
  slips.push({ letters: letters.with(at, ANY), gaps });
  if (hasNext)
    slips.push({ letters: letters.toSpliced(at, 2, ...letters.slice(at, at + 2).reverse()), gaps });
  if (run > 3) slips.push({ letters: letters.toSpliced(at, 1), gaps: gaps.toSpliced(at - 1, 1) });
  return slips;
}

/** For each place of a slip: the first and the last of the links between two letters that it may change. */
export function brokenLinks({ letters }: Loose): readonly Span[] {
  return letters.flatMap((_, at) => {
    const { run, position } = placeInRun(letters, at);
    if (run < 2) return [];
    return position === 0 ? [{ first: at, last: at }] : [{ first: at - 1, last: at + 1 }];
  });
}

/** How long the run of letters around this one is, and where in it this one stands; none around a digit. */
function placeInRun(
  letters: readonly string[],
  at: number,
): { readonly run: number; readonly position: number } {
  const isOther = (letter: string) => !isPlainLetter(letter);
  const before = letters.slice(0, at + 1).findLastIndex(isOther);
  const behind = letters.slice(at).findIndex(isOther);
  const end = behind === -1 ? letters.length : at + behind;
  return { run: end - before - 1, position: at - before - 1 };
}

function expression({ letters, gaps }: Loose): string {
  return letters.map((letter, at) => `${at === 0 ? '' : between(gaps[at - 1])}${escaped(letter)}`).join('');
}

function between(gap: Gap | undefined): string {
  switch (gap) {
    case 'either':
    case 'unlikely':
      return `${SEPARATOR}?`;
    case 'separator':
      return SEPARATOR;
    default:
      return '';
  }
}

function escaped(letter: string): string {
  return letter === ANY ? ANY : letter.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Lower is better: where a field or at least a word begins and ends with what was found. */
export function looseRank(text: string, from: number, end: number): number {
  return 3 * edgeRank(text, from - 1) + edgeRank(text, end);
}

const FIELD_EDGE = FIELD.charCodeAt(0);
const ADDRESS_EDGE = ADDRESS.charCodeAt(0);

function edgeRank(text: string, at: number): number {
  if (at < 0 || at >= text.length) return 0;
  const char = text.charCodeAt(at);
  if (char === FIELD_EDGE || char === ADDRESS_EDGE) return 0;
  return isPartOfWord(char) ? 2 : 1;
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9' && char.length === 1;
}

function isPlainLetter(char: string): boolean {
  return char >= 'a' && char <= 'z' && char.length === 1;
}
