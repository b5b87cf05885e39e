/** Selects and sorts the packages of a device for a query. Pure. */
import {
  hasSeverity,
  type PackageState,
  packageState,
  severityRank,
} from '../../fleet/model/derived-fields.ts';
import type { Package } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import { compareNames, fold } from '../../lib/text.ts';
import { hasCve } from '../parser/cve.ts';
import type { PackageFilter, PackageQuery } from './package-filters.ts';

/** Packages that need action come first. */
const STATE_OF_FILTER: readonly PackageState[] = ['missing', 'deferred', 'ignored', 'installed'];

type Matcher = (item: Package) => boolean;

/**
 * The packages that contain every word and pass every filter. Several filters of one key mean any of them. Without a
 * state, a name or a CVE, the packages that are not installed are shown.
 */
export function selectPackages(
  rows: readonly Package[],
  { words, filters, sort }: PackageQuery,
  now: Instant,
): readonly Package[] {
  const all: Matcher[] = words.map((word) => hasWord(fold(word)));
  for (const [, ofKey] of Map.groupBy(filters, ({ key }) => key)) {
    const [required, excluded] = [ofKey.filter((one) => !one.negated), ofKey.filter((one) => one.negated)];
    if (required.length > 0) all.push((item) => required.some((one) => passesFilter(one, item, now)));
    all.push((item) => !excluded.some((one) => passesFilter(one, item, now)));
  }
  const namesState = filters.some(({ key }) => key === 'is');
  const looksFor = words.length > 0 || filters.some(({ key }) => key === 'cve');
  if (!namesState && !looksFor) all.push((item) => !item.installed);
  return rows.filter((item) => all.every((fits) => fits(item))).toSorted(packageOrder(sort, now));
}

function hasWord(word: string): Matcher {
  return ({ name, displayName, version }) =>
    [name, displayName, version ?? ''].some((text) => fold(text).includes(word));
}

function passesFilter({ key, value }: PackageFilter, item: Package, now: Instant): boolean {
  switch (key) {
    case 'is':
      if (value === 'all') return true;
      return value === 'pending' ? !item.installed : packageState(item, now) === value;
    case 'severity':
      if (value === 'unstated') return item.severity === null || item.severity === '';
      return hasSeverity(item, [value === 'none' ? 'no_known_cves' : value]);
    case 'cve':
      return hasCve(item, value);
  }
}

function packageOrder(sort: PackageQuery['sort'], now: Instant): (a: Package, b: Package) => number {
  const byState = (a: Package, b: Package) => stateRank(a, now) - stateRank(b, now);
  const bySeverity = (a: Package, b: Package) => severityRank(a.severity) - severityRank(b.severity);
  const byName = (a: Package, b: Package) => compareNames(a.displayName, b.displayName) || a.id - b.id;
  switch (sort) {
    case null:
      return (a, b) => byState(a, b) || bySeverity(a, b) || byName(a, b);
    case 'severity':
      return (a, b) => bySeverity(a, b) || byState(a, b) || byName(a, b);
    case 'name':
      return byName;
    case 'installed':
      return (a, b) => Number(b.installed) - Number(a.installed) || byState(a, b) || byName(a, b);
  }
}

function stateRank(item: Package, now: Instant): number {
  return STATE_OF_FILTER.indexOf(packageState(item, now));
}
