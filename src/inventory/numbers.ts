/** Whole numbers of 32 bits that belong to places: the addresses of each device, in three words of memory each. */
import { sameBits } from './addresses.ts';
import { type Bits, setBit } from './bits.ts';

export type Numbers = {
  readonly add: (place: number, number: number) => void;
  readonly clear: (place: number) => void;
  /** Sets in `found` the places with a number that begins with the first `bits` bits of `start`. */
  readonly beginning: (start: number, bits: number, found: Bits) => void;
  /** Puts into `ranks` the lowest rank of each place where it is lower than what is there, and sets its bit. */
  readonly rank: (rankOf: (number: number) => number, bits: Bits, ranks: Uint8Array) => void;
};

const NONE = -1;

export function createNumbers(): Numbers {
  let [numbers, places, next] = [new Int32Array(1_024), new Int32Array(1_024), new Int32Array(1_024)];
  let heads = new Int32Array(1_024).fill(NONE);
  let used = 0;
  let free = NONE;

  /** An entry that nothing uses; those that were freed first. */
  const take = (): number => {
    if (free !== NONE) {
      const entry = free;
      free = next[entry] ?? NONE;
      return entry;
    }
    if (used === numbers.length) {
      numbers = larger(numbers, new Int32Array(used * 2));
      places = larger(places, new Int32Array(used * 2));
      next = larger(next, new Int32Array(used * 2));
    }
    used += 1;
    return used - 1;
  };
  return {
    add(place, number) {
      if (place >= heads.length) heads = larger(heads, new Int32Array(place * 2).fill(NONE));
      const entry = take();
      numbers[entry] = number;
      places[entry] = place;
      next[entry] = heads[place] ?? NONE;
      heads[place] = entry;
    },
    clear(place) {
      for (let entry = heads[place] ?? NONE; entry !== NONE; ) {
        const after = next[entry] ?? NONE;
        places[entry] = NONE;
        next[entry] = free;
        free = entry;
        entry = after;
      }
      if (place < heads.length) heads[place] = NONE;
    },
    beginning(start, bits, found) {
      for (let entry = 0; entry < used; entry += 1) {
        const place = places[entry] ?? NONE;
        if (place !== NONE && sameBits(numbers[entry] ?? 0, start, bits)) setBit(found, place);
      }
    },
    rank(rankOf, bits, ranks) {
      for (let entry = 0; entry < used; entry += 1) {
        const place = places[entry] ?? NONE;
        if (place === NONE) continue;
        const rank = rankOf(numbers[entry] ?? 0);
        if (rank >= (ranks[place] ?? 0)) continue;
        ranks[place] = rank;
        setBit(bits, place);
      }
    },
  };
}

function larger(from: Int32Array, to: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  to.set(from);
  return to;
}
