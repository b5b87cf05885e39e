/** Sizes in plain units. */
import { type Mrkdwn, md, trusted } from './kit/escape.ts';

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

/**
 * Such as `465 GB` or `1.8 TB`. A KB is 1,024 bytes, as memory is sold and Windows counts disks; what is no size is
 * said to be unknown.
 */
export function bytes(size: number | null): Mrkdwn {
  if (size === null || !Number.isFinite(size) || size < 0) return md`size unknown`;
  if (size === 1) return md`1 byte`;
  const power = size < 1 ? 0 : Math.min(Math.floor(Math.log2(size) / 10), UNITS.length - 1);
  const number = size / 1_024 ** power;
  const shown = number < 10 && power > 0 ? Math.round(number * 10) / 10 : Math.round(number);
  return trusted(`${shown} ${UNITS[power] ?? ''}`);
}
