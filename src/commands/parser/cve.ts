/** CVE numbers as people type them. Pure. */

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
