/**
 * The layout of the bits of a block of texts: a row of one bit per text for each pair of letters (several pairs share
 * a row), and for each single letter a row per position in which it may occur. Pure.
 */
import type { Bitmap } from './bitmap.ts';
import { ADDRESS_MARK, FIELD_MARK } from './search-text.ts';

/** Positions of a single letter; each includes the next one. */
export const LETTER_ANYWHERE = 0;
export const LETTER_AT_WORD_START = 1;
export const LETTER_AT_FIELD_START = 2;
export const LETTER_IS_FIELD = 3;

/** The texts of a block are stored together, so that indexing a text stays within a processor's nearest memory. */
export const SLOTS_PER_BLOCK = 4_096;
export const WORDS_PER_BLOCK = SLOTS_PER_BLOCK / 32;
const LETTER_COUNT = 36;
/** Rows for single letters, then for pairs: 8 KB per hundred devices. */
const BIGRAM_ROW_COUNT = 512;
export const ROWS_PER_BLOCK = 4 * LETTER_COUNT + BIGRAM_ROW_COUNT;
const CLASS_COUNT = 48;

export const NO_ROW = -1;

/** 32 bits of a row; without a row, all are set. */
export function rowWord(block: Bitmap, word: number, row: number): number {
  return row === NO_ROW ? -1 : (block[row * WORDS_PER_BLOCK + word] ?? 0);
}

/** The bits that are set in all rows. A loop, because it runs for every word of a block. */
export function intersectWord(block: Bitmap, word: number, rows: readonly number[]): number {
  let bits = -1;
  for (let at = 0; at < rows.length && bits !== 0; at += 1) bits &= rowWord(block, word, rows[at] ?? NO_ROW);
  return bits;
}

export type TextPart = { readonly text: string; readonly from: number; readonly to: number };
type SlotMark = { readonly block: Bitmap; readonly word: number; readonly bit: number; readonly on: boolean };

/** Sets or clears all bits of a text. Every letter of a large fleet passes here at the start. */
export function markPostings({ block, word, bit, on }: SlotMark, { text, from, to }: TextPart): void {
  const [set, keepMask] = on ? [bit, -1] : [0, ~bit];
  let before = FIELD_EDGE;
  let kindBefore = 0;
  for (let at = from; at <= to; at += 1) {
    const char = at === to ? FIELD_EDGE : text.charCodeAt(at);
    const kind = characterClass(char);
    const pair = (BIGRAM_ROWS[kindBefore * CLASS_COUNT + kind] ?? 0) * WORDS_PER_BLOCK + word;
    block[pair] = ((block[pair] ?? 0) & keepMask) | set;
    if (kind > 0 && kind <= LETTER_COUNT) {
      const letter = (kind - 1) * WORDS_PER_BLOCK + word;
      const anywhere = letter + LETTER_ANYWHERE * LETTER_COUNT * WORDS_PER_BLOCK;
      block[anywhere] = ((block[anywhere] ?? 0) & keepMask) | set;
      if (!isWordCharacter(before)) {
        const start = letter + LETTER_AT_WORD_START * LETTER_COUNT * WORDS_PER_BLOCK;
        block[start] = ((block[start] ?? 0) & keepMask) | set;
      }
      if (kindBefore === 0) {
        const first = letter + LETTER_AT_FIELD_START * LETTER_COUNT * WORDS_PER_BLOCK;
        block[first] = ((block[first] ?? 0) & keepMask) | set;
        const next = at + 1 < to ? text.charCodeAt(at + 1) : FIELD_EDGE;
        const whole = letter + LETTER_IS_FIELD * LETTER_COUNT * WORDS_PER_BLOCK;
        if (characterClass(next) === 0) block[whole] = ((block[whole] ?? 0) & keepMask) | set;
      }
    }
    before = char;
    kindBefore = kind;
  }
}

/** The rows of all pairs of neighboring letters in `part`. */
export function bigramRows(part: string): readonly number[] {
  const rows: number[] = [];
  for (let at = 1; at < part.length; at += 1)
    rows.push(bigramRow(characterClass(part.charCodeAt(at - 1)), characterClass(part.charCodeAt(at))));
  return rows;
}

const FIELD_EDGE = FIELD_MARK.charCodeAt(0);
const ADDRESS_EDGE = ADDRESS_MARK.charCodeAt(0);

/**
 * Letters, digits and the commonest signs have a class each; other characters share the rest. 0: the edge of a field.
 */
export function characterClass(char: number): number {
  return char < CHARACTER_CLASSES.length
    ? (CHARACTER_CLASSES[char] ?? 0)
    : SHARED_CLASSES_FROM + (char % SHARED_CLASS_COUNT);
}

const SHARED_CLASSES_FROM = 39;
const SHARED_CLASS_COUNT = CLASS_COUNT - SHARED_CLASSES_FROM;
const CHARACTER_CLASSES = Uint8Array.from({ length: 128 }, (_, char) => {
  if (char === FIELD_EDGE || char === ADDRESS_EDGE) return 0;
  const known = 'abcdefghijklmnopqrstuvwxyz0123456789.-'.indexOf(String.fromCharCode(char));
  return known === -1 ? SHARED_CLASSES_FROM + (char % SHARED_CLASS_COUNT) : known + 1;
});

/** The row of each pair of classes: several pairs share a row. */
const BIGRAM_ROWS = Uint16Array.from(
  { length: CLASS_COUNT * CLASS_COUNT },
  (_, pair) => 4 * LETTER_COUNT + (Math.imul(pair, 0x9e3779b1) >>> 23),
);

function bigramRow(first: number, second: number): number {
  return BIGRAM_ROWS[first * CLASS_COUNT + second] ?? 0;
}

/** The row of a letter or digit in this position; {@link NO_ROW} for other characters. */
export function letterRowOf(char: number, where: number): number {
  const kind = characterClass(char);
  return kind > 0 && kind <= LETTER_COUNT ? where * LETTER_COUNT + kind - 1 : NO_ROW;
}

/** ASCII letters and digits, and everything beyond ASCII. */
export function isWordCharacter(char: number): boolean {
  return (char >= 48 && char <= 57) || (char >= 97 && char <= 122) || char > 127;
}
