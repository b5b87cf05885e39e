/**
 * Which texts hold which pairs of letters: for each pair one bit per text. A word can only stand where all of its
 * pairs do, so a few thousand operations on whole numbers leave out nearly all texts before any of them is read.
 * Several pairs share a bit, so what remains still has to be looked at. Single letters have bits of their own, which
 * need no second look.
 */
import type { Bits } from './bits.ts';
import { ADDRESS, FIELD } from './searched.ts';

/** Where a single letter stands, each case within the one before it. */
export const ANYWHERE = 0;
export const WORD_STARTS = 1;
export const FIELD_STARTS = 2;
export const WHOLE_FIELD = 3;

export type Grams = {
  /** Takes the text at this place in; `clear` takes it out again. */
  readonly add: (place: number, text: string) => void;
  readonly clear: (place: number, text: string) => void;
  /** Texts that may hold this; a line end at either side stands for the edge of a field. Null: any may. */
  readonly holding: (part: string) => Bits | null;
  /** Texts that may hold one of each of these lists; an empty one asks for nothing. */
  readonly holdingEach: (lists: readonly (readonly string[])[]) => Bits;
  /** Texts that may hold this run of letters with one slip after the first of them. */
  readonly near: (letters: string) => Bits;
  /** Texts in which this letter or digit stands so; null for any other sign. */
  readonly letter: (letter: string, where: number) => Bits | null;
  /** False: no field of any text is this word and nothing else. */
  readonly mayBeWhole: (word: string) => boolean;
};

/** Fields of so few letters are seldom, so that it is known which there are. */
const SHORT = 3;

/** Texts of one block lie together, so that taking in a text stays within a processor's nearest memory. */
const BLOCK = 4_096;
const WORDS = BLOCK / 32;
const LETTERS = 36;
/** Wheres of single letters, then pairs: 8 KB for each hundred devices. */
const PAIRS = 512;
const ROWS = 4 * LETTERS + PAIRS;
const KINDS = 48;

export function createGrams(): Grams {
  const blocks: Bits[] = [];
  const short = new Map<string, number>();

  const mark = (place: number, text: string, on: boolean): void => {
    const number = Math.floor(place / BLOCK);
    while (blocks.length <= number) blocks.push(new Uint32Array(ROWS * WORDS));
    const block = blocks[number];
    if (block === undefined) return;
    const bit = 1 << (place & 31);
    markRows({ block, word: (place % BLOCK) >>> 5, bit, on }, text);
    countShort(short, text, on ? 1 : -1);
  };
  /** One number after the other, by what `work` makes of the numbers of the rows in the same place. */
  const each = (work: (block: Bits, word: number) => number): Bits => {
    const found = new Uint32Array(blocks.length * WORDS);
    blocks.forEach((block, number) => {
      for (let word = 0; word < WORDS; word += 1) found[number * WORDS + word] = work(block, word);
    });
    return found;
  };
  const all = (rows: readonly number[]): Bits =>
    each((block, word) => {
      let bits = -1;
      for (let at = 0; at < rows.length && bits !== 0; at += 1) bits &= has(block, word, rows[at] ?? 0);
      return bits;
    });
  return {
    add: (place, text) => mark(place, text, true),
    clear: (place, text) => mark(place, text, false),
    holding(part) {
      const rows = [...new Set(pairsOf(part))];
      return rows.length === 0 ? null : all(rows);
    },
    holdingEach(lists) {
      const rows = lists.map((list) => list.map(pairsOf)).filter((list) => list.length > 0);
      return each((block, word) => eachIn(block, word, rows));
    },
    near(letters) {
      const pairs = pairsOf(letters);
      const singles = [...letters].map((letter) => letterRow(letter.charCodeAt(0), ANYWHERE));
      return each((block, word) => nearIn(block, word, pairs, singles));
    },
    letter(letter, where) {
      const row = letter.length === 1 ? letterRow(letter.charCodeAt(0), where) : -1;
      return row === -1 ? null : all([row]);
    },
    mayBeWhole: (word) => word.length > SHORT || short.has(word),
  };
}

/**
 * A slip at one letter, or at it and the next, leaves what is before and behind them as it was. `after[at]` holds the
 * texts with everything from `at` on.
 */
function nearIn(block: Bits, word: number, pairs: readonly number[], singles: readonly number[]): number {
  const length = singles.length;
  let found = 0;
  let before = has(block, word, singles[0] ?? -1);
  for (let slip = 1; slip < length && before !== 0; slip += 1) {
    let both = before;
    if (slip + 3 === length) both &= has(block, word, singles[length - 1] ?? -1);
    for (let at = slip + 2; at < length - 1 && both !== 0; at += 1) both &= has(block, word, pairs[at] ?? -1);
    found |= both;
    before &= has(block, word, pairs[slip - 1] ?? -1);
  }
  return found | before;
}

