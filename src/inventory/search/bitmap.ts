/**
 * Sets of slots as bits: bit `slot % 32` of number `slot / 32`. The numbers are signed, because larger unsigned ones
 * would each be an object wherever they are passed. Pure.
 */
export type Bitmap = Int32Array<ArrayBuffer>;

/** No bit is set, with room for `count` slots. */
export function emptyBitmap(count: number): Bitmap {
  return new Int32Array(Math.ceil(count / 32));
}

/** The bits of the first `count` slots are set. */
export function fullBitmap(count: number): Bitmap {
  const bits = emptyBitmap(count).fill(-1);
  if (count % 32 !== 0) bits[bits.length - 1] = (1 << (count % 32)) - 1;
  return bits;
}

/** The bits of these slots are set, with room for `count`. */
export function bitmapOf(slots: Iterable<number>, count: number): Bitmap {
  const bits = emptyBitmap(count);
  for (const slot of slots) setBit(bits, slot);
  return bits;
}

/** Sets the bit of the slot, in place. */
export function setBit(bits: Bitmap, slot: number): void {
  bits[slot >>> 5] = (bits[slot >>> 5] ?? 0) | (1 << (slot & 31));
}

/** Whether the bit of the slot is set; slots beyond the end are not. */
export function hasBit(bits: Bitmap, slot: number): boolean {
  return (((bits[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 1;
}

/** Whether no bit is set. */
export function isEmptyBitmap(bits: Bitmap): boolean {
  for (let at = 0; at < bits.length; at += 1) {
    if (bits[at] !== 0) return false;
  }
  return true;
}

/** How many bits are set. */
export function countBits(bits: Bitmap): number {
  let count = 0;
  for (let at = 0; at < bits.length; at += 1) {
    // Adds up pairs of bits, then groups of four, then of eight.
    let left = bits[at] ?? 0;
    left -= (left >>> 1) & 0x55555555;
    left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
    left = (left + (left >>> 4)) & 0x0f0f0f0f;
    count += Math.imul(left, 0x01010101) >>> 24;
  }
  return count;
}

/** The bits set in both. A loop, because `map` takes ten times as long. */
export function intersect(one: Bitmap, other: Bitmap): Bitmap {
  const found = new Int32Array(Math.min(one.length, other.length));
  for (let at = 0; at < found.length; at += 1) found[at] = (one[at] ?? 0) & (other[at] ?? 0);
  return found;
}

/** The bits set in either, up to the length of `one`. */
export function union(one: Bitmap, other: Bitmap): Bitmap {
  const found = one.slice();
  for (let at = 0; at < found.length; at += 1) found[at] = (found[at] ?? 0) | (other[at] ?? 0);
  return found;
}

/** The slots of the set bits, in order. */
export function slotsIn(bits: Bitmap): number[] {
  const slots: number[] = [];
  for (let at = 0; at < bits.length; at += 1) {
    for (let left = bits[at] ?? 0; left !== 0; left &= left - 1) slots.push(at * 32 + lowestBit(left));
  }
  return slots;
}

/** The position of the lowest bit of a number that is not 0. */
export function lowestBit(number: number): number {
  return 31 - Math.clz32(number & -number);
}
