/** Who misses what, by what is known of the devices' packages. Pure. */
import type { Instant } from '../../clock.ts';
import { displayName } from '../../fleet/model.ts';
import { severityRank } from '../../fleet/software.ts';
import type { DeviceId } from '../../ids.ts';
import type { Candidate, Missed, MissedEntry } from '../../inventory/misses.ts';
import { nearest } from '../../inventory/nearest.ts';
import { compareNames, fold } from '../../text.ts';
import { hasCve } from './packages-select.ts';

export type Sought =
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'cve'; readonly cve: string };

export type Missing = {
  /** By the names that people know. */
  readonly rows: readonly { readonly device: Candidate; readonly packages: readonly Missed[] }[];
  /** Every package that any of the devices misses, by both of its names. */
  readonly names: ReadonlySet<string>;
  /** When the packages were read that are known for the longest time; null where none are. */
  readonly oldest: Instant | null;
};

/** Those of the candidates that miss what is sought, by name, as far as their packages are known. */
export function whoMisses(
  candidates: readonly Candidate[],
  known: ReadonlyMap<DeviceId, MissedEntry>,
  sought: Sought,
): Missing {
  const fits = matcherOf(sought);
  const names = new Set<string>();
  let oldest: Instant | null = null;
  const rows = candidates.flatMap((device) => {
    const entry = known.get(device.id);
    if (entry === undefined) return [];
    if (oldest === null || entry.asOf < oldest) oldest = entry.asOf;
    for (const { name, displayName: shown } of entry.packages) names.add(name).add(shown);
    const packages = entry.packages.filter(fits);
    return packages.length === 0 ? [] : [{ device, packages }];
  });
  const sorted = rows.toSorted(
    (a, b) => compareNames(displayName(a.device), displayName(b.device)) || a.device.id - b.device.id,
  );
  return { rows: sorted, names, oldest };
}

export const SORTS = ['name', 'group', 'severity'] as const;
type Row = {
  readonly line: { readonly groupName: string | null };
  readonly packages: readonly Pick<Missed, 'severity'>[];
};

/** Rows by name in another order: by their groups, those in none last, or by the worst of what they miss. */
export function inOrder<T extends Row>(
  rows: readonly T[],
  sort: (typeof SORTS)[number] = 'name',
): readonly T[] {
  switch (sort) {
    case 'name':
      return rows;
    case 'group':
      return rows.toSorted((a, b) => {
        const [one, other] = [a.line.groupName, b.line.groupName];
        if (one === null || other === null) return Number(one === null) - Number(other === null);
        return compareNames(one, other);
      });
    case 'severity': {
      const worst = ({ packages }: Row) =>
        Math.min(...packages.map(({ severity }) => severityRank(severity)));
      return rows.toSorted((a, b) => worst(a) - worst(b));
    }
  }
}

/** A package by the whole of either of its names. */
function matcherOf(sought: Sought): (item: Missed) => boolean {
  if (sought.kind === 'cve') return (item) => hasCve(item, sought.cve);
  const wanted = fold(sought.name);
  return ({ name, displayName: shown }) => fold(name) === wanted || fold(shown) === wanted;
}

/** Other names that come near, those that hold the words first; what is missing comes before what is installed. */
export function looksFor(
  name: string,
  missing: ReadonlySet<string>,
  installed: Iterable<string>,
): readonly string[] {
  const wanted = fold(name);
  const names = new Set(missing);
  for (const one of installed) {
    if (names.size >= MOST_COMPARED) break;
    names.add(one);
  }
  const others = [...names].filter((one) => fold(one) !== wanted);
  const holding = others.filter((one) => fold(one).includes(wanted)).toSorted(compareNames);
  return [...new Set([...holding, ...nearest(name, others)])].slice(0, OFFERED);
}

const OFFERED = 5;
/** Comparing this many takes some 50 ms, in which nobody else is answered. */
const MOST_COMPARED = 10_000;
