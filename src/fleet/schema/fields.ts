/**
 * The kinds of fields that rows are made of, each in two readings. `typical` is what the service nearly
 * always sends and costs little; `tolerant` survives anything, field by field, and is used only for rows
 * that the typical reading refuses. Only an unreadable `id` fails a row. Absent, null and unreadable are
 * all null: "the service did not say".
 */
import { z } from 'zod';

export type Fields = {
  /** What a row cannot do without. */
  readonly id: z.ZodType<number>;
  /** An id of something else; 0 means none. */
  readonly reference: z.ZodType<number | null>;
  readonly references: z.ZodType<readonly number[] | null>;
  readonly text: z.ZodType<string | null>;
  readonly texts: z.ZodType<readonly string[] | null>;
  /** One text, or a list of them. */
  readonly listing: z.ZodType<string | readonly string[] | null>;
  readonly flag: z.ZodType<boolean | null>;
  /** A number, or its text (`uptime`, `cve_score`, exit codes). */
  readonly number: z.ZodType<number | null>;
  /** An object with fields of its own; `{}` and null are both seen. */
  readonly part: <T>(schema: z.ZodType<T>) => z.ZodType<T | null>;
};

const DECIMAL = /^\s*[+-]?\d+(\.\d+)?\s*$/;

function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : null;
}

function asId(value: unknown): number | null {
  const number = asNumber(value);
  return number !== null && Number.isSafeInteger(number) && number > 0 ? number : null;
}

function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function asFlag(value: unknown): boolean | null {
  if (value === true || value === 1 || value === '1' || value === 'true') return true;
  return value === false || value === 0 || value === '0' || value === 'false' ? false : null;
}

function asList<T>(value: unknown, read: (item: unknown) => T | null): readonly T[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map(read).filter((item) => item !== null);
}

const id = z.int().positive();
const text = z.string();

export const typical: Fields = {
  id,
  reference: id.nullable().default(null),
  references: z.array(id).nullable().default(null),
  text: text.nullable().default(null),
  texts: z.array(text).nullable().default(null),
  listing: z
    .union([text, z.array(text)])
    .nullable()
    .default(null),
  flag: z.boolean().nullable().default(null),
  number: z
    .union([z.number(), text.transform(asNumber)])
    .nullable()
    .default(null),
  part: (schema) => schema.nullable().default(null),
};

const anything = z.unknown().default(null);

export const tolerant: Fields = {
  id: anything.transform(asId).pipe(id),
  reference: anything.transform(asId),
  references: anything.transform((value) => asList(value, asId)),
  text: anything.transform(asText),
  texts: anything.transform((value) => asList(value, asText)),
  listing: anything.transform((value) => (Array.isArray(value) ? asList(value, asText) : asText(value))),
  flag: anything.transform(asFlag),
  number: anything.transform(asNumber),
  part: (schema) => schema.nullable().catch(null),
};
