/**
 * Lists of more than one page as they stood when they were asked for, so that their pages go over the same rows in the
 * same order whatever comes and goes meanwhile. In memory alone: what is not here any more is asked for anew.
 */
import { randomBytes } from 'node:crypto';
import { type Clock, type Instant, later, MINUTE } from '../../clock.ts';
import type { ApprovalRecord, RecentOperation } from '../../store/records.ts';
import type { Anew, View } from '../../views/model.ts';
import type { ReadPorts } from '../command.ts';

/** A result is kept so long; an older list is better read anew. */
export const KEPT_MS = 30 * MINUTE;
/** Rows of all results together, some hundred bytes each: the oldest results make room. */
export const MOST_ROWS = 50_000;
/** So many ids of devices take as much as one row. */
export const IDS_PER_ROW = 50;
/** So many lines within a row (its policies, groups, packages) take as much as one more. */
export const PARTS_PER_ROW = 4;
/** What a result takes beside its rows, in rows. */
const OVERHEAD = 10;

export type Listed = { readonly rows: { readonly length: number } };

/** Who reads, and whether they see what is personal: `personalFrom` is absent where they do. */
export type Reader = Pick<ReadPorts, 'asker' | 'personalFrom'>;

/** The kept result, or why there is none for this reader. */
export type Found<Whole> = { readonly kind: 'found'; readonly whole: Whole } | { readonly kind: Anew };

/** The results of one kind of list. */
export type ResultShelf<Whole extends Listed> = {
  /** The key of the kept result; null where it is larger than all results together may be. */
  readonly keep: (owner: Reader, whole: Whole) => string | null;
  readonly find: (reader: Reader, key: string) => Found<Whole>;
};

/** A view with the rows of all its pages. */
export type Whole<Kind extends View['kind']> = Extract<View, { readonly kind: Kind }>;

/** Devices are kept by their ids: there may be a hundred thousand. Their facts are those of now. */
export type DevicesResult = {
  readonly rows: Float64Array;
  /** What was said of all of them. */
  readonly said: Omit<Whole<'devices'>, 'rows' | 'paging'>;
  readonly asOf: Instant;
};
/** Where their cards stand is looked up page by page. */
export type RecordsResult<Row> = { readonly rows: readonly Row[]; readonly asOf: Instant };

export type Results = {
  readonly approvals: ResultShelf<RecordsResult<ApprovalRecord>>;
  readonly audit: ResultShelf<Whole<'audit'>>;
  readonly compliance: ResultShelf<Whole<'compliance'>>;
  readonly devices: ResultShelf<DevicesResult>;
  readonly events: ResultShelf<Whole<'events'>>;
  readonly groups: ResultShelf<Whole<'groups'>>;
  readonly missing: ResultShelf<Whole<'missing'>>;
  readonly operations: ResultShelf<RecordsResult<RecentOperation>>;
  readonly packages: ResultShelf<Whole<'packages'>>;
  readonly policies: ResultShelf<Whole<'policies'>>;
};

/** Empty shelves, which share their room. */
export function createResults(clock: Clock): Results {
  const ledger = createLedger(clock);
  return {
    approvals: createShelf(ledger, ({ rows }) => rowsWith(rows, ({ targets }) => targets.length)),
    audit: createShelf(ledger, ({ rows }) => rowsWith(rows, ({ entries }) => entries.length - 1)),
    compliance: createShelf(ledger, ({ rows }) => rowsWith(rows, ({ parts = [] }) => inRows(parts))),
    devices: createShelf(ledger, ({ rows }) => rows.length / IDS_PER_ROW),
    events: createShelf(ledger, ({ rows }) => rowsWith(rows, ({ patches }) => inRows(patches))),
    groups: createShelf(ledger),
    missing: createShelf(ledger, ({ rows }) => rowsWith(rows, ({ packages }) => inRows(packages))),
    operations: createShelf(ledger, ({ rows }) => rowsWith(rows, ({ targets }) => targets.length)),
    packages: createShelf(ledger),
    policies: createShelf(ledger, ({ rows }) => rowsWith(rows, ({ groups }) => inRows(groups))),
  };
}

/** Rows with what each holds beside itself, in rows. */
function rowsWith<Row>(rows: readonly Row[], beside: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + beside(row), rows.length);
}

function inRows({ length }: Listed['rows']): number {
  return length / PARTS_PER_ROW;
}

/** `weigh`: how many rows a result takes. */
function createShelf<T extends Listed>(
  ledger: Ledger,
  weigh: (whole: T) => number = ({ rows }) => rows.length,
): ResultShelf<T> {
  const kept = new Map<string, { readonly owner: Reader; readonly whole: T }>();
  return {
    keep({ asker, personalFrom }, whole) {
      const weight = OVERHEAD + Math.ceil(weigh(whole));
      if (weight > MOST_ROWS) return null;
      const key = randomBytes(6).toString('base64url');
      kept.set(key, { owner: { asker, ...(personalFrom === undefined ? {} : { personalFrom }) }, whole });
      ledger.add({ weight, drop: () => kept.delete(key) });
      return key;
    },
    find({ asker, personalFrom }, key) {
      ledger.forget();
      const found = kept.get(key);
      if (found === undefined) return { kind: 'gone' };
      if (found.owner.asker !== asker) return { kind: 'others' };
      // A role may have been given or taken since: which rows there are, and what they say, is of the time of reading.
      if (found.owner.personalFrom !== personalFrom) return { kind: 'rights' };
      return { kind: 'found', whole: found.whole };
    },
  };
}

type Kept = { readonly weight: number; readonly drop: () => void };
/** What all shelves hold together. */
type Ledger = { readonly add: (kept: Kept) => void; readonly forget: () => void };

function createLedger(clock: Clock): Ledger {
  /** The oldest first. */
  const all = new Set<Kept & { readonly until: Instant }>();
  let weight = 0;

  const forget = (): void => {
    const now = clock.now();
    for (const kept of all) {
      if (weight <= MOST_ROWS && now < kept.until) return;
      all.delete(kept);
      weight -= kept.weight;
      kept.drop();
    }
  };
  return {
    add(kept) {
      all.add({ ...kept, until: later(clock.now(), KEPT_MS) });
      weight += kept.weight;
      forget();
    },
    forget,
  };
}
