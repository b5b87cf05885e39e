/** Durations as people write them: `90s`, `31m`, `2h`, `1d`, and sums such as `1h30m`. */
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock.ts';

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
/** A longer move would only keep the machine busy. */
const MAX_DURATION_MS = 400 * DAY;

/** Milliseconds; null for text that is no duration, zero, or more than 400 days. */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d{1,9}[smhd]\s*)+$/.test(text.trim())) return null;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)([smhd])/g)) {
    total += Number(count) * (UNITS[unit ?? ''] ?? 0);
  }
  return total > 0 && total <= MAX_DURATION_MS ? total : null;
}
