/** CVE numbers as people type them, and as packages list them. Pure. */
import type { Package } from '../../fleet/model/resources.ts';

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

/** Whether the package lists the CVE, given in standard form. */
export function hasCve(
  { cves, exploitedCves }: Pick<Package, 'cves' | 'exploitedCves'>,
  cve: string,
): boolean {
  return [...cves, ...exploitedCves].some((one) => one.toUpperCase() === cve.toUpperCase());
}
