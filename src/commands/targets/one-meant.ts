/** What is shown where a name means several groups or policies, or none: each with what tells it from the others. */
import type { Problem, View } from '../../views/model.ts';
import type { Offer } from '../../views/models/offer-model.ts';
import type { Choice } from '../../views/models/report-model.ts';
import { problemView } from '../line/faults.ts';
import { CHOICES, meant, type Ref } from './named.ts';

export type Naming<T> = {
  readonly what: 'group' | 'policy';
  readonly nameOf: (item: T) => string;
  /** What tells it from others of its name. */
  readonly detailOf: (item: T) => string | null;
  /** Runs the command with this one. */
  readonly again: (id: number) => Choice;
};

export type OneMeant =
  | { readonly kind: 'one'; readonly id: number }
  | { readonly kind: 'view'; readonly view: View };

/** The one of this name or number, or what to show instead. */
export function oneMeant<T extends { readonly id: number }>(
  given: Ref,
  all: readonly T[],
  naming: Naming<T>,
): OneMeant {
  const found = meant(given, all, naming.nameOf);
  switch (found.kind) {
    case 'one':
      return found;
    case 'several': {
      const rows = found.all.slice(0, CHOICES).map((one) => rowOf(one, naming));
      const { what } = naming;
      return {
        kind: 'view',
        view: { kind: 'choices', what, query: String(given), rows, total: found.all.length },
      };
    }
    case 'none':
      return { kind: 'view', view: problemView(noneMeant(String(given), found.nearest, naming)) };
  }
}

/** Nothing is so named; `near` is offered in its place. */
export function noneMeant<T extends { readonly id: number }>(
  query: string,
  near: readonly T[],
  naming: Naming<T>,
): Problem {
  const nearest = near.map(naming.nameOf);
  const offers = offersOf(near, naming);
  return { kind: `no-such-${naming.what}`, query, nearest, ...(offers.length === 0 ? {} : { offers }) };
}

/** Each with the button that takes it. */
export function offersOf<T extends { readonly id: number }>(
  items: readonly T[],
  naming: Naming<T>,
): readonly Offer[] {
  return items.map((item) => ({ kind: 'named', what: naming.what, ...rowOf(item, naming) }));
}

function rowOf<T extends { readonly id: number }>(item: T, { nameOf, detailOf, again }: Naming<T>) {
  return { id: item.id, name: nameOf(item), detail: detailOf(item), choice: again(item.id) };
}
