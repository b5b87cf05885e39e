/** Compares what was read back after a change with what was wanted, field by field. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { ReadBackFindings } from '../model/edits.ts';
import type { WithRaw } from '../reads/reads.ts';

export type FieldComparison<T, Field extends string> = {
  readonly field: Field;
  /** Its name in the service's object: a field that is absent there is not shown. */
  readonly key: string;
  /** Undefined: the change does not set it. */
  readonly wanted: unknown;
  readonly read: (thing: WithRaw<T>) => unknown;
  /** Whether the object shows the field, where its key alone does not tell. */
  readonly shown?: (thing: WithRaw<T>) => boolean;
};

/** `before` is null for a new thing: then nothing else can have changed. */
export function compare<T, Field extends string>(
  comparisons: readonly FieldComparison<T, Field>[],
  before: WithRaw<T> | null,
  after: WithRaw<T>,
): ReadBackFindings<Field> {
  const fieldsWhere = (holds: (one: FieldComparison<T, Field>) => boolean) =>
    comparisons.filter(holds).map(({ field }) => field);
  return {
    notApplied: fieldsWhere(
      (one) => isWanted(one) && isShown(one, after) && !isDeepStrictEqual(one.read(after), one.wanted),
    ),
    unconfirmed: fieldsWhere((one) => isWanted(one) && !isShown(one, after)),
    alsoChanged: fieldsWhere(
      (one) =>
        before !== null &&
        !isWanted(one) &&
        isShown(one, before) &&
        isShown(one, after) &&
        !isDeepStrictEqual(one.read(after), one.read(before)),
    ),
  };
}

/** The findings for a change that could not be read back. */
export function unconfirmedFindings<T, Field extends string>(
  comparisons: readonly FieldComparison<T, Field>[],
): ReadBackFindings<Field> {
  const unconfirmed = comparisons.filter(isWanted).map(({ field }) => field);
  return { notApplied: [], unconfirmed, alsoChanged: [] };
}

/** For comparing lists without order and duplicates: the service preserves neither. */
export function asSet<T extends string | number>(list: readonly T[]): readonly T[];
export function asSet<T extends string | number>(list: readonly T[] | undefined): readonly T[] | undefined;
export function asSet<T extends string | number>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined ? undefined : [...new Set(list)].sort();
}

function isWanted({ wanted }: { readonly wanted: unknown }): boolean {
  return wanted !== undefined;
}

function isShown<T, Field extends string>(one: FieldComparison<T, Field>, thing: WithRaw<T>): boolean {
  return one.key in thing.raw && (one.shown === undefined || one.shown(thing));
}
