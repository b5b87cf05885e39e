/** From a parsed body to rows: lists, single things, and the one reader of a row that every resource is built with. */
import { id, isObject, type Raw, reference } from './fields.ts';

export type Row<T> =
  | { readonly kind: 'row'; readonly row: T }
  | { readonly kind: 'unreadable' }
  /** It belongs to another organization, in a list where leaving it out is safe. */
  | { readonly kind: 'stray' }
  /** It belongs to something that was not asked for: the whole answer cannot be trusted. */
  | { readonly kind: 'foreign'; readonly detail: string };

export type ReadRow<T> = (value: unknown) => Row<T>;

export type Rows<T> = {
  readonly kind: 'rows';
  readonly rows: readonly T[];
  /** How many rows were sent, readable or not. */
  readonly sent: number;
  readonly unreadable: number;
  readonly strays: number;
  readonly total: number | null;
};
/** The body is not what the interface says. `detail` holds no values from it but ids. */
export type Misshapen = { readonly kind: 'misshapen'; readonly detail: string };

/** How the rows of one resource are read. */
export type Reading<T> = {
  readonly build: (raw: Raw, id: number) => T;
  /** Why a row is none of those asked for, or null. */
  readonly foreign: (raw: Raw, id: number) => string | null;
  /** Which rows are left out instead of spoiling the answer. */
  readonly stray?: (raw: Raw) => boolean;
};

const UNREADABLE = { kind: 'unreadable' } as const;
const STRAY = { kind: 'stray' } as const;

/** A reader of rows of one resource. Only a row without an id that can be read is unreadable. */
export function rowReader<T>({ build, foreign, stray = () => false }: Reading<T>): ReadRow<T> {
  return (value) => {
    if (!isObject(value)) return UNREADABLE;
    const own = id(value['id']);
    if (own === null) return UNREADABLE;
    if (stray(value)) return STRAY;
    const detail = foreign(value, own);
    return detail === null ? { kind: 'row', row: build(value, own) } : { kind: 'foreign', detail };
  };
}

/** Refuses a row that names another owner than the one asked for; a row that names none is believed. */
export function another(
  what: string,
  named: number | string | null,
  asked: number | string | undefined,
): string | null {
  return named === null || asked === undefined || named === asked ? null : `a row of another ${what}`;
}

/** {@link another} for an id that stands in the row. */
export function anotherId(what: string, named: unknown, asked: number | undefined): string | null {
  return asked === undefined || named === asked ? null : another(what, reference(named, Number), asked);
}

/**
 * A list: a bare array, or the `{results, size}` envelope that some lists of the live service have. Newer descriptions
 * put the envelope of a preview into an array (management API in practice, 3.2).
 */
export function readList<T>(body: unknown, readRow: ReadRow<T>): Rows<T> | Misshapen {
  const parts = readingList(body, readRow);
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}

/** So many rows take about a millisecond. */
const ROWS_OF_PART = 200;

/** {@link readList} of a long list in parts, which leave room for others before each of them. */
export function* readingList<T>(
  body: unknown,
  readRow: ReadRow<T>,
): Generator<void, Rows<T> | Misshapen, void> {
  const list = listOf(body);
  if (list === null) return { kind: 'misshapen', detail: 'a list was expected' };
  const rows: T[] = [];
  let unreadable = 0;
  let strays = 0;
  const { values } = list;
  for (let at = 0; at < values.length; at += 1) {
    if (at % ROWS_OF_PART === 0 && values.length > ROWS_OF_PART) yield;
    const read = readRow(values[at]);
    if (read.kind === 'foreign') return { kind: 'misshapen', detail: read.detail };
    if (read.kind === 'unreadable') unreadable += 1;
    else if (read.kind === 'stray') strays += 1;
    else rows.push(read.row);
  }
  const total = list.size ?? numberAt(values[0], 'total_count');
  return { kind: 'rows', rows, sent: values.length, unreadable, strays, total };
}

/** One thing: an object, or an array of exactly one (§4.6). */
export function readOne<T>(body: unknown, readRow: ReadRow<T>): { kind: 'one'; row: T } | Misshapen {
  const value: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
  const read = readRow(value);
  if (read.kind === 'row') return { kind: 'one', row: read.row };
  return { kind: 'misshapen', detail: read.kind === 'foreign' ? read.detail : 'one object was expected' };
}

type List = { readonly values: readonly unknown[]; readonly size: number | null };

function listOf(body: unknown): List | null {
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
