/** What is shown where a name means several groups or policies, or none: each with what tells it from the others. */
import type { Problem, View } from '../../views/model.ts';
import type { CommandChoice } from '../../views/models/list-model.ts';
import type { Offer } from '../../views/models/problem-model.ts';
import { problemView } from '../parser/usage-errors.ts';
import { MAX_CHOICES, matchName, type NameOrId } from './name-lookup.ts';

export type ChoiceNaming<T> = {
  readonly what: 'group' | 'policy';
  readonly nameOf: (item: T) => string;
  /** What tells it from others of its name. */
  readonly detailOf: (item: T) => string | null;
  /** Runs the command with this one. */
  readonly again: (id: number) => CommandChoice;
};

export type ResolvedName<Id> =
  | { readonly kind: 'one'; readonly id: Id }
  | { readonly kind: 'view'; readonly view: View };

/** The one of this name or number, or what to show instead. `idOf`: its id, by its number. */
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
      return {
        kind: 'view',
        view: { kind: 'choices', what, query: String(ref), rows, total: found.all.length },
      };
    }
    case 'none':
      return { kind: 'view', view: problemView(unknownNameView(String(ref), found.nearest, naming)) };
  }
}

/** Nothing is so named; `near` is offered in its place. */
export function unknownNameView<T extends { readonly id: number }>(
  query: string,
  near: readonly T[],
  naming: ChoiceNaming<T>,
): Problem {
  const nearest = near.map(naming.nameOf);
  const offers = choiceOffers(near, naming);
  return { kind: `no-such-${naming.what}`, query, nearest, ...(offers.length === 0 ? {} : { offers }) };
}

/** Each with the button that takes it. */
export function choiceOffers<T extends { readonly id: number }>(
  items: readonly T[],
  naming: ChoiceNaming<T>,
): readonly Offer[] {
  return items.map((item) => ({ kind: 'named', what: naming.what, ...choiceRow(item, naming) }));
}

function choiceRow<T extends { readonly id: number }>(item: T, { nameOf, detailOf, again }: ChoiceNaming<T>) {
  return { id: item.id, name: nameOf(item), detail: detailOf(item), choice: again(item.id) };
}
