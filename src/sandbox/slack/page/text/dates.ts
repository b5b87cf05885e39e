/** Times as Slack shows them, in the viewer's zone; "today" follows the sandbox's clock, not the machine's. */

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const full = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long' });
const weekdayAndMonth = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long' });
const short = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric' });
const numeric = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' });
const monthAndDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric' });
const ago = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

const DAY = 86_400_000;
/** The largest instant of a Date (ECMAScript, "Time Values and Time Range"). */
const FURTHEST = 8.64e15;
/** The year is left out of a date that is less than six months away. */
const MONTHS_WITHOUT_YEAR = 6;

const isInstant = (ms: number) => Number.isFinite(ms) && Math.abs(ms) <= FURTHEST;

/** A message's `ts` is seconds with a fraction. */
export const tsToMs = (ts: string) => Number.parseFloat(ts) * 1000;

export const showTime = (ms: number) => (isInstant(ms) ? time.format(ms) : '');

export const showFull = (ms: number) => (isInstant(ms) ? full.format(ms) : '');

/** "Fri, Nov 20 · 14:03" */
export const dayAndTime = (ms: number) => (isInstant(ms) ? `${weekday.format(ms)} · ${time.format(ms)}` : '');

/** The day in the viewer's zone, as a key. */
export const dayKey = (ms: number) => (isInstant(ms) ? numeric.format(ms) : '');

/** "Today", "Yesterday" or "Friday, November 20th": the divider between days. */
export function showDay(ms: number, now: number) {
  if (!isInstant(ms)) return '';
  const pretty = relativeDay(ms, now);
  return pretty ? pretty.charAt(0).toUpperCase() + pretty.slice(1) : longDay(ms);
}

/** Of docs.slack.dev/messaging/formatting-message-text#date-formatting, those that the app uses. */
const tokens: Readonly<Record<string, ((ms: number, now: number) => string) | undefined>> = {
  date_short: shortDay,
  date_short_pretty: (ms, now) => relativeDay(ms, now) ?? shortDay(ms, now),
  time: (ms) => time.format(ms),
  ago: (ms, now) => relative(ms - now),
};

/** Replaces the tokens of `<!date^…^format|fallback>`; `null` for an invalid time. */
export function formatDate(seconds: number, format: string, now: number): string | null {
  const ms = seconds * 1000;
  if (!isInstant(ms)) return null;
  return format.replace(/\{(\w+)\}/g, (whole, token) => tokens[token]?.(ms, now) ?? whole);
}

/** "Feb 18, 2014" */
function shortDay(ms: number, now: number) {
  const monthsAway = (months: number) => new Date(now).setMonth(new Date(now).getMonth() + months);
  const isNear = ms > monthsAway(-MONTHS_WITHOUT_YEAR) && ms < monthsAway(MONTHS_WITHOUT_YEAR);
  return (isNear ? monthAndDay : short).format(ms);
}

/** "Tuesday, February 18th" */
function longDay(ms: number) {
  const parts = weekdayAndMonth.formatToParts(ms);
  const part = (type: string) => parts.find((each) => each.type === type)?.value;
  return `${part('weekday')}, ${part('month')} ${ordinal(new Date(ms).getDate())}`;
}

function ordinal(day: number) {
  const isTeen = day > 10 && day < 14;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

function relativeDay(ms: number, now: number) {
  const day = dayKey(ms);
  if (day === dayKey(now)) return 'today';
  if (day === dayKey(now - DAY)) return 'yesterday';
  return day === dayKey(now + DAY) ? 'tomorrow' : null;
}

/** A distance in milliseconds; negative: in the past. */
function relative(distance: number) {
  const size = Math.abs(distance);
  if (size < 60_000) return ago.format(Math.round(distance / 1000), 'second');
  if (size < 3_600_000) return ago.format(Math.round(distance / 60_000), 'minute');
  if (size < DAY) return ago.format(Math.round(distance / 3_600_000), 'hour');
  return ago.format(Math.round(distance / DAY), 'day');
}
