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
