/** Times, shown in each reader's own zone. */
import type { Instant } from '../../lib/clock.ts';
import { type Mrkdwn, md, trustedMrkdwn } from './escape.ts';

/** Largest magnitude of a date in milliseconds (ECMA-262, time values). */
const MAX_TIME = 8.64e15;
const UTC = new Intl.DateTimeFormat('sv-SE', { timeZone: 'UTC', dateStyle: 'short', timeStyle: 'short' });

/** How clients draw a time, such as “today at 9:00 AM” or “Nov 20, 2026 at 9:00 AM”. */
const FORMAT = '{date_short_pretty} at {time}';
/** The date and how long ago that is, such as “47 days ago”: a pretty date would say “yesterday” twice (docs.slack.dev/messaging/formatting-message-text). */
const FORMAT_WITH_AGE = '{date_short} at {time} ({ago})';

/** A time as each reader's client draws it, with UTC for those that cannot. */
export function relativeDate(at: Instant): Mrkdwn {
  return drawn(at, FORMAT);
}

/** The same where its age matters: each client counts that when somebody reads it, however old the message is. */
export function whenAgo(at: Instant): Mrkdwn {
  return drawn(at, FORMAT_WITH_AGE);
}

function drawn(at: Instant, format: string): Mrkdwn {
  const date = dateOf(at);
  if (date === null) return md`an unknown time`;
  return md`<!date^${date.timestamp}^${trustedMrkdwn(format)}|${trustedMrkdwn(date.fallback)}>`;
}

/** The same where markup has no place (docs.slack.dev/reference/block-kit/blocks/rich-text-block); null: not a time. */
export function dateOf(at: Instant) {
  return isDate(at) ? { timestamp: Math.floor(at / 1_000), format: FORMAT, fallback: utcTime(at) } : null;
}

/** The same where the service may not have said. */
export function dateOr(at: Instant | null, otherwise: string): Mrkdwn {
  return at === null ? trustedMrkdwn(otherwise) : relativeDate(at);
}

/** A time in UTC, for places without markup. */
export function utcTime(at: Instant): string {
  return isDate(at) ? `${dayAtHour(UTC.format(at))} UTC` : 'an unknown time';
}

/** A time in a zone by its IANA name, for places without markup. */
export function timeInZone(at: Instant, zone: string): string {
  if (!isDate(at)) return 'an unknown time';
  try {
    const local = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'short',
    });
    return `${dayAtHour(local.format(at))} ${zone}`;
  } catch {
    // Another version of the runtime may have known it.
    return utcTime(at);
  }
}

/** `2026-11-20 10:00` as people write it: `2026-11-20 at 10:00`. */
function dayAtHour(formatted: string): string {
  return formatted.replace(' ', ' at ');
}

/** A time as programs read it (ISO 8601, UTC). */
export function isoTime(at: Instant): string {
  return isDate(at) ? new Date(at).toISOString() : 'an unknown time';
}

function isDate(at: Instant): boolean {
  return Number.isFinite(at) && Math.abs(at) <= MAX_TIME;
}
