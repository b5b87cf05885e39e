/** The time formats of the service; all are UTC. */
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../../lib/clock.ts';
import type { WorldDevice } from '../world/model.ts';

export type TimeForm =
  /** `YYYY-MM-DDThh:mm:ss+0000` */
  | 'offset'
  /** `YYYY-MM-DDThh:mm:ssZ` */
  | 'seconds'
  /** `YYYY-MM-DDThh:mm:ss.fffZ` */
  | 'milliseconds'
  /** `YYYY-MM-DD hh:mm:ss.ffffff` */
  | 'microseconds';

export function formatTime(form: TimeForm, at: Instant): string {
  switch (form) {
    case 'offset':
      return `${dayOf(at)}T${secondOf(at)}+0000`;
    case 'seconds':
      return `${dayOf(at)}T${secondOf(at)}Z`;
    case 'milliseconds':
      return new Date(at).toISOString();
    case 'microseconds':
      return `${dayOf(at)} ${secondOf(at)}.${String(at % SECOND).padStart(3, '0')}000`;
    default:
      return form satisfies never;
  }
}

/** The format of devices and packages. */
export function deviceTime(at: Instant): string;
export function deviceTime(at: Instant | null): string | null;
export function deviceTime(at: Instant | null): string | null {
  return at === null ? null : formatTime('offset', at);
}

/**
 * As agents write times: `12/25/2024 8:34:32 AM` on Windows and `2023-04-14 16:05` on a Mac, by the clock of the device,
 * whose zone the text does not state; `2023-11-14T20:23:00+00:00` on Linux (openapi-defs, the example with details;
 * rapid7/insightconnect-plugins, automox, help.md).
 */
export function agentTime(
  at: Instant,
  { platform, timezone }: Pick<WorldDevice, 'platform' | 'timezone'>,
): string {
  const there = localDate(at, timezone);
  switch (platform.family) {
    case 'Windows':
      return englishTime(there);
    case 'Mac':
      return there.toISOString().slice(0, 16).replace('T', ' ');
    case 'Linux':
      return `${dayOf(at)}T${secondOf(at)}+00:00`;
    default:
      return platform.family satisfies never;
  }
}

/** What the clock of a device in this zone (`UTC-0800`) shows, as UTC. */
function localDate(at: Instant, zone: string): Date {
  const [, sign, hours, minutes] = /^UTC([+-])(\d\d)(\d\d)$/.exec(zone) ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE;
  return new Date(sign === '-' ? at - offset : at + offset);
}

function englishTime(there: Date): string {
  const day = `${there.getUTCMonth() + 1}/${there.getUTCDate()}/${there.getUTCFullYear()}`;
  const clock = there.toISOString().slice(13, 19);
  return `${day} ${there.getUTCHours() % 12 || 12}${clock} ${there.getUTCHours() < 12 ? 'AM' : 'PM'}`;
}

// Pages have thousands of times that share a few days, so each day is formatted once.
const MAX_CACHED_DAYS = 2_000;
const days = new Map<number, string>();
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

function dayOf(at: Instant): string {
  const number = Math.floor(at / DAY);
  const known = days.get(number);
  if (known !== undefined) return known;
  if (days.size >= MAX_CACHED_DAYS) days.clear();
  const text = new Date(at).toISOString().slice(0, 10);
  days.set(number, text);
  return text;
}

function secondOf(at: Instant): string {
  const inDay = at % DAY;
  const hours = TWO_DIGITS[Math.floor(inDay / HOUR)];
  const minutes = TWO_DIGITS[Math.floor((inDay % HOUR) / MINUTE)];
  return `${hours}:${minutes}:${TWO_DIGITS[Math.floor((inDay % MINUTE) / SECOND)]}`;
}