function eachIn(block: Bits, word: number, lists: readonly (readonly (readonly number[])[])[]): number {
  let found = -1;
  for (let list = 0; list < lists.length && found !== 0; list += 1) {
    let one = 0;
    for (const rows of lists[list] ?? []) {
      let bits = found;
      for (let at = 0; at < rows.length && bits !== 0; at += 1) bits &= has(block, word, rows[at] ?? 0);
      one |= bits;
    }
    found = one;
  }
  return found;
}

/** The bits of a row; no row: every one. */
function has(block: Bits, word: number, row: number): number {
  return row === -1 ? -1 : (block[row * WORDS + word] ?? 0);
}

type Mark = { readonly block: Bits; readonly word: number; readonly bit: number; readonly on: boolean };

/** Sets or clears the bits of everything in a text. Every letter of a large fleet comes by here at the start. */
function markRows({ block, word, bit, on }: Mark, text: string): void {
  const [set, keep] = on ? [bit, -1] : [0, ~bit];
  let before = EDGE;
  let kindBefore = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const char = at === text.length ? EDGE : text.charCodeAt(at);
    const kind = kindOf(char);
    const pair = (PAIR_ROW[kindBefore * KINDS + kind] ?? 0) * WORDS + word;
    block[pair] = ((block[pair] ?? 0) & keep) | set;
    if (kind > 0 && kind <= LETTERS) {
      const letter = (kind - 1) * WORDS + word;
      const anywhere = letter + ANYWHERE * LETTERS * WORDS;
      block[anywhere] = ((block[anywhere] ?? 0) & keep) | set;
      if (!isPartOfWord(before)) {
        const start = letter + WORD_STARTS * LETTERS * WORDS;
        block[start] = ((block[start] ?? 0) & keep) | set;
      }
      if (kindBefore === 0) {
        const first = letter + FIELD_STARTS * LETTERS * WORDS;
        block[first] = ((block[first] ?? 0) & keep) | set;
        const next = at + 1 < text.length ? text.charCodeAt(at + 1) : EDGE;
        const whole = letter + WHOLE_FIELD * LETTERS * WORDS;
        if (kindOf(next) === 0) block[whole] = ((block[whole] ?? 0) & keep) | set;
      }
    }
    before = char;
    kindBefore = kind;
  }
}

function countShort(short: Map<string, number>, text: string, by: 1 | -1): void {
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && kindOf(text.charCodeAt(at)) !== 0) continue;
    if (at > from && at - from <= SHORT) {
      const field = text.slice(from, at);
      const count = (short.get(field) ?? 0) + by;
      if (count > 0) short.set(field, count);
      else short.delete(field);
    }
    from = at + 1;
  }
}

function pairsOf(part: string): readonly number[] {
  const rows: number[] = [];
  for (let at = 1; at < part.length; at += 1)
    rows.push(pairRow(kindOf(part.charCodeAt(at - 1)), kindOf(part.charCodeAt(at))));
  return rows;
}

const EDGE = FIELD.charCodeAt(0);
const OTHER_EDGE = ADDRESS.charCodeAt(0);

/** Letters, digits and the commonest signs each for themselves; the rest share what is left. 0: the edge of a field. */
function kindOf(char: number): number {
  return char < KIND.length ? (KIND[char] ?? 0) : OTHERS + (char % SHARED);
}

const OTHERS = 39;
const SHARED = KINDS - OTHERS;
const KIND = Uint8Array.from({ length: 128 }, (_, char) => {
  if (char === EDGE || char === OTHER_EDGE) return 0;
  const known = 'abcdefghijklmnopqrstuvwxyz0123456789.-'.indexOf(String.fromCharCode(char));
  return known === -1 ? OTHERS + (char % SHARED) : known + 1;
});

/** By both kinds: several pairs share a row. */
const PAIR_ROW = Uint16Array.from(
  { length: KINDS * KINDS },
  (_, pair) => 4 * LETTERS + (Math.imul(pair, 0x9e3779b1) >>> 23),
);

function pairRow(first: number, second: number): number {
  return PAIR_ROW[first * KINDS + second] ?? 0;
}

function letterRow(char: number, where: number): number {
  const kind = kindOf(char);
  return kind > 0 && kind <= LETTERS ? where * LETTERS + kind - 1 : -1;
}

/** ASCII letters and digits, and everything beyond ASCII. */
export function isPartOfWord(char: number): boolean {
  return (char >= 48 && char <= 57) || (char >= 97 && char <= 122) || char > 127;
}
