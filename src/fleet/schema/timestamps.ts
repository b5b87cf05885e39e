/**
 * All timestamp formats that the service sends, as UTC, and the day format of its queries. Pure: independent of the
 * machine's time zone.
 */
import { UTCDate } from '@date-fns/utc';
import { lightFormat } from 'date-fns/lightFormat';
import { type Instant, instant } from '../../lib/clock.ts';

/**
 * `2022-04-29T05:57:43+0000`, `2026-06-05T04:09:06.123Z`, `2021-12-16 06:20:38.153713`, `2023-04-14 16:05`.
 * Assumption (§2.8): a time without a zone is UTC; the interface does not say, a public client does.
 */
const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s?(Z|UTC|([+-])(\d{2}):?(\d{2}))?$/i;

/**
 * `12/25/2024 8:34:32 AM`: how Windows in US English writes the last logon of some devices.
 * Assumption (§2.3): AM and PM are written with the month first.
 */
const US_TIMESTAMP = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\s(1[0-2]|0?[1-9]):(\d{2})(?::(\d{2}))?\s?([AP])M$/i;

/** Earlier years are zero dates ("never"), not times. */
const EARLIEST_YEAR = 1970;

/** The time that `text` names, to the millisecond; null when it can't be read. */
export function parseInstant(text: string | null): Instant | null {
  return text === null ? null : (parseCommonForm(text) ?? parseAnyForm(text) ?? parseUsForm(text));
}

/**
 * Reads the formats that devices and events nearly always have digit by digit: a list of 100,000 devices has 800,000
 * times, and the regular expression takes ten times as long. Null for every other format.
 */
function parseCommonForm(text: string): Instant | null {
  const separated = text[4] === '-' && text[7] === '-' && text[13] === ':' && text[16] === ':';
  if (!separated || (text[10] !== 'T' && text[10] !== ' ') || !endsInUtc(text)) return null;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const utc = utcMilliseconds(
    year,
    month,
    day,
    twoDigits(text, 11),
    twoDigits(text, 14),
    twoDigits(text, 17),
  );
  return utc === null ? null : instant(utc);
}

/** Whether the text ends after the seconds, or with UTC. */
function endsInUtc(text: string): boolean {
  if (text.length === 24) return text.endsWith('+0000');
  return text.length === 19 || (text.length === 20 && text.endsWith('Z'));
}

/** NaN when they are not digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function parseAnyForm(text: string): Instant | null {
  const match = TIMESTAMP.exec(text.trim());
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, , sign, zoneHour, zoneMinute] = match;
  const [h, m, s] = [Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)];
  const utc = utcMilliseconds(Number(year), Number(month), Number(day), h, m, s);
  if (utc === null) return null;
  const milliseconds = Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
  const offsetMinutes = Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0);
  return instant(utc + milliseconds - (sign === '-' ? -1 : 1) * offsetMinutes * 60_000);
}

function parseUsForm(text: string): Instant | null {
  const match = US_TIMESTAMP.exec(text.trim());
  if (match === null) return null;
  const [, month, day, year, hour, minute, second, half] = match;
  const hours = (Number(hour) % 12) + (half?.toUpperCase() === 'P' ? 12 : 0);
  const utc = utcMilliseconds(
    Number(year),
    Number(month),
    Number(day),
    hours,
    Number(minute),
    Number(second ?? 0),
  );
  return utc === null ? null : instant(utc);
}

/** Null when a field is not a number or is out of range, such as 30 February. */
function utcMilliseconds(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | null {
  const inRange =
    year >= EARLIEST_YEAR && month >= 1 && month <= 12 && hour <= 23 && minute <= 59 && second <= 59;
  if (!inRange || !(day >= 1 && day <= daysIn(month, year))) return null;
  return daysSince1970(year, month, day) * 86_400_000 + ((hour * 60 + minute) * 60 + second) * 1_000;
}

/** Days before each month of a non-leap year, and before the next year. */
const DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];

function daysIn(month: number, year: number): number {
  const days = (DAYS_BEFORE[month] ?? 0) - (DAYS_BEFORE[month - 1] ?? 0);
  return month === 2 && isLeap(year) ? days + 1 : days;
}

function daysSince1970(year: number, month: number, day: number): number {
  const leapDay = month > 2 && isLeap(year) ? 1 : 0;
  const years = (year - 1970) * 365 + leapDaysBefore(year) - LEAP_DAYS_BEFORE_1970;
  return years + (DAYS_BEFORE[month - 1] ?? 0) + leapDay + day - 1;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

const LEAP_DAYS_BEFORE_1970 = 477;

function leapDaysBefore(year: number): number {
  const last = year - 1;
  return Math.floor(last / 4) - Math.floor(last / 100) + Math.floor(last / 400);
}

const STATES_ZONE = /(Z|UTC|[+-]\d{2}:?\d{2})\s*$/i;
const DEVICE_ZONE = /^UTC([+-])(\d{2}):?(\d{2})$/;

/**
 * A time that an agent writes by the clock of its device: in the device's zone (`UTC-0800`) unless it states another.
 * Assumption (§2.3): a published device in `UTC-0800` has a logon at `1:34:28 AM` and a check-in at 09:35 UTC.
 */
export function parseDeviceInstant(text: string | null, deviceZone: string | null): Instant | null {
  const at = parseInstant(text);
  if (at === null || text === null || STATES_ZONE.test(text)) return at;
  const [, sign, hours, minutes] = DEVICE_ZONE.exec(deviceZone ?? '') ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return instant(sign === '-' ? at + offset : at - offset);
}

/** The UTC day of `at` as `startDate` and `endDate` expect it (§4.9): `yyyy-mm-dd`. */
export function utcDayText(at: Instant): string {
  return lightFormat(new UTCDate(at), 'yyyy-MM-dd');
}

/** Reads the date format of HTTP headers, always GMT (RFC 9110 5.6.7). */
export function parseHttpDate(text: string): Instant | null {
  if (!text.trim().endsWith('GMT')) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : instant(at);
}
