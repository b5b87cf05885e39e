/** From a parsed body to rows: lists, single things, and the one row reader with which every resource is built. */
import { asId, asReference, isObject, type RawObject } from './fields.ts';

export type RowResult<T> =
  | { readonly kind: 'row'; readonly row: T }
  | { readonly kind: 'unreadable' }
  /** It belongs to another organization, in a list where it is safe to leave it out. */
  | { readonly kind: 'stray' }
  /** The service keeps its record and marks it as deleted: it is not there any more. */
  | { readonly kind: 'deleted'; readonly id: number }
  /** It belongs to something that was not requested, so the whole answer can't be trusted. */
  | { readonly kind: 'foreign'; readonly detail: string };

export type RowReader<T> = (value: unknown) => RowResult<T>;

export type RowPage<T> = {
  readonly kind: 'rows';
  readonly rows: readonly T[];
  /** How many rows were sent, readable or not. */
  readonly sent: number;
  readonly unreadable: number;
  readonly foreignRows: number;
  /** Rows that are marked as deleted, which were left out. */
  readonly deletedIds: readonly number[];
  readonly total: number | null;
};
/** The body is not what the interface says. `detail` contains no values from it except ids. */
export type MalformedAnswer = { readonly kind: 'misshapen'; readonly detail: string };

/** How the rows of one resource are read. */
export type RowSchema<T> = {
  readonly build: (raw: RawObject, id: number) => T;
  /** Why a row is not one of those requested, or null. */
  readonly mismatch: (raw: RawObject, id: number) => string | null;
  /** Rows that are left out instead of invalidating the answer. */
  readonly isForeign?: (raw: RawObject) => boolean;
  readonly isDeleted?: (raw: RawObject) => boolean;
};

const UNREADABLE = { kind: 'unreadable' } as const;
const FOREIGN_ROW = { kind: 'stray' } as const;

/** Builds the row reader of one resource. A row is unreadable only when it has no readable id. */
export function rowReader<T>({
  build,
  mismatch: mismatchOf,
  isForeign = () => false,
  isDeleted = () => false,
}: RowSchema<T>): RowReader<T> {
  return (value) => {
    if (!isObject(value)) return UNREADABLE;
    const own = asId(value['id']);
    if (own === null) return UNREADABLE;
    if (isForeign(value)) return FOREIGN_ROW;
    const detail = mismatchOf(value, own);
    if (detail !== null) return { kind: 'foreign', detail };
    return isDeleted(value) ? { kind: 'deleted', id: own } : { kind: 'row', row: build(value, own) };
  };
}

/** Why a row that names another owner than the requested one is rejected; null when it fits or names none. */
export function mismatch(
  what: string,
  named: number | string | null,
  expected: number | string | undefined,
): string | null {
  return named === null || expected === undefined || named === expected ? null : `a row of another ${what}`;
}

/** {@link mismatch} for an id field of the row. */
export function idMismatch(what: string, named: unknown, expected: number | undefined): string | null {
  return expected === undefined || named === expected
    ? null
    : mismatch(what, asReference(named, Number), expected);
}

/**
 * Reads a list: a bare array, or the `{results, size}` envelope that some lists of the live service have. Newer
 * descriptions put the envelope of a preview into an array (management API in practice, 3.2).
 */
export function readList<T>(body: unknown, readRow: RowReader<T>): RowPage<T> | MalformedAnswer {
  const parts = readListInSlices(body, readRow);
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}

/** This many rows take about a millisecond. */
const ROWS_PER_SLICE = 200;

/** {@link readList} in slices: yields before each slice of a long list, so that others can run. */
export function* readListInSlices<T>(
  body: unknown,
  readRow: RowReader<T>,
): Generator<void, RowPage<T> | MalformedAnswer, void> {
  const list = listIn(body);
  if (list === null) return { kind: 'misshapen', detail: 'a list was expected' };
  const rows: T[] = [];
  let unreadable = 0;
  let foreignRows = 0;
  const deletedIds: number[] = [];
  const { values } = list;
  for (let at = 0; at < values.length; at += 1) {
    if (at % ROWS_PER_SLICE === 0 && values.length > ROWS_PER_SLICE) yield;
    const read = readRow(values[at]);
    if (read.kind === 'foreign') return { kind: 'misshapen', detail: read.detail };
    if (read.kind === 'unreadable') unreadable += 1;
    else if (read.kind === 'stray') foreignRows += 1;
    else if (read.kind === 'deleted') deletedIds.push(read.id);
    else rows.push(read.row);
  }
  // Errors in place of rows are no empty list.
  if (values.length > 0 && unreadable === values.length)
    return { kind: 'misshapen', detail: 'no row could be read' };
  const total = list.size ?? numberAt(values[0], 'total_count');
  return { kind: 'rows', rows, sent: values.length, unreadable, foreignRows, deletedIds, total };
}

/** Reads one thing: an object, or an array with exactly one (§4.6). */
export function readSingle<T>(
  body: unknown,
  readRow: RowReader<T>,
): { kind: 'one'; row: T } | { kind: 'deleted' } | MalformedAnswer {
  const value: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
  const read = readRow(value);
  if (read.kind === 'row') return { kind: 'one', row: read.row };
  if (read.kind === 'deleted') return { kind: 'deleted' };
  return { kind: 'misshapen', detail: read.kind === 'foreign' ? read.detail : 'one object was expected' };
}

type List = { readonly values: readonly unknown[]; readonly size: number | null };

function listIn(body: unknown): List | null {
  if (!Array.isArray(body)) return envelopeOf(body);
  return (body.length === 1 ? envelopeOf(body[0]) : null) ?? { values: body, size: null };
}

function envelopeOf(value: unknown): List | null {
  if (!isObject(value) || !Array.isArray(value['results'])) return null;
  return { values: value['results'], size: numberAt(value, 'size') };
}

function numberAt(value: unknown, key: string): number | null {
  if (typeof value !== 'object' || value === null) return null;
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : null;
}

/**
 * The count in an answer to `countOnly=1` (§4.9), which the interface does not show: `{size}` as the live service
 * sends it, `{count}` or a bare number, also as text; null when there is none.
 */
export function readCount(body: unknown): number | null {
  if (typeof body !== 'object' || body === null) return toCount(body);
  return toCount(Reflect.get(body, 'size')) ?? toCount(Reflect.get(body, 'count'));
}

function toCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}
