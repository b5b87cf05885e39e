/** Arguments as rows: how one is typed, its field in a form, and what is wrong with a value follow from its row. */
import { type ZodType, z } from 'zod';
import type { Dialect } from '../../fleet/dialect.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import { idValues, notesField, searchesField, textField, textValue } from '../core/field-values.ts';
import { type LineWords, MAX_LINE_LENGTH } from '../parser/tokenizer.ts';
import {
  badValue,
  filterFault,
  type KeyRules,
  unexpectedWord,
  unknownWordFault,
  usageFault,
} from '../parser/usage-errors.ts';
import { type NameOrId, nameOrId, numberOf } from '../targets/name-lookup.ts';
import type { FormValues, TypedInput } from './command.ts';

/** `Now`: what its field shows. Rows of different types share a table, so its functions are methods, which may take more. */
export type Argument<Value = unknown, Now = unknown> = {
  /** Typed before a colon, and the id of its field where `id` is not another. */
  readonly key: string;
  readonly id?: string;
  /** What follows the colon, as the usage says it. */
  readonly takes?: string;
  /** Only buttons and forms give it. */
  readonly untyped?: true;
  readonly schema: ZodType<Value>;
  /** The end of a sentence about a value that the schema refuses. */
  readonly expected?: string;
  /** From a text to a value; undefined where it is none, since null may be one. Absent: the text is the value. */
  read?(text: string): unknown;
  draw?(id: string, now: Now, dialect: Dialect): readonly FormField[];
  /** Absent: the text of its field is read, unless it is empty. Undefined: nothing is filled in. */
  enter?(values: FieldValues, id: string): unknown;
};

type Rows = Readonly<Record<string, Argument>>;
type Shape<Of extends Rows> = { readonly [Name in keyof Of]: z.ZodExactOptional<Of[Name]['schema']> };
type NowOf<Of extends Rows> = {
  readonly [Name in keyof Of]?: Of[Name] extends Argument<infer _, infer Now> ? Now : never;
};
type Typed = Partial<KeyRules> & {
  /** The command reads the free words itself. */
  readonly free?: boolean;
  readonly reason?: boolean;
  /** Keys that are not typed here. */
  readonly without?: readonly string[];
};

/** What is given of them; an argument that nobody gives is absent. */
export function argumentsOf<Of extends Rows>(rows: Of) {
  const all = Object.entries(rows);
  const typed = all.filter(([, { untyped }]) => untyped !== true);
  const shape = Object.fromEntries(all.map(([name, { schema }]) => [name, z.exactOptional(schema)]));
  const input = z.object(shape as Shape<Of>);
  return {
    input,
    usage: all.flatMap(([, { key, takes }]) => (takes === undefined ? [] : `[${key}:${takes}]`)).join(' '),
    /** `rules`: of keys that the command reads itself. */
    parse(
      words: LineWords,
      { free = false, reason = false, without = [], once: others = [], ...rules }: Typed = {},
    ): TypedInput<z.output<typeof input>> {
      const keys = typed.map(([, { key }]) => key).filter((key) => !without.includes(key));
      const once = [...keys, ...others];
      const wrong =
        unexpectedWord(words, { filters: true, reason }) ?? filterFault(words.filters, { once, ...rules });
      if (wrong !== null) return usageFault(wrong);
      const [word] = free ? [] : words.free;
      if (word !== undefined) return usageFault(unknownWordFault(word, []));
      const found: Record<string, unknown> = {};
      for (const token of words.filters) {
        const [name, row] = typed.find(([, { key }]) => key === token.key) ?? [];
        if (name === undefined || row === undefined) continue;
        const { schema, expected = 'another value', read } = row;
        const value = schema.safeParse(read === undefined ? token.value : read(token.value));
        if (!value.success) return badValue(token, expected);
        found[name] = value.data;
      }
      return { kind: 'input', input: input.parse(found) };
    },
    /** The fields of what is given, in its order. `ending` keeps those of one record apart from those of another. */
    draw(
      now: NowOf<Of> & Readonly<Record<string, unknown>>,
      dialect: Dialect,
      ending = '',
    ): readonly FormField[] {
      const table: Rows = rows;
      return Object.entries(now).flatMap(([name, value]) => {
        const { key = name, id = key, draw } = table[name] ?? {};
        return draw?.(`${id}${ending}`, value, dialect) ?? [];
      });
    },
    enter(values: FieldValues, ending = ''): EnteredArguments<z.output<typeof input>> {
      const found: Record<string, unknown> = {};
      const errors: Record<string, string> = {};
      for (const [name, row] of all) {
        const id = `${row.id ?? row.key}${ending}`;
        const value = enteredIn(row, values, id);
        if (value === null) continue;
        if (value.success) found[name] = value.data;
        else errors[id] = `Expected ${row.expected ?? 'another value'}.`;
      }
      if (Object.keys(errors).length > 0) return { kind: 'errors', errors };
      return { kind: 'input', input: input.parse(found) };
    },
  };
}

