/** Many items: in parts, several at once, in the service's pages, or only the newest of them; and work that is shared. */
import { SECOND } from './clock.ts';

export function* chunksOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Runs `job` for each item, in their order and `places` at once. After an error no other begins; it is thrown at the end. */
export async function inParallel<T>(
  items: Iterable<T>,
  places: number,
  job: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items].values();
  let failed = false;
  const place = async (): Promise<void> => {
    for (const item of rest) {
      if (failed) return;
      try {
        await job(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: places }, place));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/** Runs `work` once at a time: whoever asks for it meanwhile gets the running one. `running`: null while none is. */
export function oneAtATime<Args extends readonly unknown[], T>(work: (...args: Args) => Promise<T>) {
  let running: Promise<T> | null = null;
  const begin = (...args: Args): Promise<T> => {
    running ??= work(...args).finally(() => {
      running = null;
    });
    return running;
  };
  return Object.assign(begin, { running: () => running });
}

/** Rows on a page, the service's maximum (§8). It allows fewer than 30 pages a minute (management API in practice, 2.3). */
export const LIST_PAGE = 500;
/** For a page that nobody waits for: at most 15 a minute, half of what the service allows. */
export const PAGE_PAUSE_MS = 4 * SECOND;

/** Pages of a list with so many rows; an empty list is a page, too. */
export function listPages(rows: number): number {
  return Math.max(Math.ceil(rows / LIST_PAGE), 1);
}

/** Keeps the `most` last added entries: maps and sets hold them in the order in which they were added. */
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

/** More than can be in flight. */
const MAX_KEYS = 1_000;

/** Returns true for a key that is not among the latest. `forget`: as if the key had never been seen. */
export function createSeenKeys() {
  const names = new Set<string>();
  const isFirst = (name: string): boolean => {
    if (names.has(name)) return false;
    names.add(name);
    dropOldest(names, MAX_KEYS);
    return true;
  };
  return Object.assign(isFirst, { forget: (name: string) => void names.delete(name) });
}
