/**
 * Keeps lists of more than one page as they were first read, so that all pages show the same rows in the same order. In
 * memory only: a list that is gone is read again.
 */
import { randomBytes } from 'node:crypto';
import { type Clock, type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { RefreshReason, View } from '../../views/model.ts';
import type { ReadPorts } from '../core/command.ts';

/** How long a result is kept; an older list is read again. */
export const RESULT_TTL_MS = 30 * MINUTE;
/** Maximum rows of all results together, some hundred bytes each. The oldest results are dropped. */
export const MAX_CACHED_ROWS = 50_000;
/** Device IDs that count as one row. */
export const IDS_PER_ROW = 50;
/** Nested items (policies, groups, packages) that count as one more row. */
export const PARTS_PER_ROW = 4;
/** Overhead of a result, in rows. */
const OVERHEAD = 10;

export type ListResult = { readonly rows: { readonly length: number } };

/** The reader. `personalFrom` is absent if they may see personal data. */
export type ResultReader = Pick<ReadPorts, 'asker' | 'personalFrom'>;

/** The cached result, or why there is none for this reader. */
export type CachedResult<Whole> =
  | { readonly kind: 'found'; readonly content: Whole }
  | { readonly kind: RefreshReason };

/** The results of one kind of list. */
export type ResultCache<Whole extends ListResult> = {
  /** Caches a result and returns its key; null if it exceeds the limit of all results. */
  readonly add: (owner: ResultReader, whole: Whole) => string | null;
  readonly find: (reader: ResultReader, key: string) => CachedResult<Whole>;
};

/** A view with the rows of all its pages. */
export type ListView<Kind extends View['kind']> = Extract<View, { readonly kind: Kind }>;

/** Devices are kept by their ids: there may be a hundred thousand. Their facts are those of now. */
export type DevicesResult = {
  readonly rows: Float64Array;
  /** The part of the view that all pages share. */
  readonly summary: Omit<ListView<'devices'>, 'rows' | 'paging'>;
  readonly asOf: Instant;
};
/** Links to cards are looked up for each page. */
export type RecordsResult<Row> = { readonly rows: readonly Row[]; readonly asOf: Instant };

export type ResultCaches = {
  readonly approvals: ResultCache<RecordsResult<RequestWithTargets>>;
  readonly audit: ResultCache<ListView<'audit'>>;
  readonly compliance: ResultCache<ListView<'compliance'>>;
  readonly devices: ResultCache<DevicesResult>;
  readonly events: ResultCache<ListView<'events'>>;
  readonly groups: ResultCache<ListView<'groups'>>;
  readonly missing: ResultCache<ListView<'missing'>>;
  readonly operations: ResultCache<RecordsResult<RequestWithTargets>>;
  readonly packages: ResultCache<ListView<'packages'>>;
  readonly policies: ResultCache<ListView<'policies'>>;
};

/** Empty caches, which share one limit. */
export function createResultCaches(clock: Clock): ResultCaches {
  const ledger = createSharedBudget(clock);
  return {
    approvals: createResultCache(ledger, ({ rows }) => rowWeight(rows, ({ targets }) => targets.length)),
    audit: createResultCache(ledger, ({ rows }) => rowWeight(rows, ({ entries }) => entries.length - 1)),
    compliance: createResultCache(ledger, ({ rows }) => rowWeight(rows, ({ parts = [] }) => inRows(parts))),
    devices: createResultCache(ledger, ({ rows }) => rows.length / IDS_PER_ROW),
    events: createResultCache(ledger, ({ rows }) => rowWeight(rows, ({ patches }) => inRows(patches))),
    groups: createResultCache(ledger),
    missing: createResultCache(ledger, ({ rows }) => rowWeight(rows, ({ packages }) => inRows(packages))),
    operations: createResultCache(ledger, ({ rows }) => rowWeight(rows, ({ targets }) => targets.length)),
    packages: createResultCache(ledger),
    policies: createResultCache(ledger, ({ rows }) => rowWeight(rows, ({ groups }) => inRows(groups))),
  };
}

/** The weight of rows with their nested items, in rows. */
function rowWeight<Row>(rows: readonly Row[], beside: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + beside(row), rows.length);
}

function inRows({ length }: ListResult['rows']): number {
  return length / PARTS_PER_ROW;
}

/** `weigh`: the weight of a result, in rows. */
function createResultCache<T extends ListResult>(
  ledger: SharedBudget,
  weightOf: (content: T) => number = ({ rows }) => rows.length,
): ResultCache<T> {
  const entries = new Map<string, { readonly owner: ResultReader; readonly whole: T }>();
  return {
    add({ asker, personalFrom }, content) {
      const weight = OVERHEAD + Math.ceil(weightOf(content));
      if (weight > MAX_CACHED_ROWS) return null;
      const key = randomBytes(6).toString('base64url');
      entries.set(key, {
        owner: { asker, ...(personalFrom === undefined ? {} : { personalFrom }) },
        whole: content,
      });
      ledger.add({ weight, drop: () => entries.delete(key) });
      return key;
    },
    find({ asker, personalFrom }, key) {
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
/** The total weight of all caches. */
type SharedBudget = { readonly add: (kept: CacheEntry) => void; readonly evict: () => void };

function createSharedBudget(clock: Clock): SharedBudget {
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
