/**
 * Fields that several records have: whoever reads a record checks it against its schema, and gets ids of their types. And what
 * is said of a record by its kind.
 */

import { z } from 'zod';
import { instant } from './clock.ts';
import {
  channelId,
  deviceId,
  eventId,
  groupId,
  organizationId,
  personId,
  policyId,
  queueEntryId,
  userGroupId,
} from './ids.ts';

export const wholeNumber = z.int();
export const instantField = wholeNumber.transform(instant);
export const organizationField = wholeNumber.transform(organizationId);
export const deviceField = wholeNumber.transform(deviceId);
export const groupField = wholeNumber.transform(groupId);
export const policyField = wholeNumber.transform(policyId);
export const eventField = wholeNumber.transform(eventId);
export const queueEntryField = wholeNumber.transform(queueEntryId);
export const personField = z.string().transform(personId);
export const userGroupField = z.string().transform(userGroupId);
export const channelField = z.string().transform(channelId);
export const nullableText = z.string().nullable();
export const nullableNumber = z.number().nullable();
export const nullableFlag = z.boolean().nullable();

export type Stored<Schema extends z.ZodType> = Unchanging<z.output<Schema>>;

/** The same, changed in place by nobody: what a schema reads can be changed by its type. */
export type Unchanging<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Unchanging<Item>[]
    : { readonly [K in keyof T]: Unchanging<T[K]> };

type Defined<T> = { [K in keyof T]?: T[K] & (NonNullable<unknown> | null) };

/** The object without fields that are undefined: such a field is absent, and says that nothing is known or asked. */
export function defined<T extends object>(fields: T): Defined<T> {
  return definedExcept(fields, new Set());
}

/** The same without the fields of these names. */
export function definedExcept<T extends object>(fields: T, except: ReadonlySet<string>): Defined<T> {
  const known: Defined<T> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined && !except.has(key)) known[key] = value;
  }
  return known;
}

type OfKind<Union, Kind> = Union extends { readonly kind: infer Kinds }
  ? Kind extends Kinds
    ? Union
    : never
  : never;

/** What there is to say of each kind of a union, as the rows of a table: a value, or what makes it of the one at hand. */
export type KindRows<Union extends OfSomeKind, Result, Rest extends readonly unknown[]> = {
  readonly [Kind in Union['kind']]: Result | ((one: OfKind<Union, Kind>, ...rest: Rest) => Result);
};

type OfSomeKind = { readonly kind: string };

/** Looks up the row of one. */
export function byKind<Union extends OfSomeKind, Result, Rest extends readonly unknown[] = []>(
  rows: KindRows<Union, Result, Rest>,
): (one: Union, ...rest: Rest) => Result;
export function byKind(rows: Readonly<Record<string, unknown>>) {
  return (one: OfSomeKind, ...rest: readonly unknown[]): unknown => rowFor(rows, one, rest);
}

/** The same where only some kinds have a row; null for the others. */
export function bySomeKinds<Union extends OfSomeKind, Result, Rest extends readonly unknown[] = []>(
  rows: Partial<KindRows<Union, Result, Rest>>,
): (one: Union, ...rest: Rest) => Result | null;
export function bySomeKinds(rows: Readonly<Record<string, unknown>>) {
  return (one: OfSomeKind, ...rest: readonly unknown[]): unknown => rowFor(rows, one, rest) ?? null;
}

/** TypeScript cannot tie the key of a table to its value by itself. */
function rowFor(rows: Readonly<Record<string, unknown>>, one: OfSomeKind, rest: readonly unknown[]): unknown {
  const row = rows[one.kind];
  return typeof row === 'function' ? row(one, ...rest) : row;
}
