/**
 * Which texts hold which pairs of letters: for each pair one bit per text. A word can only stand where all of its
 * pairs do, so a few thousand operations on whole numbers leave out nearly all texts before any of them is read.
 * Several pairs share a bit, so what remains still has to be looked at. Single letters have bits of their own, which
 * need no second look.
 */
import type { Bits } from './bits.ts';
import {
  ANYWHERE,
  BLOCK,
  bitsInAll,
  kindOf,
  letterRow,
  markRows,
  NO_ROW,
  type Part,
  pairsOf,
  ROWS,
  rowBits,
  WORD_STARTS,
  WORDS,
} from './gram-rows.ts';
import { createOthers, type Links, linkedIn, nearIn, rowsOf, type Span } from './gram-slips.ts';
import { FIELD } from './searched.ts';

export type Grams = {
  /** Takes a part of the text at this place in, from the edge of a field to another; `clear` takes it out again. */
  readonly add: (place: number, text: string, from: number, to: number) => void;
  readonly clear: (place: number, text: string, from: number, to: number) => void;
  /**
   * Texts that may hold this, a line end at either side being the edge of a field, and its first letter so (`where`).
   * Null: any may.
   */
  readonly holding: (part: string, where: number) => Bits | null;
  /** Texts that may hold one of each of these. */
  readonly holdingEach: (links: Links) => Bits;
  /** The same but for the links of one of these slips, the first first, in texts where this letter begins a word. */
  readonly holdingOthers: (letter: string, links: Links, slips: readonly Span[]) => Bits;
  /** Texts that may hold this run of letters with one slip after the first of them. */
  readonly near: (letters: string) => Bits;
  /** Texts in which this letter or digit stands so; null for any other sign. */
  readonly letter: (letter: string, where: number) => Bits | null;
  /** False: no field of any text is this word and nothing else. */
  readonly mayBeWhole: (word: string) => boolean;
};

/** Fields of so few letters are seldom, so that it is known which there are. */
const SHORT = 3;

export function createGrams(): Grams {
  const blocks: Bits[] = [];
  const short = new Map<string, number>();

  const mark = (place: number, part: Part, on: boolean): void => {
    const number = Math.floor(place / BLOCK);
    while (blocks.length <= number) blocks.push(new Int32Array(ROWS * WORDS));
    const block = blocks[number];
    if (block === undefined) return;
    const bit = 1 << (place & 31);
    markRows({ block, word: (place % BLOCK) >>> 5, bit, on }, part);
    countShort(short, part, on ? 1 : -1);
  };
  /** One number after the other, by what `work` makes of the numbers of the rows in the same place. */
  const each = (work: (block: Bits, word: number) => number): Bits => {
    const found = new Int32Array(blocks.length * WORDS);
    blocks.forEach((block, number) => {
      for (let word = 0; word < WORDS; word += 1) found[number * WORDS + word] = work(block, word);
    });
    return found;
  };
  const all = (rows: readonly number[]): Bits => each((block, word) => bitsInAll(block, word, rows));
  return {
    add: (place, text, from, to) => mark(place, { text, from, to }, true),
    clear: (place, text, from, to) => mark(place, { text, from, to }, false),
    holding(part, where) {
      const first = part.startsWith(FIELD) ? part.charCodeAt(1) : part.charCodeAt(0);
      const rows = [...new Set([letterRow(first, where), ...pairsOf(part)])].filter((row) => row !== NO_ROW);
      return rows.length === 0 ? null : all(rows);
    },
    holdingEach(links) {
      const rows = rowsOf(links);
      return each((block, word) => linkedIn(block, word, rows));
    },
    holdingOthers(letter, links, slips) {
      const begin = letterRow(letter.charCodeAt(0), WORD_STARTS);
      const othersIn = createOthers(rowsOf(links), slips);
      return each((block, word) => othersIn(block, word, rowBits(block, word, begin)));
    },
    near(letters) {
      const pairs = pairsOf(letters);
      const singles = [...letters].map((letter) => letterRow(letter.charCodeAt(0), ANYWHERE));
      return each((block, word) => nearIn(block, word, pairs, singles));
    },
    letter(letter, where) {
      const row = letter.length === 1 ? letterRow(letter.charCodeAt(0), where) : NO_ROW;
      return row === NO_ROW ? null : all([row]);
    },
    mayBeWhole: (word) => word.length > SHORT || short.has(word),
  };
}

function countShort(short: Map<string, number>, { text, from, to }: Part, by: 1 | -1): void {
  let begin = from;
  for (let at = from; at <= to; at += 1) {
    if (at < to && kindOf(text.charCodeAt(at)) !== 0) continue;
    if (at > begin && at - begin <= SHORT) {
      const field = text.slice(begin, at);
      const count = (short.get(field) ?? 0) + by;
      if (count > 0) short.set(field, count);
      else short.delete(field);
    }
    begin = at + 1;
  }
}
