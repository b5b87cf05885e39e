/** How long a silence lasts, as it is typed: pure. */
import { DAY, HOUR, type Instant, instant, MINUTE } from '../../lib/clock.ts';

/** For so many milliseconds, or until that minute of the day. */
export type SilenceDuration = { readonly for: number } | { readonly untilMinute: number };

/** Our own limit: what is silent for longer is not wanted, and has a subscription to end. */
export const LONGEST_SILENCE_MS = 30 * DAY;

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };
const LENGTH = /^(\d{1,5}) ?(m|min|mins|minutes?|h|hrs?|hours?|d|days?)$/;
const TIME = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/;

/** `2h`, `90 minutes`; null where it is none, or longer than {@link LONGEST_SILENCE_MS}. */
export function readDuration(text: string): SilenceDuration | null {
  const [, count, unit = ''] = LENGTH.exec(text.toLowerCase()) ?? [];
  const ms = Number(count) * (UNITS[unit.slice(0, 1)] ?? Number.NaN);
  return ms > 0 && ms <= LONGEST_SILENCE_MS ? { for: ms } : null;
}

/** `18:00`; null where it is none. */
export function readClockTime(text: string): SilenceDuration | null {
  const [, hours, minutes] = TIME.exec(text) ?? [];
  return hours === undefined ? null : { untilMinute: Number(hours) * 60 + Number(minutes) };
}

/** When it is over: for a time of day the next one in this zone. */
export function silenceEnd(duration: SilenceDuration, now: Instant, zone: string): Instant {
  if ('for' in duration) return instant(now + duration.for);
  const today = dateIn(now, zone);
  for (let day = 0; ; day += 1) {
    const untilMs = Date.UTC(today.year, today.month - 1, today.day + day, 0, duration.untilMinute);
    const end = fromLocal(untilMs, zone);
    // A clock that is set forward may have no such time on one day.
    if (end > now || day > 2) return end;
  }
}

/** The instant at which clocks of the zone show this, given as if it were UTC. */
function fromLocal(local: number, zone: string): Instant {
  let guess = local;
  // The offset there may differ from that of the first guess.
  for (let round = 0; round < 2; round += 1) guess = local - (formatAt(guess, zone) - guess);
  return instant(guess);
}

/** What clocks of the zone show, as if it were UTC; whole minutes. */
function formatAt(at: number, zone: string): number {
  const { year, month, day, hour, minute } = dateIn(instant(at), zone);
  const seconds = ((at % MINUTE) + MINUTE) % MINUTE;
  return Date.UTC(year, month - 1, day, hour, minute) + seconds;
}

function dateIn(at: Instant, timeZone: string) {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(at);
  const number = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return {
    year: number('year'),
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
  };
}
