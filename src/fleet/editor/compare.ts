/** What reading back says about a change, field by field. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Findings } from '../edits.ts';
import type { Whole } from '../reads/reads.ts';

export type Comparison<T, Field extends string> = {
  readonly field: Field;
  /** Its name in the service's object: a field that is not there is not shown. */
  readonly key: string;
  /** Undefined: it was not asked for. */
  readonly wanted: unknown;
  readonly of: (thing: Whole<T>) => unknown;
  /** Whether the object shows it, where its key alone does not say. */
  readonly shown?: (thing: Whole<T>) => boolean;
};

/** `before` is null where the thing is new: then nothing else can have changed. */
export function compare<T, Field extends string>(
  comparisons: readonly Comparison<T, Field>[],
  before: Whole<T> | null,
  after: Whole<T>,
): Findings<Field> {
  const fieldsWhere = (holds: (one: Comparison<T, Field>) => boolean) =>
    comparisons.filter(holds).map(({ field }) => field);
  return {
    notTaken: fieldsWhere(
      (one) => isAsked(one) && isShown(one, after) && !isDeepStrictEqual(one.of(after), one.wanted),
    ),
    sentUnconfirmed: fieldsWhere((one) => isAsked(one) && !isShown(one, after)),
    alsoChanged: fieldsWhere(
      (one) =>
        before !== null &&
        !isAsked(one) &&
        isShown(one, before) &&
        isShown(one, after) &&
        !isDeepStrictEqual(one.of(after), one.of(before)),
    ),
  };
}

/** What is known of a change that could not be read back. */
export function unread<T, Field extends string>(
  comparisons: readonly Comparison<T, Field>[],
): Findings<Field> {
  const sentUnconfirmed = comparisons.filter(isAsked).map(({ field }) => field);
  return { notTaken: [], sentUnconfirmed, alsoChanged: [] };
}

/** Lists are compared without regard to order and repetition: the service keeps neither. */
export function asSet<T extends string | number>(list: readonly T[]): readonly T[];
export function asSet<T extends string | number>(list: readonly T[] | undefined): readonly T[] | undefined;
export function asSet<T extends string | number>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined ? undefined : [...new Set(list)].sort();
}

function isAsked({ wanted }: { readonly wanted: unknown }): boolean {
  return wanted !== undefined;
}

function isShown<T, Field extends string>(one: Comparison<T, Field>, thing: Whole<T>): boolean {
  return one.key in thing.raw && (one.shown === undefined || one.shown(thing));
}
