/** What the fields of a form hold, and what is wrong with one. Pure. */
import { isIP } from 'node:net';
import { withoutControls } from '../../text.ts';
import type { FieldValues } from '../../views/models/form-model.ts';
import type { FormRead } from './form.ts';

/** What a field holds, on one line. */
export function textIn(values: FieldValues, field: string): string {
  return plain(values.get(field)?.[0] ?? '');
}

/** The same with its lines as they are, so that what nobody touched reads as before. */
export function linesIn(values: FieldValues, field: string): string {
  return (values.get(field)?.[0] ?? '').toWellFormed().replaceAll('\r\n', '\n');
}

function plain(text: string): string {
  return withoutControls(text).replace(/ +/g, ' ').trim();
}

/** The choice that was made; null where none was. */
export function chosen(values: FieldValues, field: string): string | null {
  return values.get(field)?.[0] ?? null;
}

/** What stands between commas. */
export function listIn(text: string): readonly string[] {
  return [...new Set(text.split(',').map(plain))].filter((item) => item !== '');
}

const ID = /^[1-9]\d{0,14}$/;

/** The number of the one thing that was chosen; null where none was. */
export function idIn(values: FieldValues, field: string): number | null {
  return idsIn(values, field)[0] ?? null;
}

/** The numbers of all that was chosen. */
export function idsIn(values: FieldValues, field: string): readonly number[] {
  return (values.get(field) ?? []).filter((value) => ID.test(value)).map(Number);
}

export type Addresses =
  /** Null: the field was not there, or is empty; an empty list is not sent, because it may take all of them away. */
  | { readonly kind: 'addresses'; readonly all: readonly string[] | null }
  | { readonly kind: 'odd'; readonly text: string };

/** Addresses with commas between them, or the first that is none. */
export function addressesIn(values: FieldValues, field: string): Addresses {
  const all = listIn(textIn(values, field));
  const odd = all.find((address) => isIP(address) === 0);
  if (odd !== undefined) return { kind: 'odd', text: odd };
  return { kind: 'addresses', all: all.length === 0 ? null : all };
}

/** These words on one field: the form stays open with what was entered. */
export function errorOn(field: string, words: string): Extract<FormRead, { kind: 'errors' }> {
  return { kind: 'errors', errors: { [field]: words } };
}
