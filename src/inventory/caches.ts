/** What is computed from all devices is computed once for each state of the index, not for each who asks. */
import type { IndexedDevice, Snapshot } from './inventory.ts';

type CachedResult<Result> = Pick<Snapshot, 'groups' | 'policies'> & { readonly result: Result };

/** The same function; `compute` looks at nothing but devices, groups and policies. */
export function memoizePerSnapshot<Result>(
  compute: (snapshot: Snapshot) => Result,
): (snapshot: Snapshot) => Result {
  const known = new WeakMap<readonly IndexedDevice[], CachedResult<Result>>();
  return (snapshot) => {
    const { devices, groups, policies } = snapshot;
    const before = known.get(devices);
    if (before?.groups === groups && before.policies === policies) return before.result;
    const result = compute(snapshot);
    known.set(devices, { groups, policies, result });
    return result;
  };
}

/** What was seen last, each once. */
export type RecentSet = {
  readonly add: (words: Iterable<string>) => void;
  /** The latest last. */
  readonly all: () => Iterable<string>;
};

/** Forgets those that were not seen for the longest time. */
export function createRecentSet(most: number): RecentSet {
  const words = new Set<string>();
  return {
    add(given) {
      for (const word of given) {
        words.delete(word);
        words.add(word);
      }
      dropOldest(words, most);
    },
    all: () => words,
  };
}

/** Leaves the `most` of a set or map that were added last. */
export function dropOldest<T>(
  entries: { keys(): Iterable<T>; delete(key: T): unknown; readonly size: number },
  most: number,
): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}
