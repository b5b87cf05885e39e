/** How long a silence lasts, as it is typed: pure. */

import { Cron } from 'croner';
import { z } from 'zod';
import { DAY, HOUR, type Instant, instant, MINUTE, SECOND } from '../../lib/clock.ts';

/** For so many milliseconds, or until that minute of the day. */
export type SilenceDuration = { readonly for: number } | { readonly untilMinute: number };

/** Our own limit: what is silent for longer is not wanted, and has a subscription to end. */
const LONGEST_SILENCE_MS = 30 * DAY;

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

type SilenceEnd = {
  readonly until: Instant;
  /** The time of day that was asked for, where clocks skip it on that day: it ends right after the gap. */
  readonly skipped: string | null;
};

/**
 * When it is over. A time of day is the next one in this zone: of a time that comes twice the first that is still to come,
 * of one that is skipped the first moment after it.
 */
export function silenceEnd(duration: SilenceDuration, now: Instant, zone: string): SilenceEnd {
  if ('for' in duration) return { until: instant(now + duration.for), skipped: null };
  const { untilMinute } = duration;
  const time = `${untilMinute % 60} ${Math.floor(untilMinute / 60)} * * *`;
  // Croner moves a single time out of a gap and takes a repeated one once; with a range of seconds it does neither.
  const moved = nextRun(`0 ${time}`, now, zone);
  const shown = nextRun(`0-1 ${time}`, now, zone);
  return moved < shown
    ? { until: moved, skipped: clockTimeText(untilMinute) }
    : { until: shown, skipped: null };
}

/** From the end of this minute on, so that the second of a range is never the next one. */
function nextRun(pattern: string, now: Instant, timezone: string): Instant {
  const lastSecond = Math.floor(now / MINUTE) * MINUTE + MINUTE - SECOND;
  const next = new Cron(pattern, { timezone }).nextRun(new Date(lastSecond));
  if (next === null) throw new Error(`no time for ${pattern} in ${timezone}`);
  return instant(next.getTime());
}

/** As it is typed: `02:30`. */
export function clockTimeText(minuteOfDay: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`;
}

export const durationSchema = z.union([
  z.object({ for: z.int().positive().max(LONGEST_SILENCE_MS) }),
  z.object({ untilMinute: z.int().min(0).max(1_439) }),
]);

export const durationLabel = (duration: SilenceDuration | null): string =>
  labelOf(duration === null ? DEFAULT_LENGTH : durationText(duration));

/** As it would be typed: a duration or a time of day. */
export function durationText(duration: SilenceDuration): string {
  if ('for' in duration) {
    const { for: ms } = duration;
    if (ms % DAY === 0) return `${ms / DAY}d`;
    return ms % HOUR === 0 ? `${ms / HOUR}h` : `${Math.ceil(ms / MINUTE)}m`;
  }
  return clockTimeText(duration.untilMinute);
}

const UNIT_NAMES = [
  ['m', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
] as const;

export function labelOf(text: string): string {
  const unit = UNIT_NAMES.find(([letter]) => text.endsWith(letter));
  if (unit === undefined) return `Until ${text}`;
  const count = Number(text.slice(0, -1));
  return `${count} ${unit[1]}${count === 1 ? '' : 's'}`;
}

export const DEFAULT_LENGTH = '2h';
