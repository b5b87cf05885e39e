/**
 * From a parsed body to rows: lists, single things, and the one row reader with which every resource is built.
 *
 * Readers for the kinds of fields in rows. Each tries the form that the service nearly always sends first, which
 * costs one type check, and then other forms of the same value: `"5"` for 5, `1` or `"True"` for true, one value for
 * a list of it. None of them throws. Absent, null and unreadable are all null: "the service did not say".
 *
 * Plain functions instead of a schema library: a list of 100,000 devices has ten million fields, and reading them may
 * cost only a part of its `JSON.parse`.
 */
import type { Instant } from '../../lib/clock.ts';
import { parseInstant } from './timestamps.ts';

type RowResult<T> =
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

type RowSchema<T> = {
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

/** An object of the JSON: any field may be absent or hold anything. */
export type RawObject = Readonly<Record<string, unknown>>;

const EMPTY: readonly never[] = [];
const DECIMAL = /^\s*[+-]?\d+(\.\d+)?\s*$/;

/** Whether the value is a JSON object, not null and not a list. */
export function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The one field that every row needs: a positive integer. */
export function asId(value: unknown): number | null {
  const found = asNumber(value);
  return found !== null && found > 0 && Number.isSafeInteger(found) ? found : null;
}

/** The id of another resource, branded by `as`; 0 means none. */
export function asReference<Id>(value: unknown, as: (id: number) => Id): Id | null {
  const found = value === null || value === undefined ? null : asId(value);
  return found === null ? null : as(found);
}

/** A list of ids of other resources; 0 and unreadable items are left out. */
export function asReferences<Id>(value: unknown, as: (id: number) => Id): readonly Id[] {
  return asList(value, (item) => asReference(item, as));
}

/** A text; numbers and booleans are converted. */
export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** A list of texts; unreadable items are left out. */
export function asTexts(value: unknown): readonly string[] {
  return isTexts(value) ? value : asList(value, asText);
}

/** A list, or one text of items separated by commas. */
export function asCommaList(value: unknown): readonly string[] {
  const items = typeof value === 'string' ? value.split(',') : asTexts(value);
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** A number, also as text (`uptime`, `cve_score`, sizes). All but exit codes count or measure: a negative one says nothing. */
export function asNumber(value: unknown, least = 0): number | null {
  const found = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) && found >= least ? found : null;
}

const PLAIN = /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d{1,3})?$/i;
/** Groups of three digits, then perhaps decimals: `1 000 000`, `1.234.567,5`. The separators of groups are all the same. */
const GROUPED = /^([+-]?[1-9]\d{0,2})([\s'’.,])(\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/u;
/** One comma or point before three digits separates decimals, or thousands. */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}(?:e|$)/i;

/** A size as agents of all countries write it; null where it could be read in two ways, or is none: negative or endless. */
export function asSize(value: unknown): number | null {
  const text = typeof value === 'string' ? value.trim() : '';
  const [grouped, head, separator = '', groups = '', decimals = '0'] = GROUPED.exec(text) ?? [];
  let size = asNumber(value);
  if (AMBIGUOUS.test(text)) size = null;
  else if (grouped !== undefined) size = Number(`${head}${groups.replaceAll(separator, '')}.${decimals}`);
  else if (PLAIN.test(text)) size = Number(text.replace(',', '.'));
  return size !== null && size >= 0 && Number.isFinite(size) ? size : null;
}

const HEXADECIMAL = /^\s*0x[\da-f]{1,8}\s*$/i;

/**
 * Exit codes are signed 32-bit (a Windows 0xC0000142 is -1073741502); an unsigned one is converted. Also as text,
 * decimal or hexadecimal.
 */
export function asExitCode(value: unknown): number | null {
  const isHexadecimal = typeof value === 'string' && HEXADECIMAL.test(value);
  const code = isHexadecimal ? Number.parseInt(value, 16) : asNumber(value, -(2 ** 31));
  if (code === null || !Number.isInteger(code)) return null;
  return code < 2 ** 32 ? code | 0 : null;
}

/** A boolean, also as 0 and 1, or as text in any case. */
export function asFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === 1 || word === '1' || word === 'true') return true;
  return word === 0 || word === '0' || word === 'false' ? false : null;
}

export function asInstant(value: unknown): Instant | null {
  return typeof value === 'string' ? parseInstant(value) : null;
}

/** An object with fields; `{}`, which the service sends for nothing, is null. */
export function asObject(value: unknown): RawObject | null {
  if (!isObject(value)) return null;
  // Cheaper than making a list of the keys.
  for (const _key in value) return value;
  return null;
}

/** A list of objects, each read by `read`; other items, such as the null in `[null]`, are left out. */
export function asObjects<T>(value: unknown, read: (raw: RawObject) => T | null): readonly T[] {
  return asList(value, (item) => {
    const raw = asObject(item);
    return raw === null ? null : read(raw);
  });
}

function asList<T>(value: unknown, read: (item: unknown) => T | null): readonly T[] {
  if (value === null || value === undefined) return EMPTY;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length === 0) return EMPTY;
  const found: T[] = [];
  for (const item of items) {
    const one = read(item);
    if (one !== null) found.push(one);
  }
  return found;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
