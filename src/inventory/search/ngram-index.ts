/**
 * Which texts hold which pairs of letters: for each pair one bit per text. A word can only stand where all of its
 * pairs do, so a few thousand operations on whole numbers leave out nearly all texts before any of them is read.
 * Several pairs share a bit, so what remains still has to be looked at. Single letters have bits of their own, which
 * need no second look.
 */
import type { Bitmap } from './bitmap.ts';
import {
  bigramRows,
  characterClass,
  intersectWord,
  LETTER_ANYWHERE,
  LETTER_AT_WORD_START,
  letterRowOf,
  markPostings,
  NO_ROW,
  ROWS_PER_BLOCK,
  rowWord,
  SLOTS_PER_BLOCK,
  type TextPart,
  WORDS_PER_BLOCK,
} from './ngram-layout.ts';
import {
  createAllButOneLink,
  type LetterLinks,
  type LinkSpan,
  linkRowsOf,
  wordWithLinks,
  wordWithOneTypo,
} from './ngram-typos.ts';
import { FIELD_MARK } from './search-text.ts';

export type NgramIndex = {
  /** Takes a part of the text at this place in, from the edge of a field to another; `clear` takes it out again. */
  readonly add: (place: number, text: string, from: number, to: number) => void;
  readonly clear: (place: number, text: string, from: number, to: number) => void;
  /**
   * Texts that may hold this, a line end at either side being the edge of a field, and its first letter so (`where`).
   * Null: any may.
   */
  readonly containing: (part: string, where: number) => Bitmap | null;
  /** Texts that may hold one of each of these. */
  readonly containingLinks: (links: LetterLinks) => Bitmap;
  /** The same but for the links of one of these slips, the first first, in texts where this letter begins a word. */
  readonly containingAllButOneLink: (
    letter: string,
    links: LetterLinks,
    slips: readonly LinkSpan[],
  ) => Bitmap;
  /** Texts that may hold this run of letters with one slip after the first of them. */
  readonly withOneTypo: (letters: string) => Bitmap;
  /** Texts in which this letter or digit stands so; null for any other sign. */
  readonly withLetter: (letter: string, where: number) => Bitmap | null;
  /** False: no field of any text is this word and nothing else. */
  readonly mayBeWholeField: (word: string) => boolean;
};

/** Fields of so few letters are seldom, so that it is known which there are. */
const SHORT_FIELD_LENGTH = 3;

export function createNgramIndex(): NgramIndex {
  const blocks: Bitmap[] = [];
  const shortFields = new Map<string, number>();

  const markSlot = (slot: number, part: TextPart, on: boolean): void => {
    const number = Math.floor(slot / SLOTS_PER_BLOCK);
    while (blocks.length <= number) blocks.push(new Int32Array(ROWS_PER_BLOCK * WORDS_PER_BLOCK));
    const block = blocks[number];
    if (block === undefined) return;
    const bit = 1 << (slot & 31);
    markPostings({ block, word: (slot % SLOTS_PER_BLOCK) >>> 5, bit, on }, part);
    countShortFields(shortFields, part, on ? 1 : -1);
  };
  /** One number after the other, by what `work` makes of the numbers of the rows in the same place. */
  const computePerWord = (work: (block: Bitmap, word: number) => number): Bitmap => {
    const found = new Int32Array(blocks.length * WORDS_PER_BLOCK);
    blocks.forEach((block, number) => {
      for (let word = 0; word < WORDS_PER_BLOCK; word += 1)
        found[number * WORDS_PER_BLOCK + word] = work(block, word);
    });
    return found;
  };
  const intersectRows = (rows: readonly number[]): Bitmap =>
    computePerWord((block, word) => intersectWord(block, word, rows));
  return {
    add: (slot, text, from, to) => markSlot(slot, { text, from, to }, true),
    clear: (slot, text, from, to) => markSlot(slot, { text, from, to }, false),
    containing(part, where) {
      const first = part.startsWith(FIELD_MARK) ? part.charCodeAt(1) : part.charCodeAt(0);
      const rows = [...new Set([letterRowOf(first, where), ...bigramRows(part)])].filter(
        (row) => row !== NO_ROW,
      );
      return rows.length === 0 ? null : intersectRows(rows);
    },
    containingLinks(links) {
      const rows = linkRowsOf(links);
      return computePerWord((block, word) => wordWithLinks(block, word, rows));
    },
    containingAllButOneLink(letter, links, typos) {
      const begin = letterRowOf(letter.charCodeAt(0), LETTER_AT_WORD_START);
      const allButOneLink = createAllButOneLink(linkRowsOf(links), typos);
      return computePerWord((block, word) => allButOneLink(block, word, rowWord(block, word, begin)));
    },
    withOneTypo(letters) {
      const pairs = bigramRows(letters);
      const singles = [...letters].map((letter) => letterRowOf(letter.charCodeAt(0), LETTER_ANYWHERE));
      return computePerWord((block, word) => wordWithOneTypo(block, word, pairs, singles));
    },
    withLetter(letter, where) {
      const row = letter.length === 1 ? letterRowOf(letter.charCodeAt(0), where) : NO_ROW;
      return row === NO_ROW ? null : intersectRows([row]);
    },
    mayBeWholeField: (word) => word.length > SHORT_FIELD_LENGTH || shortFields.has(word),
  };
}

function countShortFields(short: Map<string, number>, { text, from, to }: TextPart, by: 1 | -1): void {
  let begin = from;
  for (let at = from; at <= to; at += 1) {
    if (at < to && characterClass(text.charCodeAt(at)) !== 0) continue;
    if (at > begin && at - begin <= SHORT_FIELD_LENGTH) {
      const field = text.slice(begin, at);
      const count = (short.get(field) ?? 0) + by;
      if (count > 0) short.set(field, count);
      else short.delete(field);
    }
    begin = at + 1;
  }
}
