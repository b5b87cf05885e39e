/**
 * How the bits of a block of texts are laid out: for each pair of letters a row of one bit per text, several pairs in
 * one row, and for each single letter a row for every way in which it may stand. Pure.
 */
import type { Bits } from './bits.ts';
import { ADDRESS, FIELD } from './searched.ts';

/** Where a single letter stands, each case within the one before it. */
export const ANYWHERE = 0;
export const WORD_STARTS = 1;
export const FIELD_STARTS = 2;
export const WHOLE_FIELD = 3;

/** Texts of one block lie together, so that taking in a text stays within a processor's nearest memory. */
export const BLOCK = 4_096;
export const WORDS = BLOCK / 32;
const LETTERS = 36;
/** Wheres of single letters, then pairs: 8 KB for each hundred devices. */
const PAIRS = 512;
export const ROWS = 4 * LETTERS + PAIRS;
const KINDS = 48;

export const NO_ROW = -1;

/** The bits of a row; no row: every one. */
export function rowBits(block: Bits, word: number, row: number): number {
  return row === NO_ROW ? -1 : (block[row * WORDS + word] ?? 0);
}

/** The bits that are in each of the rows. Every number of a block is met for every word: a loop by hand. */
export function bitsInAll(block: Bits, word: number, rows: readonly number[]): number {
  let bits = -1;
  for (let at = 0; at < rows.length && bits !== 0; at += 1) bits &= rowBits(block, word, rows[at] ?? NO_ROW);
  return bits;
}

export type Part = { readonly text: string; readonly from: number; readonly to: number };
type Mark = { readonly block: Bits; readonly word: number; readonly bit: number; readonly on: boolean };

/** Sets or clears the bits of everything in a text. Every letter of a large fleet comes by here at the start. */
export function markRows({ block, word, bit, on }: Mark, { text, from, to }: Part): void {
  const [set, keep] = on ? [bit, -1] : [0, ~bit];
  let before = EDGE;
  let kindBefore = 0;
  for (let at = from; at <= to; at += 1) {
    const char = at === to ? EDGE : text.charCodeAt(at);
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
        const next = at + 1 < to ? text.charCodeAt(at + 1) : EDGE;
        const whole = letter + WHOLE_FIELD * LETTERS * WORDS;
        if (kindOf(next) === 0) block[whole] = ((block[whole] ?? 0) & keep) | set;
      }
    }
    before = char;
    kindBefore = kind;
  }
}

export function pairsOf(part: string): readonly number[] {
  const rows: number[] = [];
  for (let at = 1; at < part.length; at += 1)
    rows.push(pairRow(kindOf(part.charCodeAt(at - 1)), kindOf(part.charCodeAt(at))));
  return rows;
}

const EDGE = FIELD.charCodeAt(0);
const OTHER_EDGE = ADDRESS.charCodeAt(0);

/** Letters, digits and the commonest signs each for themselves; the rest share what is left. 0: the edge of a field. */
export function kindOf(char: number): number {
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

export function letterRow(char: number, where: number): number {
  const kind = kindOf(char);
  return kind > 0 && kind <= LETTERS ? where * LETTERS + kind - 1 : NO_ROW;
}

/** ASCII letters and digits, and everything beyond ASCII. */
export function isPartOfWord(char: number): boolean {
  return (char >= 48 && char <= 57) || (char >= 97 && char <= 122) || char > 127;
}
