/**
 * Which texts of a block may hold a word with a slip of the pen in it, 32 of them at once: what is before the slip and
 * behind it is as it was. Pure.
 */
import type { Bits } from './bits.ts';
import { bitsInAll, NO_ROW, pairsOf, rowBits } from './gram-rows.ts';

/** For each of several pairs of letters: how it may stand. An empty list asks for nothing. */
export type Links = readonly (readonly string[])[];
/** From the first link to the last. */
export type Span = { readonly first: number; readonly last: number };

/** A slip at one letter of a run, or at it and the next, and everything else as it was. */
export function nearIn(
  block: Bits,
  word: number,
  pairs: readonly number[],
  singles: readonly number[],
): number {
  const length = singles.length;
  let found = 0;
  let before = rowBits(block, word, singles[0] ?? NO_ROW);
  for (let slip = 1; slip < length && before !== 0; slip += 1) {
    let both = before;
    if (slip + 3 === length) both &= rowBits(block, word, singles[length - 1] ?? NO_ROW);
    for (let at = slip + 2; at < length - 1 && both !== 0; at += 1)
      both &= rowBits(block, word, pairs[at] ?? NO_ROW);
    found |= both;
    before &= rowBits(block, word, pairs[slip - 1] ?? NO_ROW);
  }
  return found | before;
}

/** Of each link its alternatives, and of each of them the rows of its pairs. */
type LinkRows = readonly (readonly (readonly number[])[])[];

export function rowsOf(links: Links): LinkRows {
  return links.map((link) => link.map(pairsOf));
}

export function linkedIn(block: Bits, word: number, links: LinkRows): number {
  let found = -1;
  for (let at = 0; at < links.length && found !== 0; at += 1) found &= linkIn(block, word, links[at] ?? []);
  return found;
}

/** Every one of these whole numbers is met for every word somebody mistyped: loops by hand. */
function linkIn(block: Bits, word: number, link: readonly (readonly number[])[]): number {
  if (link.length === 0) return -1;
  let found = 0;
  for (let one = 0; one < link.length; one += 1) found |= bitsInAll(block, word, link[one] ?? []);
  return found;
}

/** Texts that hold what is before and behind the links of one of these slips, the first first. */
export function createOthers(links: LinkRows, slips: readonly Span[]) {
  const holding = new Int32Array(links.length);
  /** From each link on. */
  const behind = new Int32Array(links.length + 1);
  return (block: Bits, word: number, within: number): number => {
    if (within === 0) return 0;
    for (let at = 0; at < links.length; at += 1) holding[at] = linkIn(block, word, links[at] ?? []);
    behind[links.length] = within;
    for (let at = links.length - 1; at >= 0; at -= 1) behind[at] = (behind[at + 1] ?? 0) & (holding[at] ?? 0);
    let found = 0;
    let before = within;
    let done = 0;
    for (const { first, last } of slips) {
      for (; done < first; done += 1) before &= holding[done] ?? 0;
      found |= before & (behind[Math.min(last + 1, links.length)] ?? 0);
    }
    return found;
  };
}
