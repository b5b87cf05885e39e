/** Repeatable randomness: the same seed makes the same choices on every machine. */

export type SeededChance = Readonly<ReturnType<typeof createChance>>;

/** The xmur3 hash of the text feeds the mulberry32 generator (both public domain). */
export function createChance(seed: string) {
  let state = hash(seed);
  /** From 0 up to, but not, 1. */
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number from `low` to `high`, both included. */
  const int = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1));
  return {
    fraction,
    int,
    pick: <T>(from: readonly [T, ...T[]]): T => from[int(0, from.length - 1)] ?? from[0],
    /** Entries are `[weight, value]`. */
    weighted<T>(from: readonly [readonly [number, T], ...(readonly [number, T])[]]): T {
      let left = fraction() * from.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of from) {
        left -= weight;
        if (left < 0) return value;
      }
      return from[0][1];
    },
    happens: (probability: number): boolean => fraction() < probability,
  };
}

function hash(text: string): number {
  let mixed = 1779033703 ^ text.length;
  for (const character of text) {
    mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 3432918353);
    mixed = (mixed << 13) | (mixed >>> 19);
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 2246822507);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 3266489909);
  return mixed ^ (mixed >>> 16);
}
