/** What devices may miss, as people type it: a package, a patch for a CVE, or patches of a severity. Pure. */
import { hasSeverity, SEVERITIES, type Severity } from '../../fleet/model/derived-fields.ts';
import type { Package } from '../../fleet/model/resources.ts';
import { fold } from '../../lib/text.ts';

export type MissingTarget =
  | { readonly kind: 'package'; readonly name: string }
  /** Any of these. */
  | { readonly kind: 'cve'; readonly cves: readonly string[] }
  /** Any of these. */
  | { readonly kind: 'severity'; readonly severities: readonly Severity[] };

type Facts = Pick<Package, 'name' | 'displayName' | 'severity' | 'cves' | 'exploitedCves'>;

/** Whether a package is what is missing; a name is one of its two names as a whole. */
export function packageMatcher(target: MissingTarget): (item: Facts) => boolean {
  switch (target.kind) {
    case 'cve':
      return (item) => target.cves.some((cve) => hasCve(item, cve));
    case 'severity':
      return (item) => hasSeverity(item, target.severities);
    case 'package': {
      const folded = fold(target.name);
      return ({ name, displayName }) => fold(name) === folded || fold(displayName) === folded;
    }
  }
}

/** As people may write it after `missing`, which takes `severity:` and `cve:`. */
const PREFIX = /^(?:severity|cve):/i;

/** What one word stands for: a severity, a CVE, else the name of a package. */
export function readMissingTarget(value: string): MissingTarget {
  const bare = value.replace(PREFIX, '');
  const severity = SEVERITIES.find((known) => known === fold(bare));
  if (severity !== undefined) return { kind: 'severity', severities: [severity] };
  const cve = isBareCve(bare) ? readCve(bare) : null;
  return cve === null ? { kind: 'package', name: value } : { kind: 'cve', cves: [cve] };
}

export function isMalformedCve(value: string): boolean {
  const bare = value.replace(PREFIX, '');
  return isBareCve(bare) && readCve(bare) === null;
}

/** The year, then at least four digits (cve.org, "CVE ID syntax"). */
const CVE = /^(?:CVE-)?(\d{4}-\d{4,19})$/i;

/** In standard form, such as `CVE-2026-1234`; null for other text. */
export function readCve(text: string): string | null {
  const number = CVE.exec(text.trim())?.[1];
  return number === undefined ? null : `CVE-${number}`;
}

/** Whether a word without `cve:` is meant as a CVE, well formed or not. No package has such a name. */
export function isBareCve(word: string): boolean {
  return /^CVE-\d/i.test(word.trim());
}

export function hasCve(
  { cves, exploitedCves }: Pick<Package, 'cves' | 'exploitedCves'>,
  cve: string,
): boolean {
  return [...cves, ...exploitedCves].some((one) => one.toUpperCase() === cve.toUpperCase());
}
