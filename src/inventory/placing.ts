/** Texts by their places, and places in the order of the texts. Pure. */
import { type Bits, hasBit } from './bits.ts';
import type { Grams } from './grams.ts';

export type Texts = {
  readonly texts: string[];
  /** The places in the order in which equally good ones are told; absent: as they come. */
  readonly order?: Uint32Array<ArrayBuffer>;
  /** Absent: so few texts that each is read. */
  readonly grams?: Grams;
  /** Of each place where fields begin that are worth a look of their own, see `headsOf`. */
  readonly heads?: readonly number[];
  /** The pairs of letters are those of longer texts, so that they say for certain only where nothing stands. */
  readonly isPart?: true;
};

/** Above what all words of a search make together, each by its rank. */
const MOST_SCORE = 64;

/**
 * Where they stand in the order of the texts, the best first, equally good ones in this order. Counted first, so that
 * nothing needs to be sorted.
 */
export function inOrder({ texts, order }: Texts, found: Bits, scores?: Uint8Array): Uint32Array {
  const all = order ?? Uint32Array.from(texts.keys());
  const held = new Uint32Array(all.length);
  const scored = new Uint8Array(all.length);
  const next = new Uint32Array(MOST_SCORE + 2);
  let count = 0;
  for (let at = 0; at < all.length; at += 1) {
    const place = all[at] ?? 0;
    if (!hasBit(found, place)) continue;
    const score = scores?.[place] ?? 0;
    held[count] = at;
    scored[count] = score;
    count += 1;
    next[score + 1] = (next[score + 1] ?? 0) + 1;
  }
  for (let score = 1; score < next.length; score += 1)
    next[score] = (next[score] ?? 0) + (next[score - 1] ?? 0);
  const ordered = new Uint32Array(count);
  for (let from = 0; from < count; from += 1) {
    const score = scored[from] ?? 0;
    const to = next[score] ?? 0;
    ordered[to] = held[from] ?? 0;
    next[score] = to + 1;
  }
  return ordered;
}
