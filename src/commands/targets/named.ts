/** From what somebody typed, or what a button carries, to one group or policy: shared by commands that name one. */
import { z } from 'zod';
import { nearest as nearestTo } from '../../inventory/nearest.ts';
import { fold } from '../../text.ts';
import type { Typed } from '../define.ts';
import { extraWord } from '../line/faults.ts';
import { MAX_TEXT, type Words } from '../line/grammar.ts';

/** Typed text, or the id that a button carries. */
export const ref = z.union([z.string().min(1).max(MAX_TEXT), z.int().positive()]);
export type Ref = z.infer<typeof ref>;

export type Meant<T> =
  | { readonly kind: 'one'; readonly id: number }
  | { readonly kind: 'several'; readonly all: readonly T[] }
  | { readonly kind: 'none'; readonly nearest: readonly T[] };

/** As many of those that come near. */
export const OFFERED = 5;
/** As many as fit on a message; the rest is said in words. */
export const CHOICES = 10;

/** What all free words together name. `what` asks the one who named nothing: `Which group?`. */
export function parseRef(words: Words, what: string): Typed<Ref> {
  const fault = extraWord(words, {});
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
export function meant<T extends { readonly id: number }>(
  given: Ref,
  all: readonly T[],
  nameOf: (item: T) => string,
): Meant<T> {
  if (typeof given === 'number') return { kind: 'one', id: given };
  const wanted = fold(given);
  const named = all.filter((item) => fold(nameOf(item)) === wanted);
  const [first, ...others] = named;
  if (first !== undefined) {
    return others.length === 0 ? { kind: 'one', id: first.id } : { kind: 'several', all: named };
  }
  const id = numberOf(given.trim());
  if (id !== null) return { kind: 'one', id };
  const near = nearestTo(given, all.map(nameOf), OFFERED);
  const nearest = near.flatMap((name) => all.filter((item) => nameOf(item) === name)).slice(0, OFFERED);
  return { kind: 'none', nearest };
}
