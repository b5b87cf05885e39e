/** When a policy runs, in words, from the bits of its schedule. Pure. */
import { DAYS, MONTHS, type PolicySchedule, setBits, WEEKDAYS, WEEKS } from '../../fleet/model/policy.ts';
import { joinWithAnd } from '../../lib/text.ts';
import { escapeMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';

/** Such as `Monday to Friday at 2:00 AM, in the first and third week of the month, in May`; null where no schedule is stated. */
export function scheduleText({
  days,
  weeksOfMonth,
  months,
  time,
}: Omit<PolicySchedule, 'timezone'>): Mrkdwn | null {
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
