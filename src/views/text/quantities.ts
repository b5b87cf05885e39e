/** Severities and sizes as text. */
import type { SeverityCount } from '../../fleet/model/derived-fields.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';

/** Severities listed by name; the others are counted together. */
const KINDS = 6;

/** The service's word with spaces in place of underscores, and “CVEs” as people write it. */
export function severityText(severity: string): Mrkdwn {
  return escapeMrkdwn(severity.replaceAll('_', ' ').replace(/\bcves\b/, 'CVEs'), DISPLAY_LIMIT.label);
}

/** Such as `3 critical, 2 high, 1 without severity`. */
export function severityCountsText(counts: readonly SeverityCount[]): Mrkdwn {
  const listed = counts
    .slice(0, KINDS)
    .map(({ severity, count }) =>
      severity === null ? md`${count} without severity` : md`${count} ${severityText(severity)}`,
    );
  const left = counts.slice(KINDS).reduce((sum, { count }) => sum + count, 0);
  return joinMrkdwn(left === 0 ? listed : [...listed, md`${left} other`], ', ');
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

/**
 * A size in bytes, such as `465 GB` or `1.8 TB`. A KB is 1,024 bytes, as memory is sold and as Windows counts disks.
 * `size unknown` for null, negative and infinite values.
 */
export function bytesText(size: number | null): Mrkdwn {
  if (size === null || !Number.isFinite(size) || size < 0) return md`size unknown`;
  if (size === 1) return md`1 byte`;
  const power = size < 1 ? 0 : Math.min(Math.floor(Math.log2(size) / 10), UNITS.length - 1);
  const number = size / 1_024 ** power;
  const rounded = number < 10 && power > 0 ? Math.round(number * 10) / 10 : Math.round(number);
  return trustedMrkdwn(`${rounded} ${UNITS[power] ?? ''}`);
}