/** Null: nothing is filled in. */
function enteredIn({ schema, read, enter }: Argument, values: FieldValues, id: string) {
  if (enter === undefined) {
    const text = textValue(values, id);
    return text === '' ? null : schema.safeParse(read === undefined ? text : read(text));
  }
  const value = enter(values, id);
  return value === undefined ? null : schema.safeParse(value);
}

type EnteredArguments<Input> =
  | { readonly kind: 'input'; readonly input: Input }
  | Extract<FormValues, { readonly kind: 'errors' }>;

/** A name that nothing is looked up by; null: any. */
export function words(key: string, label: string, most: number): Argument<string | null, string | null> {
  return {
    key,
    takes: 'NAME',
    schema: z.string().min(1).max(MAX_LINE_LENGTH).nullable(),
    draw: (id, now) => [textField(id, label, now ?? '', most, { optional: true })],
  };
}

/** A device, group or policy by its name or id, of which a menu gives the id; null: any. */
export function named(
  of: 'device' | 'group' | 'policy',
  label: string,
  takes = 'NAME',
): Argument<NameOrId | null, FormOption | null> {
  return {
    key: of,
    takes,
    schema: nameOrId.nullable(),
    draw: (id, initial) => [{ kind: 'search', id, label, of, initial, optional: true }],
    enter(values, id) {
      const chosen = textValue(values, id);
      return chosen === '' ? undefined : (numberOf(chosen) ?? chosen);
    },
  };
}

const MAX_NAME = 200;

/** The name of a record. Its field holds more than what is typed, so that names from elsewhere fit as well. */
export const recordName: Argument<string, string> = {
  key: 'name',
  schema: z.string().max(MAX_LINE_LENGTH),
  draw: (id, now) => [textField(id, 'Name', now, Math.max(MAX_NAME, now.length))],
  enter: (values, id) => (values.has(id) ? textValue(values, id) : undefined),
};

export const notes: Argument<string, string> = {
  key: 'notes',
  takes: 'TEXT',
  // A form's field holds more than a line that is typed (3,000 characters, Slack).
  schema: z.string().max(3_000),
  draw: (id, now) => [notesField(id, now)],
  // With its line breaks, so that an untouched field stays equal.
  enter: (values, id) =>
    values.has(id) ? (values.get(id)?.[0] ?? '').toWellFormed().replaceAll('\r\n', '\n') : undefined,
};

/** The whole list, which only a form gives: a line adds to it and takes from it. */
export function records(
  of: 'group' | 'policy',
  key: string,
  label: string,
): Argument<number[], readonly FormOption[]> {
  return {
    key,
    untyped: true,
    schema: z.array(z.int().positive()).max(500),
    draw: (id, now) => [searchesField(id, label, of, now, { optional: true })],
    enter: (values, id) => (values.has(id) ? [...idValues(values, id)] : undefined),
  };
}

/** From 1 on. */
export function number(key: string, takes: string, expected: string, most?: number): Argument<number> {
  const schema = z.int().positive();
  return {
    key,
    takes,
    schema: most === undefined ? schema : schema.max(most),
    expected,
    read: (typed) => numberOf(typed) ?? undefined,
  };
}

type DaysOptions = {
  readonly label: string;
  readonly most: number;
  readonly spans: readonly number[];
  readonly labelOf: (days: number) => string;
};

/** So many days back. */
export function days({ label, most, spans, labelOf }: DaysOptions): Argument<number, number> {
  return {
    ...number('days', 'N', `1 to ${most} days`, most),
    draw(id, now: number) {
      const all = spans.includes(now) ? spans : [now, ...spans];
      const options = all.map((span) => ({ value: String(span), label: labelOf(span) }));
      return [{ kind: 'choice', id, label, options, initial: String(now) }];
    },
  };
}
