/** Every form of timestamp that the service sends, as UTC, and the day text that its queries take. Pure: no zone of the machine. */
import { UTCDate } from '@date-fns/utc';
import { lightFormat } from 'date-fns/lightFormat';
import { type Instant, instant } from '../clock.ts';

/**
 * `2022-04-29T05:57:43+0000`, `2026-06-05T04:09:06.123Z`, `2021-12-16 06:20:38.153713`, `2023-04-14 16:05`.
 * Assumption (§2.8): a time without a zone is UTC; the interface does not say, a public client does.
 */
const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s?(Z|UTC|([+-])(\d{2}):?(\d{2}))?$/i;

/** Years before this one are zero dates ("never"), not times. */
const EARLIEST_YEAR = 1970;

/** The point in time that `text` names, to the millisecond; null where it cannot be read. */
export function parseInstant(text: string | null): Instant | null {
  const match = text === null ? null : TIMESTAMP.exec(text.trim());
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, , sign, zoneHour, zoneMinute] = match;
  const fields = [year, month, day, hour, minute, second].map((part) => Number(part ?? 0));
  const utc = utcMilliseconds(fields);
  if (utc === null) return null;
  const milliseconds = Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
  const offsetMinutes = Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0);
  return instant(utc + milliseconds - (sign === '-' ? -1 : 1) * offsetMinutes * 60_000);
}

/** Null where a field is out of range, such as a 30th of February: `Date.UTC` would roll it over. */
function utcMilliseconds(fields: readonly number[]): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields;
  if (year < EARLIEST_YEAR || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return null;
  const daysInMonth = (Date.UTC(year, month, 1) - Date.UTC(year, month - 1, 1)) / 86_400_000;
  if (day < 1 || day > daysInMonth) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The UTC day of `at` as `startDate` and `endDate` take it (§4.9): `yyyy-mm-dd`. */
export function dayText(at: Instant): string {
  return lightFormat(new UTCDate(at), 'yyyy-MM-dd');
}

/** The date form of HTTP headers, always GMT (RFC 9110 5.6.7). */
export function parseHttpDate(text: string): Instant | null {
  if (!text.trim().endsWith('GMT')) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : instant(at);
}
