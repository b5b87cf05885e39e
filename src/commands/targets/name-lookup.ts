/** From what somebody typed, or what a button carries, to one group or policy: shared by commands that name one. */
import { z } from 'zod';
import { nearestNames as nearestTo } from '../../inventory/nearest-names.ts';
import { fold } from '../../lib/text.ts';
import type { TypedInput } from '../core/define-command.ts';
import { type LineWords, MAX_LINE_LENGTH } from '../parser/tokenizer.ts';
import { unexpectedWord } from '../parser/usage-errors.ts';

/** Typed text, or the id that a button carries. */
export const nameOrId = z.union([z.string().min(1).max(MAX_LINE_LENGTH), z.int().positive()]);
export type NameOrId = z.infer<typeof nameOrId>;

export type NameMatch<T> =
  | { readonly kind: 'one'; readonly id: number }
  | { readonly kind: 'several'; readonly all: readonly T[] }
  | { readonly kind: 'none'; readonly nearest: readonly T[] };

/** As many of those that come near. */
export const MAX_NAME_OFFERS = 5;
/** As many as fit on a message; the rest is said in words. */
export const MAX_CHOICES = 10;

/** What all free words together name. `what` asks the one who named nothing: `Which group?`. */
export function parseNameOrId(words: LineWords, what: string): TypedInput<NameOrId> {
  const fault = unexpectedWord(words, {});
  if (fault !== null) return { kind: 'fault', fault };
  const named = words.free.join(' ');
  if (named === '') return { kind: 'fault', fault: { kind: 'missing', what } };
  return { kind: 'input', input: named };
}

/** A number as people type it, with its `#` or without; null where it is none. */
export function numberOf(word: string): number | null {
  const digits = /^#?([1-9]\d{0,14})$/.exec(word)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The one of this name; a number is an id where nothing is so named. An id is not looked for: it may be new. */
export function matchName<T extends { readonly id: number }>(
  ref: NameOrId,
  all: readonly T[],
  nameOf: (item: T) => string,
): NameMatch<T> {
  if (typeof ref === 'number') return { kind: 'one', id: ref };
  const foldedRef = fold(ref);
  const named = all.filter((item) => fold(nameOf(item)) === foldedRef);
  const [first, ...others] = named;
  if (first !== undefined) {
    return others.length === 0 ? { kind: 'one', id: first.id } : { kind: 'several', all: named };
  }
  const id = numberOf(ref.trim());
  if (id !== null) return { kind: 'one', id };
  const near = nearestTo(ref, all.map(nameOf), MAX_NAME_OFFERS);
  const nearest = near
    .flatMap((name) => all.filter((item) => nameOf(item) === name))
    .slice(0, MAX_NAME_OFFERS);
  return { kind: 'none', nearest };
}
