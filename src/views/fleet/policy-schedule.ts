/** When a policy runs, in words, from the bits of its schedule. Pure. */
import type { PolicySchedule } from '../../fleet/model/policy.ts';
import { escapeMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';

/**
 * Bits as the live service has them ("management API in practice" 9): the lowest is unused, then one for each day
 * from Monday, each week of the month, each month from January.
 */
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const WEEKS = ['first', 'second', 'third', 'fourth', 'fifth'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
/** Monday to Friday. */
const WEEKDAYS = 62;

/** Such as `Monday to Friday at 2:00 AM, in the first and third week of the month, in May`; null where no schedule is stated. */
export function scheduleText({ days, weeksOfMonth, months, time }: PolicySchedule): Mrkdwn | null {
  if (days === null && weeksOfMonth === null && months === null) return null;
  if (days === 0) return md`No scheduled days`;
  return md`${daysText(days)}${timeText(time)}${weeksText(weeksOfMonth)}${monthsText(months)}`;
}

function daysText(days: number | null): Mrkdwn {
  if (days === null) return md`On unknown days`;
  if (days === WEEKDAYS) return md`Monday to Friday`;
  const named = setBits(days, DAYS);
  if (named === null) return md`On unrecognized days (${days})`;
  return named.length === DAYS.length ? md`Every day` : trustedMrkdwn(joinWithAnd(named));
}

function timeText(time: string | null): Mrkdwn {
  return time === null || time === ''
    ? md``
    : md` at ${escapeMrkdwn(clockTime(time) ?? time, DISPLAY_LIMIT.label)}`;
}

/** `02:00` as `2:00 AM`; null for text that is not a time of day. */
function clockTime(time: string): string | null {
  const [, hours = '', minutes = ''] = /^([01]?\d|2[0-3]):([0-5]\d)(?::00)?$/.exec(time) ?? [];
  if (hours === '') return null;
  const hour = Number(hours);
  return `${hour % 12 === 0 ? 12 : hour % 12}:${minutes} ${hour < 12 ? 'AM' : 'PM'}`;
}

function weeksText(weeks: number | null): Mrkdwn {
  if (weeks === null) return md``;
  const named = setBits(weeks, WEEKS);
  if (named === null) return md`, in unrecognized weeks (${weeks})`;
  if (named.length === 0) return md`, in no week`;
  if (named.length === WEEKS.length) return md``;
  return md`, in the ${trustedMrkdwn(joinWithAnd(named))} week of the month`;
}

function monthsText(months: number | null): Mrkdwn {
  if (months === null) return md``;
  const named = setBits(months, MONTHS);
  if (named === null) return md`, in unrecognized months (${months})`;
  if (named.length === 0) return md`, in no month`;
  return named.length === MONTHS.length ? md`` : md`, in ${trustedMrkdwn(joinWithAnd(named))}`;
}

/** The names whose bits are set; null where unknown bits are set. */
function setBits(mask: number, names: readonly string[]): readonly string[] | null {
  const all = 2 ** (names.length + 1) - 2;
  if (!Number.isInteger(mask) || mask < 0 || mask > all || mask % 2 === 1) return null;
  return names.filter((_, at) => (mask & (2 ** (at + 1))) !== 0);
}

function joinWithAnd(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
