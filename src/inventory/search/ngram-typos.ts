/**
 * Which texts of a block may contain a word with one typo, 32 texts at once: the letters before and after the typo
 * are unchanged. Pure.
 */
import type { Bitmap } from './bitmap.ts';
import { bigramRows, intersectWord, NO_ROW, rowWord } from './ngram-layout.ts';

/** For each pair of neighboring letters, its alternative spellings. An empty list requires nothing. */
export type LetterLinks = readonly (readonly string[])[];
/** A range of links, both ends included. */
export type LinkSpan = { readonly first: number; readonly last: number };

/** A typo at one letter of a run, or at it and the next one; everything else is unchanged. */
export function wordWithOneTypo(
  block: Bitmap,
  word: number,
  pairs: readonly number[],
  singles: readonly number[],
): number {
  const length = singles.length;
  let found = 0;
  let before = rowWord(block, word, singles[0] ?? NO_ROW);
  for (let typoAt = 1; typoAt < length && before !== 0; typoAt += 1) {
    let both = before;
    if (typoAt + 3 === length) both &= rowWord(block, word, singles[length - 1] ?? NO_ROW);
    for (let at = typoAt + 2; at < length - 1 && both !== 0; at += 1)
      both &= rowWord(block, word, pairs[at] ?? NO_ROW);
    found |= both;
    before &= rowWord(block, word, pairs[typoAt - 1] ?? NO_ROW);
  }
  return found | before;
}

/** For each link its alternatives, and for each alternative the rows of its pairs. */
type LinkRows = readonly (readonly (readonly number[])[])[];

/** The rows of the links, computed once per search. */
export function linkRowsOf(links: LetterLinks): LinkRows {
  return links.map((link) => link.map(bigramRows));
}

/** 32 texts at once: those that may contain one alternative of each link. */
export function wordWithLinks(block: Bitmap, word: number, links: LinkRows): number {
  let found = -1;
  for (let at = 0; at < links.length && found !== 0; at += 1)
    found &= wordWithLink(block, word, links[at] ?? []);
  return found;
}

/** Runs for every word of the index and every mistyped word, so these are plain loops. */
function wordWithLink(block: Bitmap, word: number, link: readonly (readonly number[])[]): number {
  if (link.length === 0) return -1;
  let found = 0;
  for (let one = 0; one < link.length; one += 1) found |= intersectWord(block, word, link[one] ?? []);
  return found;
}

/** Texts that contain everything before and after the links of one of these typos, which are in order. */
export function createAllButOneLink(links: LinkRows, typos: readonly LinkSpan[]) {
  const matching = new Int32Array(links.length);
  /** The links from this one to the end. */
  const after = new Int32Array(links.length + 1);
  return (block: Bitmap, word: number, within: number): number => {
    if (within === 0) return 0;
    for (let at = 0; at < links.length; at += 1) matching[at] = wordWithLink(block, word, links[at] ?? []);
    after[links.length] = within;
    for (let at = links.length - 1; at >= 0; at -= 1) after[at] = (after[at + 1] ?? 0) & (matching[at] ?? 0);
    let found = 0;
    let before = within;
    let done = 0;
    for (const { first, last } of typos) {
      for (; done < first; done += 1) before &= matching[done] ?? 0;
      found |= before & (after[Math.min(last + 1, links.length)] ?? 0);
    }
    return found;
  };
}
