/** CVE numbers as people type them. Pure. */

/** The year, then at least four digits (cve.org, "CVE ID syntax"). */
const CVE = /^(?:CVE-)?(\d{4}-\d{4,19})$/i;

/** In the form in which they are listed, such as `CVE-2026-1234`; null for what is none. */
export function readCve(text: string): string | null {
  const number = CVE.exec(text.trim())?.[1];
  return number === undefined ? null : `CVE-${number}`;
}

/** Whether a word is meant as a CVE without `cve:` before it, well written or not. No package is so named. */
export function isBareCve(word: string): boolean {
  return /^CVE-\d/i.test(word.trim());
}
