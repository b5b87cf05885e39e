/** What a package's fields mean together: its state on the device and how severe it is. Pure. */
import type { Instant } from '../../lib/clock.ts';
import { isMissing, type Package } from './resources.ts';

/** Each package is in one of these; only `missing` should be installed and is not. */
export type PackageState = 'missing' | 'deferred' | 'ignored' | 'installed';

/** Where a package stands on a device at this time: a deferral ends by itself. */
export function packageState(item: Package, now: Instant): PackageState {
  if (item.installed) return 'installed';
  if (item.ignored) return 'ignored';
  return isMissing(item, now) ? 'missing' : 'deferred';
}

/** The severities that can be asked for, worst first ("management API in practice" 5.2). */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Words of the service that we do not know come after those that we do; not determined is no word at all. */
const SEVERITY_RANKS: readonly string[] = [...SEVERITIES, 'no_known_cves'];

/** The smaller the worse; what is not stated comes last. */
export function severityRank(severity: string | null): number {
  if (severity === null || severity === '') return SEVERITY_RANKS.length + 1;
  const rank = SEVERITY_RANKS.indexOf(severity.toLowerCase());
  return rank === -1 ? SEVERITY_RANKS.length : rank;
}

/** How many of each severity, worst first; null counts those of which the service says none. */
export type SeverityCount = { readonly severity: string | null; readonly count: number };

/** How many there are of each severity, worst first; null for those of which none is stated. */
export function countSeverities(items: readonly Pick<Package, 'severity'>[]): readonly SeverityCount[] {
  const groups = Map.groupBy(items, ({ severity }) => (severity === '' ? null : severity));
  return [...groups]
    .map(([severity, all]) => ({ severity, count: all.length }))
    .toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity));
}

/** Whether the package is of one of these severities, whatever way the service writes it. */
export function hasSeverity({ severity }: Pick<Package, 'severity'>, wanted: readonly string[]): boolean {
  return severity !== null && wanted.includes(severity.toLowerCase());
}
