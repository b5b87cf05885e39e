/** Times as Slack shows them, in the viewer's zone; "today" follows the sandbox's clock, not the machine's. */

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const timeSeconds = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const full = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long' });
const parts = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
});
const short = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric' });
const numeric = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' });
const slash = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'numeric', day: 'numeric' });
const monthAndDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const dateFull = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric' });
const ago = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

const DAY = 86_400_000;
/** The largest instant of a Date (ECMAScript, "Time Values and Time Range"). */
const FURTHEST = 8.64e15;

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
  if (pretty) return pretty.charAt(0).toUpperCase() + pretty.slice(1);
  return withoutYear(ms);
}

type DateTokens = Readonly<Record<string, ((ms: number, now: number) => string) | undefined>>;

/** Replaces the tokens of `<!date^…^format|fallback>`; `null` for an invalid time. */
export function formatDate(seconds: number, format: string, now: number, known = tokens): string | null {
  const ms = seconds * 1000;
  if (!isInstant(ms)) return null;
  return format.replace(/\{(\w+)\}/g, (whole, token) => known[token]?.(ms, now) ?? whole);
}

/** The time at which a clock of the viewer shows what one in that zone shows now; the same for an unknown zone. */
export function asSeenIn(timezone: string | undefined, ms: number): number {
  if (timezone === undefined || !isInstant(ms)) return ms;
  try {
    // The Swedish form is the one that Date.parse reads, as local time.
    return Date.parse(new Date(ms).toLocaleString('sv-SE', { timeZone: timezone }));
  } catch {
    return ms;
  }
}

/**
 * The tokens of docs.slack.dev/messaging/formatting-message-text#date-formatting, and the additional ones of the rich
 * text block.
 */
const tokens: DateTokens = {
  date_num: (ms) => numeric.format(ms),
  date: medium,
  date_short: shorter,
  date_long: longer,
  date_long_full: (ms) => dateFull.format(ms),
  date_slash: (ms) => slash.format(ms),
  date_pretty: (ms, now) => relativeDay(ms, now) ?? medium(ms, now),
  date_short_pretty: (ms, now) => relativeDay(ms, now) ?? shorter(ms, now),
  date_long_pretty: (ms, now) => relativeDay(ms, now) ?? longer(ms, now),
  day_divider_pretty: (ms, now) => relativeDay(ms, now) ?? withoutThisYear(ms, now),
  time: (ms) => time.format(ms),
  time_secs: (ms) => timeSeconds.format(ms),
  ago: (ms, now) => relative(ms - now),
};

/** Those of rich text whose form is another (docs.slack.dev/reference/block-kit/block-elements/date-element). */
export const RICH_DATE_TOKENS: DateTokens = {
  ...tokens,
  date: fullWithoutYear,
  date_pretty: (ms, now) => relativeDay(ms, now) ?? fullWithoutYear(ms),
};

const isInstant = (ms: number) => Number.isFinite(ms) && Math.abs(ms) <= FURTHEST;

/** The year is left out of a date that is less than six months away. */
const MONTHS_WITHOUT_YEAR = 6;

function isNear(ms: number, now: number) {
  const monthsAway = (months: number) => new Date(now).setMonth(new Date(now).getMonth() + months);
  return ms > monthsAway(-MONTHS_WITHOUT_YEAR) && ms < monthsAway(MONTHS_WITHOUT_YEAR);
}

/** February 18th, 2014 */
function medium(ms: number, now: number) {
  return longer(ms, now).replace(/^\w+, /, '');
}

/** February 18 */
function fullWithoutYear(ms: number) {
  return dateFull.format(ms).replace(/, \d+$/, '');
}

/** Feb 18, 2014 */
function shorter(ms: number, now: number) {
  return (isNear(ms, now) ? monthAndDay : short).format(ms);
}

function longer(ms: number, now: number) {
  return isNear(ms, now) ? withoutYear(ms) : long(ms);
}

/** Tuesday, February 18th, 2014 */
function long(ms: number) {
  const part = Object.fromEntries(parts.formatToParts(ms).map(({ type, value }) => [type, value]));
  return `${part['weekday']}, ${part['month']} ${ordinal(Number(part['day']))}, ${part['year']}`;
}

function withoutThisYear(ms: number, now: number) {
  const isThisYear = dayKey(ms).slice(0, 4) === dayKey(now).slice(0, 4);
  return isThisYear ? withoutYear(ms) : long(ms);
}

function withoutYear(ms: number) {
  return long(ms).replace(/, \d+$/, '');
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
