/** The filter `missing:`: devices that miss a package, a patch for a CVE, or any patch of a severity. Pure. */
import { SEVERITIES } from '../../fleet/model/derived-fields.ts';
import type { MissingPatchFacts } from '../../inventory/missing-patches/missing-patch-index.ts';
import { nearestNames } from '../../inventory/nearest-names.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { type MissingTarget, packageMatcher, readMissingTarget } from '../parser/missing-target.ts';
import type { DeviceFilter, DeviceMatcher } from './device-filters.ts';

/** What devices miss, as far as it is known. */
export type MissingPackages = {
  readonly of: ReadonlyMap<DeviceId, readonly MissingPatchFacts[]>;
  /** Nothing that matters is left to be read. */
  readonly isWhole: boolean;
  /** Whether a device is known to have a package of this name, installed or missing. */
  readonly hasName: (name: string) => boolean;
};

/** The name of a package that no device misses, which may be mistyped. */
export type UnknownPackage = {
  readonly kind: 'package';
  readonly key: 'missing';
  readonly value: string;
  readonly nearest: readonly string[];
  /** Devices whose packages were looked at. */
  readonly devices: number;
};

/** Whether one of the filters needs to know what is missing. */
export function asksForMissing(filters: readonly Pick<DeviceFilter, 'key'>[]): boolean {
  return filters.some(({ key }) => key === 'missing');
}

/** The filters that leave at least the same devices without knowing what is missing. */
export function withoutMissing(filters: readonly DeviceFilter[]): readonly DeviceFilter[] {
  const clauses: DeviceFilter[][] = [];
  for (const filter of filters) {
    const last = clauses.at(-1);
    if (filter.or === true && last !== undefined) last.push(filter);
    else clauses.push([filter]);
  }
  return clauses.filter((clause) => !asksForMissing(clause)).flat();
}

/** What the devices that pass the filters miss by them. */
export function soughtBy(filters: readonly DeviceFilter[]): readonly MissingTarget[] {
  return filters.flatMap(({ key, value, negated }) =>
    key === 'missing' && !negated ? readMissingTarget(value) : [],
  );
}

/** By severity, CVE, or either name of a package; the whole name, as `missing` takes it. */
export function missingMatcher(value: string, missing: MissingPackages): DeviceMatcher | UnknownPackage {
  const target = readMissingTarget(value);
  const fits = packageMatcher(target);
  if (target.kind === 'package' && missing.isWhole && missing.of.size > 0 && !missing.hasName(target.name)) {
    const all = [...missing.of.values()].flat();
    if (!all.some(fits)) return unknownPackage(target.name, all, missing.of.size);
  }
  return ({ id }) => missing.of.get(id)?.some(fits) === true;
}

/** Comparing this many takes about 50 ms, which blocks other answers. */
const MAX_COMPARED = 10_000;

function unknownPackage(value: string, all: readonly MissingPatchFacts[], devices: number): UnknownPackage {
  const names = new Set([...SEVERITIES, ...all.flatMap(({ name, displayName }) => [name, displayName])]);
  const nearest = nearestNames(value, [...names].slice(0, MAX_COMPARED));
  return { kind: 'package', key: 'missing', value, nearest, devices };
}
