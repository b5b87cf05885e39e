/**
 * Which texts contain which pairs of letters: one bit per pair and text. A word can only occur in texts with all of
 * its pairs, so a few thousand integer operations exclude nearly all texts before any of them is read. Several pairs
 * share a bit, so the remaining texts still have to be checked. Single letters have bits of their own, which need no
 * second check.
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
  /** Indexes a part of the text in this slot, from one field edge to another; `clear` removes it again. */
  readonly add: (slot: number, text: string, from: number, to: number) => void;
  readonly clear: (slot: number, text: string, from: number, to: number) => void;
  /**
   * Texts that may contain this part, with its first letter in the position `where`. A line end at either side stands
   * for the edge of a field. Null: any text may.
   */
  readonly containing: (part: string, where: number) => Bitmap | null;
  /** Texts that may contain one alternative of each of these links. */
  readonly containingLinks: (links: LetterLinks) => Bitmap;
  /**
   * The same except for the links of one of these typos, in texts where this letter starts a word. The typos are in
   * order.
   */
  readonly containingAllButOneLink: (
    letter: string,
    links: LetterLinks,
    typos: readonly LinkSpan[],
  ) => Bitmap;
  /** Texts that may contain this run of letters with one typo after its first letter. */
  readonly withOneTypo: (letters: string) => Bitmap;
  /** Texts with this letter or digit in this position; null for any other character. */
  readonly withLetter: (letter: string, where: number) => Bitmap | null;
  /** False: no field of any text consists of this word. */
  readonly mayBeWholeField: (word: string) => boolean;
};

/** Fields this short are rare, so all of them are counted. */
const SHORT_FIELD_LENGTH = 3;

/** An empty index; it grows by blocks of texts. */
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
  /** Computes one word of 32 texts after the other from the words of the rows at the same index. */
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
