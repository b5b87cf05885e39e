/** Texts by slot, and slots in the order of the texts. Pure. */
import { type Bitmap, countBits, hasBit, lowestBit } from './bitmap.ts';
import type { NgramIndex } from './ngram-index.ts';
import type { AddressMatches } from './text-index.ts';

/** The slot at each position, and the position of each slot. */
export type SlotOrder = {
  readonly slots: Uint32Array<ArrayBuffer>;
  readonly positions: Int32Array<ArrayBuffer>;
};

export type SearchableTexts = {
  readonly texts: string[];
  /** Order of equally good matches; absent: by slot. */
  readonly order?: SlotOrder;
  /** Absent: so few texts that each is read. */
  readonly ngrams?: NgramIndex;
  /** Matches the IPv4 addresses, which the n-gram index leaves out. */
  readonly matchAddresses?: (word: string) => AddressMatches | null;
  /** Absent: new lists for each search. */
  readonly buffers?: SearchBuffers;
  /** The n-gram index covers longer texts than these, so it can only exclude texts for certain. */
  readonly isPartialText?: true;
};

/** Reuses the previous search's buffers: new ones for each search would be most of the garbage. */
export type SearchBuffers = {
  /** As many zeros as there are texts; valid until the next call with the same use. */
  readonly bytes: (use: 'scores' | 'ranks' | 'addresses') => Uint8Array;
};

/** The buffers of the source, or new lists. */
export function buffersOf({ texts, buffers }: SearchableTexts): SearchBuffers {
  return buffers ?? { bytes: () => new Uint8Array(texts.length) };
}

/** More than the ranks of all words of a search can add up to. */
const MAX_SCORE = 64;
/** Sorting this share of all texts takes as long as going through them all. */
const FEW_SHARE = 16;

/**
 * The positions of the first `limit` matches in the order of the texts, best first, equally good ones in text order.
 * Counts the scores first, so that nothing needs to be sorted.
 */
export function rankSlots(
  source: SearchableTexts,
  found: Bitmap,
  scores?: Uint8Array,
  limit = Infinity,
): Uint32Array {
  const { order, texts } = source;
  const all = countBits(found);
  const room = countPerScore(found, scores, limit);
  const next = new Uint32Array(MAX_SCORE + 1);
  for (let score = 1; score < next.length; score += 1)
    next[score] = (next[score - 1] ?? 0) + (room[score - 1] ?? 0);
  const few =
    order === undefined || all * FEW_SHARE < texts.length ? positionsInBitmap(source, found, all) : null;
  const ordered = new Uint32Array(Math.min(all, limit));
  const most = few === null ? (order?.slots.length ?? 0) : few.length;
  for (let at = 0, left = ordered.length; left > 0 && at < most; at += 1) {
    const position = few === null ? at : (few[at] ?? 0);
    const slot = slotAt(source, position);
    if (few === null && !hasBit(found, slot)) continue;
    const score = scores?.[slot] ?? 0;
    if (room[score] === 0) continue;
    room[score] = (room[score] ?? 0) - 1;
    ordered[next[score] ?? 0] = position;
    next[score] = (next[score] ?? 0) + 1;
    left -= 1;
  }
  return ordered;
}

/** For each score, how many of its texts are among the first `limit`. */
function countPerScore(found: Bitmap, scores: Uint8Array | undefined, limit: number): Uint32Array {
  const room = new Uint32Array(MAX_SCORE + 1);
  if (scores === undefined) room[0] = countBits(found);
  else {
    for (let at = 0; at < found.length; at += 1) {
      for (let left = found[at] ?? 0; left !== 0; left &= left - 1) {
        const score = scores[at * 32 + lowestBit(left)] ?? 0;
        room[score] = (room[score] ?? 0) + 1;
      }
    }
  }
  let left = limit;
  for (let score = 0; score < room.length; score += 1) {
    room[score] = Math.min(room[score] ?? 0, left);
    left -= room[score] ?? 0;
  }
  return room;
}

/** The sorted positions of these slots, looked up one by one; slow for many slots. */
function positionsInBitmap({ order }: SearchableTexts, found: Bitmap, count: number): Uint32Array {
  const positions = new Uint32Array(count);
  let next = 0;
  for (let at = 0; at < found.length; at += 1) {
    for (let left = found[at] ?? 0; left !== 0; left &= left - 1) {
      const slot = at * 32 + lowestBit(left);
      positions[next] = order === undefined ? slot : (order.positions[slot] ?? 0);
      next += 1;
    }
  }
  return order === undefined ? positions : positions.sort();
}

/** The slot at a position; without an order both are the same. */
export function slotAt({ order }: SearchableTexts, position: number): number {
  return order === undefined ? position : (order.slots[position] ?? 0);
}

/** The positions of these slots, in the same order. */
export function positionsOfSlots({ order }: SearchableTexts, slots: readonly number[]): Uint32Array {
  const positions = Uint32Array.from(slots);
  if (order === undefined) return positions;
  for (let at = 0; at < positions.length; at += 1) positions[at] = order.positions[positions[at] ?? 0] ?? 0;
  return positions;
}
