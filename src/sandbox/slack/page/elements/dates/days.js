/** Days as `YYYY-MM-DD`, Slack's format; a day has no zone, so the arithmetic uses UTC. */

const DAY = 86_400_000;
const FORM = /^\d{4}-\d{2}-\d{2}$/;

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });
const button = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const heading = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** @param {string} day */
const toMs = (day) => Date.parse(`${day}T00:00:00Z`);

/** @param {number} ms */
const fromMs = (ms) => new Date(ms).toISOString().slice(0, 10);

/** @param {string | null | undefined} day @returns {day is string} */
export const isDay = (day) => typeof day === 'string' && FORM.test(day) && Number.isFinite(toMs(day));

/** @param {string} day @param {number} count */
export const addDays = (day, count) => fromMs(toMs(day) + count * DAY);

/** The same day of another month, or that month's last day. @param {string} day @param {number} count */
export function addMonths(day, count) {
  const from = new Date(toMs(day));
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + count, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return fromMs(first.getTime() + (Math.min(from.getUTCDate(), last) - 1) * DAY);
}

/** @param {string} day 0 is Sunday */
export const weekdayOf = (day) => new Date(toMs(day)).getUTCDay();

/** "Friday, November 20, 2026" @param {string} day */
export const dayInFull = (day) => dayFormat.format(toMs(day));

/** "November 20, 2026" @param {string} day */
export const dayInShort = (day) => button.format(toMs(day));

/** "November 2026" @param {string} day */
export const monthOf = (day) => heading.format(toMs(day));

/** The weeks that contain the days of this month, starting on Sundays. @param {string} day */
export function weeksOf(day) {
  const first = `${day.slice(0, 8)}01`;
  const start = addDays(first, -weekdayOf(first));
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_unused, at) => addDays(start, week * 7 + at)),
  ).filter((week) => week.some((each) => each.slice(0, 7) === day.slice(0, 7)));
}
