/**
 * Keeps lists of more than one page as they were first read, so that all pages show the same rows in the same order. In
 * memory only: a list that is gone is read again.
 */
import { randomBytes } from 'node:crypto';
import type { Role } from '../../lib/access.ts';
import { type Clock, type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { RefreshReason } from '../../views/models/list-model.ts';

export const RESULT_TTL_MS = 30 * MINUTE;
/** Maximum rows of all results together, some hundred bytes each. The oldest results are dropped. */
export const MAX_CACHED_ROWS = 50_000;
/** Nested items (policies, groups, packages) that count as one more row. */
const PARTS_PER_ROW = 4;
/** Overhead of a result, in rows. */
const OVERHEAD = 10;

export type ListResult = { readonly rows: { readonly length: number } };

/** The reader. `personalFrom` is absent if they may see personal data. */
export type ResultReader = { readonly asker: PersonId; readonly personalFrom?: Role };

type CachedResult<T> = { readonly kind: 'found'; readonly content: T } | { readonly kind: RefreshReason };
type ResultCache<Whole extends ListResult> = ReturnType<typeof createResultCache<Whole>>;

export type ResultList<Whole extends ListResult> = {
  readonly pageSize: number;
  readonly cacheIn: (caches: ResultCaches) => ResultCache<Whole>;
};

/** `weightOf`: the weight of a result, in rows. */
export function defineResultList<Whole extends ListResult>(
  pageSize: number,
  weightOf: (whole: Whole) => number = ({ rows }) => rows.length,
): ResultList<Whole> {
  const caches = new WeakMap<ResultCaches, ResultCache<Whole>>();
  const cacheIn = (all: ResultCaches): ResultCache<Whole> => {
    const cache = caches.get(all) ?? createResultCache(all, weightOf);
    caches.set(all, cache);
    return cache;
  };
  return { pageSize, cacheIn };
}

/** The weight of rows with their nested items, in rows. */
export function rowWeight<Row>(rows: readonly Row[], beside: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + beside(row), rows.length);
}

export function inRows({ length }: ListResult['rows']): number {
  return length / PARTS_PER_ROW;
}

function createResultCache<T extends ListResult>(ledger: ResultCaches, weightOf: (content: T) => number) {
  const entries = new Map<
    string,
    { readonly owner: Readonly<Record<'asker' | 'personalFrom', string | undefined>>; readonly whole: T }
  >();
  return {
    /** Caches a result and returns its key; null if it exceeds the limit of all results. */
    add({ asker, personalFrom }: ResultReader, content: T): string | null {
      const weight = OVERHEAD + Math.ceil(weightOf(content));
      if (weight > MAX_CACHED_ROWS) return null;
      const key = randomBytes(6).toString('base64url');
      entries.set(key, { owner: { asker, personalFrom }, whole: content });
      ledger.add({ weight, drop: () => entries.delete(key) });
      return key;
    },
    /** The result, or why there is none for this reader. */
    find({ asker, personalFrom }: ResultReader, key: string): CachedResult<T> {
      ledger.evict();
      const found = entries.get(key);
      if (found === undefined) return { kind: 'gone' };
      if (found.owner.asker !== asker) return { kind: 'others' };
      // A role may have been given or taken since: which rows there are, and what they say, is of the time of reading.
      if (found.owner.personalFrom !== personalFrom) return { kind: 'rights' };
      return { kind: 'found', content: found.whole };
    },
  };
}

type CacheEntry = { readonly weight: number; readonly drop: () => void };
/** The total weight of the caches of all lists. */
export type ResultCaches = { readonly add: (kept: CacheEntry) => void; readonly evict: () => void };

export function createResultCaches(clock: Clock): ResultCaches {
  /** The oldest first. */
  const all = new Set<CacheEntry & { readonly until: Instant }>();
  let weight = 0;

  const evict = (): void => {
    const now = clock.now();
    for (const entry of all) {
      if (weight <= MAX_CACHED_ROWS && now < entry.until) return;
      all.delete(entry);
      weight -= entry.weight;
      entry.drop();
    }
  };
  return {
    add(entry) {
      all.add({ ...entry, until: later(clock.now(), RESULT_TTL_MS) });
      weight += entry.weight;
      evict();
    },
    evict,
  };
}
