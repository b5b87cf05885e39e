/** Recognizes repeated deliveries by their latest keys. */
import { dropOldest } from '../../lib/newest.ts';

export type SeenKeys = ((name: string) => boolean) & {
  /** As if the key had never been seen. */
  readonly forget: (name: string) => void;
};

/** More than can be in flight. */
const MAX_KEYS = 1_000;

/** Returns true for a key that is not among the latest. */
export function createSeenKeys(): SeenKeys {
  const names = new Set<string>();
  const isFirst = (name: string): boolean => {
    if (names.has(name)) return false;
    names.add(name);
    dropOldest(names, MAX_KEYS);
    return true;
  };
  return Object.assign(isFirst, { forget: (name: string) => void names.delete(name) });
}
