/** Severities in words. */
import type { SeverityCount } from '../../fleet/model/package-state.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';

/** More kinds than this are only counted. */
const KINDS = 6;

/** The service's word as people write it. */
export function severityText(severity: string): Mrkdwn {
  return escapeMrkdwn(severity.replaceAll('_', ' '), DISPLAY_LIMIT.label);
}

/** `3 critical, 2 high, 1 without severity`. */
export function severityCountsText(counts: readonly SeverityCount[]): Mrkdwn {
  const listed = counts
    .slice(0, KINDS)
    .map(({ severity, count }) =>
      severity === null ? md`${count} without severity` : md`${count} ${severityText(severity)}`,
    );
  const left = counts.slice(KINDS).reduce((sum, { count }) => sum + count, 0);
  return joinMrkdwn(left === 0 ? listed : [...listed, md`${left} other`], ', ');
}

/** Sizes in plain units. */

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

/**
 * Such as `465 GB` or `1.8 TB`. A KB is 1,024 bytes, as memory is sold and Windows counts disks; what is no size is
 * said to be unknown.
 */
export function bytesText(size: number | null): Mrkdwn {
  if (size === null || !Number.isFinite(size) || size < 0) return md`size unknown`;
  if (size === 1) return md`1 byte`;
  const power = size < 1 ? 0 : Math.min(Math.floor(Math.log2(size) / 10), UNITS.length - 1);
  const number = size / 1_024 ** power;
  const rounded = number < 10 && power > 0 ? Math.round(number * 10) / 10 : Math.round(number);
  return trustedMrkdwn(`${rounded} ${UNITS[power] ?? ''}`);
}
