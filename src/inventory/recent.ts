/** What was seen last, each once. */
export type Recent = {
  readonly add: (words: Iterable<string>) => void;
  /** The latest last. */
  readonly all: () => Iterable<string>;
};

/** Forgets those that were not seen for the longest time. */
export function createRecent(most: number): Recent {
  const words = new Set<string>();
  return {
    add(given) {
      for (const word of given) {
        words.delete(word);
        words.add(word);
      }
      forgetOldest(words, most);
    },
    all: () => words,
  };
}

/** Leaves the `most` of a set or map that were added last. */
export function forgetOldest<T>(
  kept: { keys(): Iterable<T>; delete(key: T): unknown; readonly size: number },
  most: number,
): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(key);
  }
}
