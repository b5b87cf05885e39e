/** Which texts are worth reading for a word, by the pairs of letters in them. Pure. */
import { type Bits, both, everyBit } from './bits.ts';
import { ANYWHERE, FIELD_STARTS, WHOLE_FIELD, WORD_STARTS } from './gram-rows.ts';
import type { Grams } from './grams.ts';
import { brokenLinks, type Loose, likely, SEPARATORS } from './loose.ts';
import { FIELD } from './searched.ts';

/** Texts that may hold a word, and those of them in which it may stand better than anyhow. */
export type Promising = {
  readonly anywhere: Bits;
  readonly words: Bits;
  readonly starts: Bits;
  readonly whole: Bits;
  /** Not just may: the bits say all, and no text needs to be read. */
  readonly certain: boolean;
};

/** Longer words are told apart by their beginning. */
const LONGEST = 64;

/** Of `count` texts; those of which no pairs are known may hold anything. */
export function mayHold(grams: Grams | undefined, word: string, count: number): Promising {
  if (grams === undefined) return anyhow(everyBit(count));
  const begin = word.slice(0, LONGEST);
  const letter = letterAlone(grams, begin);
  if (letter !== null) return letter;
  const anywhere = grams.holding(begin, ANYWHERE) ?? everyBit(count);
  // Where its first letter begins no word, or no field, it does not either.
  const words = grams.holding(begin, WORD_STARTS) ?? anywhere;
  const starts = grams.holding(FIELD + begin, FIELD_STARTS) ?? words;
  const all = begin === word ? FIELD + word + FIELD : FIELD + begin;
  // None, but as long: beyond the end of a list even a look is slow.
  const whole = grams.mayBeWhole(word) ? grams.holding(all, FIELD_STARTS) : null;
  return { anywhere, words, starts, whole: whole ?? new Int32Array(starts.length), certain: false };
}

function anyhow(anywhere: Bits): Promising {
  return { anywhere, words: anywhere, starts: anywhere, whole: anywhere, certain: false };
}

/** Of a letter or digit alone its bits say all. */
function letterAlone(grams: Grams, letter: string): Promising | null {
  const anywhere = grams.letter(letter, ANYWHERE);
  const words = grams.letter(letter, WORD_STARTS);
  const starts = grams.letter(letter, FIELD_STARTS);
  const whole = grams.letter(letter, WHOLE_FIELD);
  if (anywhere === null || words === null || starts === null || whole === null) return null;
  return { anywhere, words, starts, whole, certain: true };
}

/** All of `within` that uFuzzy would find with one slip in each run of letters of these parts are among them. */
export function mayComeNear(grams: Grams | undefined, parts: readonly string[], within: Bits): Bits {
  if (grams === undefined) return within;
  let found = within;
  for (const run of new Set(parts.flatMap((part) => part.match(/[a-z]+|\d+/g) ?? []))) {
    const near = nearBits(grams, run);
    if (near !== null) found = both(found, near);
  }
  return found;
}

/** uFuzzy takes numbers, and words of one or two letters, as they are. */
function nearBits(grams: Grams, run: string): Bits | null {
  if (run.length === 1) return grams.letter(run, ANYWHERE);
  return run.length === 2 || /\d/.test(run) ? grams.holding(run, ANYWHERE) : grams.near(run);
}

/** All of `within` that hold these letters, whatever separates them, are among them. */
export function mayHoldJoined(grams: Grams | undefined, loose: Loose, within: Bits): Bits {
  return grams === undefined ? within : both(grams.holdingEach(linksOf(loose)), within);
}

/**
 * The same for those with one slip in a run of letters: the links before and behind it are as they were, and its first
 * letter begins a word.
 */
export function mayHoldSlipped(grams: Grams | undefined, loose: Loose, within: Bits): Bits {
  if (grams === undefined) return within;
  const links = linksOf(likely(loose));
  return both(grams.holdingOthers(loose.letters[0] ?? '', links, brokenLinks(loose)), within);
}

/** For every two letters that follow each other: how they may. */
function linksOf({ letters, gaps }: Loose): readonly (readonly string[])[] {
  return gaps.map((gap, at) => {
    const [before = '', behind = ''] = letters.slice(at, at + 2);
    const parted = gap === 'nothing' ? [] : SEPARATORS.map((separator) => before + separator + behind);
    return gap === 'separator' ? parted : [before + behind, ...parted];
  });
}
