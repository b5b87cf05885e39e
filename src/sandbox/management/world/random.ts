/** Seeded random numbers: the same seed gives the same fleet, delays and choices at every start. */

export type SeededRandom = {
  /** From 0 up to, not including, 1. */
  readonly next: () => number;
  /** A whole number from `min` to `max`, both included. */
  readonly int: (min: number, max: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  /** `count` different items, in random order; all of them where there are fewer. */
  readonly sample: <T>(items: readonly T[], count: number) => readonly T[];
};

/** A stream of random numbers named by `seed`; streams with different names are independent. */
export function createRandom(seed: string | number): SeededRandom {
  const next = mulberry32(typeof seed === 'number' ? Math.imul(seed, KNUTH) : hash(seed));
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const pick = <T>(items: readonly T[]): T => {
    const item = items[int(0, items.length - 1)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  };
  const sample = <T>(items: readonly T[], count: number): readonly T[] => {
    const remaining = [...items];
    const sampleSize = Math.min(count, remaining.length);
    return Array.from({ length: sampleSize }, () => remaining.splice(int(0, remaining.length - 1), 1)).flat();
  };
  return { next, int, chance: (probability) => next() < probability, pick, sample };
}

/** Spreads consecutive numbers (Knuth's multiplicative hash: 2 to the 32nd over the golden ratio). */
const KNUTH = 0x9e3779b1;

/** FNV-1a, 32 bits. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** A UUID derived from `seed`. */
export function uuidOf(seed: string): string {
  const random = createRandom(`uuid ${seed}`);
  const part = (): string =>
    Math.floor(random.next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  const hex = part() + part() + part() + part();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
