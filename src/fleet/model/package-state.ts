/** What a package's fields mean together: its state on the device and how severe it is. Pure. */
import type { Instant } from '../../lib/clock.ts';
import { isMissing, type Package } from './resources.ts';

/** Each package is in one of these; only `missing` should be installed and is not. */
export type PackageState = 'missing' | 'deferred' | 'ignored' | 'installed';

/** The state of a package at this time: a deferral expires. */
export function packageState(item: Package, now: Instant): PackageState {
  if (item.installed) return 'installed';
  if (item.ignored) return 'ignored';
  return isMissing(item, now) ? 'missing' : 'deferred';
}

/** The severities that a person can name, worst first ("management API in practice" 5.2). */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Unknown words of the service rank after the known ones; "not determined" is no word at all. */
const SEVERITY_RANKS: readonly string[] = [...SEVERITIES, 'no_known_cves'];

/** Lower is worse; a missing severity ranks last. */
export function severityRank(severity: string | null): number {
  if (severity === null || severity === '') return SEVERITY_RANKS.length + 1;
  const rank = SEVERITY_RANKS.indexOf(severity.toLowerCase());
  return rank === -1 ? SEVERITY_RANKS.length : rank;
}

export type SeverityCount = { readonly severity: string | null; readonly count: number };

/** Counts packages by severity, worst first; `severity` is null for those without one. */
export function countSeverities(items: readonly Pick<Package, 'severity'>[]): readonly SeverityCount[] {
  const groups = Map.groupBy(items, ({ severity }) => (severity === '' ? null : severity));
  return [...groups]
    .map(([severity, all]) => ({ severity, count: all.length }))
    .toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity));
}

/** Whether the package has one of these severities, in any capitalization. */
export function hasSeverity({ severity }: Pick<Package, 'severity'>, wanted: readonly string[]): boolean {
  return severity !== null && wanted.includes(severity.toLowerCase());
}
