/** Makes fields of forms, reads their values, and words their errors. Pure. */
import { byKind } from '../../lib/record-fields.ts';
import { onOneLine } from '../../lib/text.ts';
import type { FieldValues, FormField, FormOption, SearchedKind } from '../../views/models/form-model.ts';
import type { UsageFault } from '../../views/views.ts';
import type { FormValues } from './command.ts';

type More = { readonly hint?: string; readonly optional?: true; readonly live?: true };
type Option = FormOption | null;
type Options = readonly FormOption[];

export const textField = (id: string, label: string, initial: string, most: number, more: More = {}) =>
  ({ kind: 'text', id, label, initial, most, ...more }) as const;

export const searchField = (id: string, label: string, of: SearchedKind, now: Option, more: More = {}) =>
  ({ kind: 'search', id, label, of, initial: now, ...more }) as const;

export const searchesField = (id: string, label: string, of: SearchedKind, now: Options, more: More = {}) =>
  ({ kind: 'searches', id, label, of, initial: now, ...more }) as const;

export function textValue(values: FieldValues, field: string): string {
  return onOneLine(values.get(field)?.[0] ?? '');
}

export function selectedValue(values: FieldValues, field: string): string | null {
  return values.get(field)?.[0] ?? null;
}

export function commaList(text: string): readonly string[] {
  return [...new Set(text.split(',').map(onOneLine))].filter((item) => item !== '');
}

const ID = /^[1-9]\d{0,14}$/;

export function idValue(values: FieldValues, field: string): number | null {
  return idValues(values, field)[0] ?? null;
}

export function idValues(values: FieldValues, field: string): readonly number[] {
  return (values.get(field) ?? []).filter((value) => ID.test(value)).map(Number);
}

/** An error at one field: the form stays open with the entered values. */
export function fieldError(field: string, words: string): Extract<FormValues, { kind: 'errors' }> {
  return { kind: 'errors', errors: { [field]: words } };
}

export const usageFaultText = byKind<UsageFault, string>({
  missing: ({ what }) => what,
  'one-device': ({ filters }) => `This command takes one device. “${filters}” can match several.`,
  'option-in-reason': ({ option }) =>
    `“${option}” comes after “because”. Put it before, or put the reason in quotes.`,
  'unknown-word': (fault) =>
    fault.nearest.length === 0 ? unknown(fault) : `${unknown(fault)} ${suggestionsText(fault.nearest)}`,
  'bad-value': ({ word, expected }) => `“${word}” isn’t valid. Expected ${expected}.`,
  'open-quote': ({ near }) => `Missing closing quote near “${near}”.`,
  'too-long': ({ length, limit }) => `Too long: ${length} characters, the maximum is ${limit}.`,
});

/** A word with a colon was meant as a filter, unless it is known to be something else. */
function unknown({ word, of, nearest }: Extract<UsageFault, { kind: 'unknown-word' }>): string {
  if (of === undefined && nearest.length === 0) return `“${word}” doesn’t apply here.`;
  return `Unknown ${of ?? (word.includes(':') ? 'filter' : 'word')} “${word}”.`;
}

function suggestionsText(words: readonly string[]): string {
  return words.length === 1 ? `Did you mean ${words[0]}?` : `Try one of these: ${words.join(', ')}.`;
}

/** A text field holds 3,000 characters (Slack). */
const MAX_NOTES = 2_900;

/** A value that does not fit the field would be cut, so the field is left out. */
export function notesField(id: string, notes: string): FormField {
  if (notes.length > MAX_NOTES)
    return { kind: 'words', text: 'The notes are too long to show here. To replace them, type notes:TEXT.' };
  return { kind: 'text', id, label: 'Notes', initial: notes, most: MAX_NOTES, lines: true, optional: true };
}
