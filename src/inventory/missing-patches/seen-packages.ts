/**
 * Names and CVEs of every package that was read, including installed ones: this tells packages that no device has
 * from packages that no device lacks.
 */
import type { Package } from '../../fleet/model/resources.ts';
import { fold } from '../../lib/text.ts';

export type SeenPackages = {
  /** By either name, in any capitalization. */
  readonly hasName: (name: string) => boolean;
  readonly hasCve: (cve: string) => boolean;
  readonly names: () => Iterable<string>;
};

export type SeenPackagesIndex = SeenPackages & {
  readonly add: (
    packages: readonly Pick<Package, 'name' | 'displayName' | 'cves' | 'exploitedCves'>[],
  ) => void;
  /** Whether all of them fitted. */
  readonly isComplete: () => boolean;
};

/** A large mixed fleet has some ten thousand different packages, at about 100 bytes each. */
const MAX_NAMES = 100_000;
const MAX_CVES = 100_000;

export function createSeenPackages(): SeenPackagesIndex {
  const names = new Map<string, string>();
  const cves = new Set<string>();
  /** Names as they were sent: folding every name of every device again would block others. */
  const seenNames = new Set<string>();
  let complete = true;

  const addName = (name: string): void => {
    if (name === '' || seenNames.has(name)) return;
    if (seenNames.size >= MAX_NAMES) {
      complete = false;
      return;
    }
    seenNames.add(name);
    names.set(fold(name), name);
  };
  const addCve = (cve: string): void => {
    if (cves.size < MAX_CVES) cves.add(cve.toUpperCase());
    else complete &&= cves.has(cve.toUpperCase());
  };
  return {
    add(packages) {
      for (const item of packages) {
        addName(item.name);
        addName(item.displayName);
        for (const cve of item.cves) addCve(cve);
        for (const cve of item.exploitedCves) addCve(cve);
      }
    },
    isComplete: () => complete,
    hasName: (name) => names.has(fold(name)),
    hasCve: (cve) => cves.has(cve.toUpperCase()),
    names: () => names.values(),
  };
}
