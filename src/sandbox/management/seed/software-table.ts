/** Parses the titles of a family from lines of text, which are easier to read and extend than objects. */
import type { Software, WorldSeverity } from '../world/model.ts';

const SEVERITIES: Readonly<Record<string, WorldSeverity>> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  none: 'no_known_cves',
  '-': null,
};

/**
 * One title a line: `name | display name | version | repo | severity | CVE score and CVEs | reboot`.
 * `none` is `no_known_cves`, `-` stands for null; the last two columns may be missing.
 * Ids count up from `firstId`.
 */
export function parseSoftwareTable(firstId: number, text: string): readonly Software[] {
  return text
    .trim()
    .split('\n')
    .map((line, index) => parseSoftwareLine(firstId + index, line));
}

function parseSoftwareLine(id: number, line: string): Software {
  const cells = line.split('|').map((cell) => cell.trim());
  const [name = '', displayName = '', version = '', repo = '', severity = '', risk = '', reboot = ''] = cells;
  const known = SEVERITIES[severity];
  if (name === '' || known === undefined) throw new Error(`Not a title: ${line}`);
  const [cveScore = '', ...cves] = risk.split(' ');
  return {
    id,
    name,
    displayName: displayName === '-' ? null : displayName,
    version,
    repo,
    severity: known,
    cves,
    cveScore: cveScore === '' ? null : cveScore,
    requiresReboot: reboot === 'reboot',
  };
}
