/** What an approver sees of the packages that a command installs. Pure. */
import type { Package } from '../model/resources.ts';

export type PackageFacts = Pick<Package, 'name' | 'version' | 'severity' | 'cves' | 'requiresReboot'>;

/** The names of these packages, and what is known of each: what {@link AdditionalFacts} take. */
export function packageFacts(items: readonly PackageFacts[]): {
  readonly missing: readonly string[];
  readonly packages?: readonly PackageFacts[];
} {
  const packages = items.map(
    ({ name, version, severity, cves, requiresReboot }): PackageFacts => ({
      name,
      version,
      severity,
      cves,
      requiresReboot,
    }),
  );
  const missing = [...new Set(packages.map(({ name }) => name))].toSorted();
  return packages.length === 0 ? { missing } : { missing, packages };
}
