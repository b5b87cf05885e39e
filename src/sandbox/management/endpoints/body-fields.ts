/** Field types of request bodies, with the service's error texts. */
import { z } from 'zod';
import { type Instant, instant } from '../../../lib/clock.ts';

/** A missing field and one of a wrong type have different errors. */
function fieldErrorText(field: string, wrong: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) => (input === undefined ? requiredField(field) : wrong),
  };
}

export function requiredField(field: string): string {
  return `The ${field} field is required.`;
}

/** Of names, which are unique (seen live: AutomoxCommunity/se-utilities-public, DynamicGrouping.py, 2026). */
export function takenField(field: string): string {
  return `The ${field} has already been taken.`;
}

export function selectedField(field: string): string {
  return `The selected ${field} is invalid.`;
}

export function textField(field: string) {
  return z.string(fieldErrorText(field, `The ${field} must be a string.`));
}

/** A text that is not blank. */
export function nonEmptyTextField(field: string) {
  return textField(field).refine((value) => value.trim() !== '', requiredField(field));
}

export function integerField(field: string) {
  return z.int(fieldErrorText(field, `The ${field} must be an integer.`));
}

/** At most 15 digits, which a number holds exactly. */
const DIGITS = /^-?\d{1,15}$/;

/** Digits as text are taken too, where a public client of the vendor sends what a person or a file said. */
export function orDigits<Field extends z.ZodType>(field: Field) {
  return z.preprocess((sent) => (typeof sent === 'string' && DIGITS.test(sent) ? Number(sent) : sent), field);
}

export function booleanField(field: string) {
  return z.boolean(fieldErrorText(field, `The ${field} field must be true or false.`));
}

export function listField<Item extends z.ZodType>(field: string, item: Item) {
  return z.array(item, fieldErrorText(field, `The ${field} must be an array.`));
}

export function oneOfField<const Choice extends string>(field: string, choices: readonly Choice[]) {
  return z.enum(choices, fieldErrorText(field, selectedField(field)));
}

/** A whole number within limits, both included. */
export function rangeField(field: string, least: number, most: number) {
  return integerField(field)
    .min(least, `The ${field} must be at least ${least}.`)
    .max(most, `The ${field} may not be greater than ${most}.`);
}

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?)(Z|[+-]\d\d):?(\d\d)?$/;

/** An ISO 8601 time with its offset, with or without a colon in it. */
export function timestampField(field: string) {
  return textField(field).transform((value, context): Instant => {
    const [, time = '', hours = '', minutes] = TIME.exec(value) ?? [];
    const at = Date.parse(minutes === undefined ? `${time}${hours}` : `${time}${hours}:${minutes}`);
    if (Number.isFinite(at)) return instant(at);
    context.addIssue({ code: 'custom', message: `The ${field} is not a valid date.` });
    return z.NEVER;
  });
}
