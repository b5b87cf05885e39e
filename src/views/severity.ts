/** Severities in words. */
import type { SeverityCount } from '../fleet/software.ts';
import { joined, literal, type Mrkdwn, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';

/** More kinds than this are only counted. */
const KINDS = 6;

/** The service's word as people write it. */
export function severityWords(severity: string): Mrkdwn {
  return literal(severity.replaceAll('_', ' '), SHOWN.label);
}

/** `3 critical, 2 high, 1 without severity`. */
export function severityCounts(counts: readonly SeverityCount[]): Mrkdwn {
  const shown = counts
    .slice(0, KINDS)
    .map(({ severity, count }) =>
      severity === null ? md`${count} without severity` : md`${count} ${severityWords(severity)}`,
    );
  const left = counts.slice(KINDS).reduce((sum, { count }) => sum + count, 0);
  return joined(left === 0 ? shown : [...shown, md`${left} other`], ', ');
}
