/** From a parsed body to rows: lists, single things, and the one reader of a row that every resource is built with. */
import type { z } from 'zod';
import { type Fields, tolerant, typical } from './fields.ts';

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

/** The two schemas of one resource. Made once per resource: building them costs far more than using them. */
export function bothReadings<Wire>(
  shape: (fields: Fields) => z.ZodType<Wire>,
): (value: unknown) => Wire | null {
  const [usual, patient] = [shape(typical), shape(tolerant)];
  return (value) => {
    const first = usual.safeParse(value);
    if (first.success) return first.data;
    const second = patient.safeParse(value);
    return second.success ? second.data : null;
  };
}

/**
 * A reader of rows of one resource; `foreign` says why a row is none of those asked for, or null; `stray` says
 * which of those are left out instead of spoiling the answer.
 */
export function rowReader<Wire, T>(
  read: (value: unknown) => Wire | null,
  foreign: (wire: Wire) => string | null,
  build: (wire: Wire) => T,
  stray: (wire: Wire) => boolean = () => false,
): ReadRow<T> {
  return (value) => {
    const wire = read(value);
    if (wire === null) return { kind: 'unreadable' };
    if (stray(wire)) return { kind: 'stray' };
    const detail = foreign(wire);
    return detail === null ? { kind: 'row', row: build(wire) } : { kind: 'foreign', detail };
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

/** A list: a bare array, or the `{results, size}` envelope that some lists of the live service have. */
export function readList<T>(body: unknown, readRow: ReadRow<T>): Rows<T> | Misshapen {
  const list = listOf(body);
  if (list === null) return { kind: 'misshapen', detail: 'a list was expected' };
  const rows: T[] = [];
  let unreadable = 0;
  let strays = 0;
  for (const value of list.values) {
    const read = readRow(value);
    if (read.kind === 'foreign') return { kind: 'misshapen', detail: read.detail };
    if (read.kind === 'unreadable') unreadable += 1;
    else if (read.kind === 'stray') strays += 1;
    else rows.push(read.row);
  }
  const total = list.size ?? numberAt(list.values[0], 'total_count');
  return { kind: 'rows', rows, sent: list.values.length, unreadable, strays, total };
}

/** One thing: an object, or an array of exactly one (§4.6). */
export function readOne<T>(body: unknown, readRow: ReadRow<T>): { kind: 'one'; row: T } | Misshapen {
  const value: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
  const read = readRow(value);
  if (read.kind === 'row') return { kind: 'one', row: read.row };
  return { kind: 'misshapen', detail: read.kind === 'foreign' ? read.detail : 'one object was expected' };
}

function listOf(body: unknown): { values: readonly unknown[]; size: number | null } | null {
  if (Array.isArray(body)) return { values: body, size: null };
  if (typeof body !== 'object' || body === null || !('results' in body)) return null;
  return Array.isArray(body.results) ? { values: body.results, size: numberAt(body, 'size') } : null;
}

function numberAt(value: unknown, key: string): number | null {
  if (typeof value !== 'object' || value === null) return null;
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : null;
}
