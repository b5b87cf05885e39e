/** Results computed from all devices are cached for each state of the index, not computed again for each person. */
import { dropOldest } from '../lib/newest.ts';
import type { IndexedDevice, Snapshot } from './inventory.ts';

type CachedResult<Result> = Pick<Snapshot, 'groups' | 'policies'> & { readonly result: Result };

/** The same function, cached; `compute` may read only devices, groups and policies. */
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

/** A set of at most `most` words; the least recently added are dropped. */
export function createRecentSet(most: number) {
  const words = new Set<string>();
  return {
    add(added: Iterable<string>): void {
      for (const word of added) {
        words.delete(word);
        words.add(word);
      }
      dropOldest(words, most);
    },
    /** The most recent one last. */
    all: (): Iterable<string> => words,
  };
}
