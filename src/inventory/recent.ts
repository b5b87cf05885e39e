/** The words that were seen last, each once. */
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
      for (const word of words) {
        if (words.size <= most) break;
        words.delete(word);
      }
    },
    all: () => words,
  };
}
