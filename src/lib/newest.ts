/** Maps and sets that keep only their newest entries. They hold them in the order in which they were added. */

/** Keeps the `most` last added entries. */
export function dropOldest<K>(
  entries: { keys(): Iterable<K>; delete(key: K): unknown; readonly size: number },
  most: number,
): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}

/** Makes the entry the newest, and keeps the `most` newest. */
export function setNewest<K, V>(entries: Map<K, V>, key: K, value: V, most: number): void {
  entries.delete(key);
  entries.set(key, value);
  dropOldest(entries, most);
}

/** Recognizes repeated deliveries by their latest keys. */

type SeenKeys = ((name: string) => boolean) & {
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
