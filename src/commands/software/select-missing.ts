/** Selects devices that miss a package, from what is known of their packages. Pure. */
import { severityRank } from '../../fleet/model/derived-fields.ts';
import { displayName } from '../../fleet/model/resources.ts';
import type {
  MissingPatchesEntry,
  MissingPatchFacts,
  PatchCandidate,
} from '../../inventory/missing-patches/missing-patch-index.ts';
import { nearestNames } from '../../inventory/nearest-names.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { compareNames, fold } from '../../lib/text.ts';
import type { PatchChoice } from '../../views/models/list-model.ts';
import { type MissingTarget, packageMatcher } from '../parser/missing-target.ts';

export type MissingResult = {
  /** By display name. */
  readonly rows: readonly {
    readonly device: PatchCandidate;
    readonly packages: readonly MissingPatchFacts[];
  }[];
  /** Every package that a device misses, by both of its names. */
  readonly names: ReadonlySet<string>;
};

/** Candidates that miss what is sought, sorted by name, as far as their packages are known. */
export function devicesMissing(
  candidates: readonly PatchCandidate[],
  known: ReadonlyMap<DeviceId, MissingPatchesEntry>,
  target: MissingTarget,
): MissingResult {
  const fits = packageMatcher(target);
  const names = new Set<string>();
  const rows = candidates.flatMap((device) => {
    const entry = known.get(device.id);
    if (entry === undefined) return [];
    for (const { name, displayName: shown } of entry.packages) names.add(name).add(shown);
    const packages = entry.packages.filter(fits);
    return packages.length === 0 ? [] : [{ device, packages }];
  });
  const sorted = rows.toSorted(
    (a, b) => compareNames(displayName(a.device), displayName(b.device)) || a.device.id - b.device.id,
  );
  return { rows: sorted, names };
}

/** What a patch of devices installs that were listed for missing this: severities as such, all else by its packages. */
export function patchChoice(
  sought: readonly MissingTarget[],
  missing: readonly (readonly Pick<MissingPatchFacts, 'name'>[])[],
): PatchChoice {
  const severities = sought.flatMap((one) => (one.kind === 'severity' ? one.severities : []));
  if (severities.length > 0 || sought.length === 0) return { packages: [], severities };
  return { packages: [...new Set(missing.flat().map(({ name }) => name))].toSorted(), severities };
}

export const MISSING_SORTS = ['name', 'group', 'severity'] as const;
type MissingRow = {
  readonly line: { readonly groupName: string | null };
  readonly packages: readonly Pick<MissingPatchFacts, 'severity'>[];
};

/** Sorts rows by group, those without one last, or by the worst severity; equal ones by name. */
export function sortMissingRows<T extends MissingRow>(
  rows: readonly T[],
  sort: (typeof MISSING_SORTS)[number] = 'name',
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
      const worst = ({ packages }: MissingRow) =>
        Math.min(...packages.map(({ severity }) => severityRank(severity)));
      return rows.toSorted((a, b) => worst(a) - worst(b));
    }
  }
}

/** Close names: those that contain the words first, and missing packages before installed ones. */
export function nameSuggestions(
  name: string,
  missing: ReadonlySet<string>,
  installed: Iterable<string>,
): readonly string[] {
  const foldedName = fold(name);
  const names = new Set(missing);
  for (const one of installed) {
    if (names.size >= MAX_COMPARED) break;
    names.add(one);
  }
  const others = [...names].filter((one) => fold(one) !== foldedName);
  const holding = others.filter((one) => fold(one).includes(foldedName)).toSorted(compareNames);
  return [...new Set([...holding, ...nearestNames(name, others)])].slice(0, MAX_SUGGESTIONS);
}

const MAX_SUGGESTIONS = 5;
/** Comparing this many takes about 50 ms, which blocks other answers. */
const MAX_COMPARED = 10_000;
