/** The kinds of fields in request bodies, with the service's words for a wrong one. */
import { z } from 'zod';
import { type Instant, instant } from '../../../clock.ts';

/** A field that was left out is told apart from one of a wrong kind. */
function words(field: string, wrong: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) => (input === undefined ? required(field) : wrong),
  };
}

export function required(field: string): string {
  return `The ${field} field is required.`;
}

export function selected(field: string): string {
  return `The selected ${field} is invalid.`;
}

export function text(field: string) {
  return z.string(words(field, `The ${field} must be a string.`));
}

/** A text that says something. */
export function wording(field: string) {
  return text(field).refine((value) => value.trim() !== '', required(field));
}

export function whole(field: string) {
  return z.int(words(field, `The ${field} must be an integer.`));
}

export function truth(field: string) {
  return z.boolean(words(field, `The ${field} field must be true or false.`));
}

export function list<Item extends z.ZodType>(field: string, item: Item) {
  return z.array(item, words(field, `The ${field} must be an array.`));
}

export function oneOf<const Choice extends string>(field: string, choices: readonly Choice[]) {
  return z.enum(choices, words(field, selected(field)));
}

/** A whole number within limits, both included. */
export function between(field: string, least: number, most: number) {
  return whole(field)
    .min(least, `The ${field} must be at least ${least}.`)
    .max(most, `The ${field} may not be greater than ${most}.`);
}

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?)(Z|[+-]\d\d):?(\d\d)?$/;

/** An ISO 8601 time with its offset, with or without a colon in it. */
export function moment(field: string) {
  return text(field).transform((value, context): Instant => {
    const [, time = '', hours = '', minutes] = TIME.exec(value) ?? [];
    const at = Date.parse(minutes === undefined ? `${time}${hours}` : `${time}${hours}:${minutes}`);
    if (Number.isFinite(at)) return instant(at);
    context.addIssue({ code: 'custom', message: `The ${field} is not a valid date.` });
    return z.NEVER;
  });
}
