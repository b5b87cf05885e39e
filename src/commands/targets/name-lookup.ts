/** From a name or a number to one group or policy, and what is shown where it means several, or none. */
import { z } from 'zod';
import { nearestNames as nearestTo } from '../../inventory/nearest-names.ts';
import { fold } from '../../lib/text.ts';
import type { CommandChoice } from '../../views/models/list-model.ts';
import type { Offer } from '../../views/models/problem-model.ts';
import type { Problem, View } from '../../views/views.ts';
import type { TypedInput } from '../core/command.ts';
import { type LineWords, MAX_LINE_LENGTH } from '../parser/tokenizer.ts';
import { problemView, unexpectedWord } from '../parser/usage-errors.ts';

/** Typed text, or the id that a button carries. */
export const nameOrId = z.union([z.string().min(1).max(MAX_LINE_LENGTH), z.int().positive()]);
export type NameOrId = z.infer<typeof nameOrId>;

type NameMatch<T> =
  | { readonly kind: 'one'; readonly id: number }
  | { readonly kind: 'several'; readonly all: readonly T[] }
  | { readonly kind: 'none'; readonly nearest: readonly T[] };

export const MAX_NAME_OFFERS = 5;
/** As many as fit on a message; the rest is said in words. */
const MAX_CHOICES = 10;

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

export type ChoiceNaming<T> = {
  readonly what: 'group' | 'policy';
  readonly nameOf: (item: T) => string;
  /** What tells it from others of its name. */
  readonly detailOf: (item: T) => string | null;
  readonly again: (id: number) => CommandChoice;
};

export type ResolvedName<Id> =
  | { readonly kind: 'one'; readonly id: Id }
  | { readonly kind: 'view'; readonly view: View };

export function resolveName<T extends { readonly id: number }>(
  ref: NameOrId,
  all: readonly T[],
  naming: ChoiceNaming<T>,
  idOf: (id: number) => T['id'],
): ResolvedName<T['id']> {
  const found = matchName(ref, all, naming.nameOf);
  switch (found.kind) {
    case 'one':
      return { kind: 'one', id: idOf(found.id) };
    case 'several': {
      const rows = found.all.slice(0, MAX_CHOICES).map((one) => choiceRow(one, naming));
      const { what } = naming;
      const query = String(ref);
      return { kind: 'view', view: { kind: 'choices', what, query, rows, total: found.all.length } };
    }
    case 'none':
      return { kind: 'view', view: problemView(unknownNameProblem(String(ref), found.nearest, naming)) };
  }
}

/** Nothing is so named; `near` is offered in its place. */
export function unknownNameProblem<T extends { readonly id: number }>(
  query: string,
  near: readonly T[],
  naming: ChoiceNaming<T>,
): Problem {
  const nearest = near.map(naming.nameOf);
  const offers = choiceOffers(near, naming);
  return { kind: `no-such-${naming.what}`, query, nearest, ...(offers.length === 0 ? {} : { offers }) };
}

export function choiceOffers<T extends { readonly id: number }>(
  items: readonly T[],
  naming: ChoiceNaming<T>,
): readonly Offer[] {
  return items.map((item) => ({ kind: 'named', what: naming.what, ...choiceRow(item, naming) }));
}

function choiceRow<T extends { readonly id: number }>(item: T, { nameOf, detailOf, again }: ChoiceNaming<T>) {
  return { id: item.id, name: nameOf(item), detail: detailOf(item), choice: again(item.id) };
}
