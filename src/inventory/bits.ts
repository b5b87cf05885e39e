/** Sets of places as bits: bit `place % 32` of the number `place / 32`. Those that are not there are not set. Pure. */
export type Bits = Uint32Array<ArrayBuffer>;

export function everyBit(count: number): Bits {
  const bits = new Uint32Array(Math.ceil(count / 32)).fill(-1);
  if (count % 32 !== 0) bits[bits.length - 1] = (1 << (count % 32)) - 1;
  return bits;
}

export function bitsOf(places: Iterable<number>, count: number): Bits {
  const bits = new Uint32Array(Math.ceil(count / 32));
  for (const place of places) bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
  return bits;
}

export function hasBit(bits: Bits, place: number): boolean {
  return (((bits[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1;
}

/** Those that are in both. */
export function both(one: Bits, other: Bits): Bits {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.map((bits, at) => bits & (long[at] ?? 0));
}

/** The places of the bits that are set, in order. */
export function placesOf(bits: Bits): number[] {
  const places: number[] = [];
  for (let at = 0; at < bits.length; at += 1) {
    for (let left = bits[at] ?? 0; left !== 0; left &= left - 1) places.push(at * 32 + lowest(left));
  }
  return places;
}

/** The lowest bit of a number that is not 0. */
export function lowest(number: number): number {
  return 31 - Math.clz32(number & -number);
}
