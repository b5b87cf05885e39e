/** 32-bit numbers that belong to slots: the addresses of each device, at three words of memory each. */

import { type Bitmap, setBit } from './bitmap.ts';
import { haveSamePrefix } from './ip-networks.ts';

export type AddressTable = {
  readonly add: (slot: number, number: number) => void;
  readonly clear: (slot: number) => void;
  /** Marks in `found` the slots with a number that begins with the first `bits` bits of `start`. */
  readonly markPrefix: (start: number, bits: number, found: Bitmap) => void;
  /**
   * Lowers each slot's rank in `ranks` to the best rank of its numbers, and sets the bits of the slots that changed.
   */
  readonly rankAddresses: (rankOf: (number: number) => number, bits: Bitmap, ranks: Uint8Array) => void;
};

const NO_ENTRY = -1;

/** An empty table; it grows as needed. */
export function createAddressTable(): AddressTable {
  let [numbers, slots, next] = [new Int32Array(1_024), new Int32Array(1_024), new Int32Array(1_024)];
  let heads = new Int32Array(1_024).fill(NO_ENTRY);
  let used = 0;
  let free = NO_ENTRY;

  /** An unused entry; freed ones first. */
  const take = (): number => {
    if (free !== NO_ENTRY) {
      const entry = free;
      free = next[entry] ?? NO_ENTRY;
      return entry;
    }
    if (used === numbers.length) {
      numbers = copyInto(numbers, new Int32Array(used * 2));
      slots = copyInto(slots, new Int32Array(used * 2));
      next = copyInto(next, new Int32Array(used * 2));
    }
    used += 1;
    return used - 1;
  };
  return {
    add(slot, number) {
      if (slot >= heads.length) heads = copyInto(heads, new Int32Array(slot * 2).fill(NO_ENTRY));
      const entry = take();
      numbers[entry] = number;
      slots[entry] = slot;
      next[entry] = heads[slot] ?? NO_ENTRY;
      heads[slot] = entry;
    },
    clear(slot) {
      for (let entry = heads[slot] ?? NO_ENTRY; entry !== NO_ENTRY; ) {
        const after = next[entry] ?? NO_ENTRY;
        slots[entry] = NO_ENTRY;
        next[entry] = free;
        free = entry;
        entry = after;
      }
      if (slot < heads.length) heads[slot] = NO_ENTRY;
    },
    markPrefix(start, bits, found) {
      for (let entry = 0; entry < used; entry += 1) {
        const slot = slots[entry] ?? NO_ENTRY;
        if (slot !== NO_ENTRY && haveSamePrefix(numbers[entry] ?? 0, start, bits)) setBit(found, slot);
      }
    },
    rankAddresses(rankOf, bits, ranks) {
      for (let entry = 0; entry < used; entry += 1) {
        const slot = slots[entry] ?? NO_ENTRY;
        if (slot === NO_ENTRY) continue;
        const rank = rankOf(numbers[entry] ?? 0);
        if (rank >= (ranks[slot] ?? 0)) continue;
        ranks[slot] = rank;
        setBit(bits, slot);
      }
    },
  };
}

function copyInto(from: Int32Array, to: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  to.set(from);
  return to;
}
