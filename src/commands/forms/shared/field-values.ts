/** What the fields of a form hold, and what is wrong with one. Pure. */
import { isIP } from 'node:net';
import { stripControls } from '../../../lib/text.ts';
import type { UsageFault } from '../../../views/model.ts';
import type { FieldValues } from '../../../views/models/form-model.ts';
import type { FormValues } from './command-form.ts';

/** What a field holds, on one line. */
export function textValue(values: FieldValues, field: string): string {
  return singleLine(values.get(field)?.[0] ?? '');
}

/** The same with its lines as they are, so that what nobody touched reads as before. */
export function textLines(values: FieldValues, field: string): string {
  return (values.get(field)?.[0] ?? '').toWellFormed().replaceAll('\r\n', '\n');
}

function singleLine(text: string): string {
  return stripControls(text).replace(/ +/g, ' ').trim();
}

/** The choice that was made; null where none was. */
export function selectedValue(values: FieldValues, field: string): string | null {
  return values.get(field)?.[0] ?? null;
}

/** What stands between commas. */
export function commaList(text: string): readonly string[] {
  return [...new Set(text.split(',').map(singleLine))].filter((item) => item !== '');
}

const ID = /^[1-9]\d{0,14}$/;

/** The number of the one thing that was chosen; null where none was. */
export function idValue(values: FieldValues, field: string): number | null {
  return idValues(values, field)[0] ?? null;
}

/** The numbers of all that was chosen. */
export function idValues(values: FieldValues, field: string): readonly number[] {
  return (values.get(field) ?? []).filter((value) => ID.test(value)).map(Number);
}

export type AddressesValue =
  /** Null: the field was not there, or is empty; an empty list is not sent, because it may take all of them away. */
  | { readonly kind: 'addresses'; readonly all: readonly string[] | null }
  | { readonly kind: 'odd'; readonly text: string };

/** Addresses with commas between them, or the first that is none. */
export function addressesValue(values: FieldValues, field: string): AddressesValue {
  const all = commaList(textValue(values, field));
  const odd = all.find((address) => isIP(address) === 0);
  if (odd !== undefined) return { kind: 'odd', text: odd };
  return { kind: 'addresses', all: all.length === 0 ? null : all };
}

/** These words on one field: the form stays open with what was entered. */
export function fieldError(field: string, words: string): Extract<FormValues, { kind: 'errors' }> {
  return { kind: 'errors', errors: { [field]: words } };
}

/** Faults of usage as plain sentences, for the fields of forms. */

export function usageFaultText(fault: UsageFault): string {
  switch (fault.kind) {
    case 'missing':
      return fault.what;
    case 'one-device':
      return `A command takes one device at a time. “${fault.filters}” can match several.`;
    case 'unknown-word':
      return fault.nearest.length === 0
        ? `“${fault.word}” doesn’t apply here.`
        : `${unknown(fault.word)} ${suggestionsText(fault.nearest)}`;
    case 'no-saved-target': {
      const near = fault.nearest.length === 0 ? '' : ` ${suggestionsText(fault.nearest)}`;
      return `No saved target is named “${fault.name}”.${near}`;
    }
    case 'bad-value':
      return `“${fault.word}” isn’t valid. Expected ${fault.expected}.`;
    case 'open-quote':
      return `Missing closing quote near “${fault.near}”.`;
    case 'too-long':
      return `Too long: ${fault.length} characters, the maximum is ${fault.limit}.`;
  }
}

/** A word with a colon was meant as a filter. */
function unknown(word: string): string {
  return word.includes(':') ? `Unknown filter “${word}”.` : `Unknown word “${word}”.`;
}

function suggestionsText(words: readonly string[]): string {
  return words.length === 1 ? `Did you mean ${words[0]}?` : `Try one of these: ${words.join(', ')}.`;
}
