/** When a rule holds, by the wall clock of its zone: days, dates, and a time of day. Pure. */
import type { Instant } from '../lib/clock.ts';

const WEEKDAYS: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAY_MINUTES = 24 * 60;

/** All parts of it must fit. */
export type RuleTime = {
  /** As in {@link WEEKDAYS}, Sunday first. */
  readonly days?: ReadonlySet<number>;
  /** Minutes of the day; with `to` before `from` it goes past midnight. */
  readonly clock?: { readonly from: number; readonly to: number };
  /** Both as `2026-12-18`, and both included. */
  readonly dates?: { readonly first: string; readonly last: string };
};

/** What a fault of such a text says. */
export const RULE_TIME_EXAMPLES = '22:00-05:00, fri 13:00-24:00, sat,sun or 2026-12-18..2027-01-04';

const CLOCK = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})$/;
const DATES = /^(\d{4}-\d{2}-\d{2})(?:\.\.(\d{4}-\d{2}-\d{2}))?$/;

/** Days, dates and a time of day, each once and in any order: `mon-fri 08:00-18:00`. Null: it is none. */
export function parseRuleTime(text: string): RuleTime | null {
  const parts = text.trim().toLowerCase().split(/\s+/).map(parsePart);
  const whole: RuleTime = Object.assign({}, ...parts);
  const isWhole = parts.every((part) => part !== null) && Object.keys(whole).length === parts.length;
  return isWhole ? whole : null;
}

function parsePart(part: string): RuleTime | null {
  const dates = DATES.exec(part);
  if (dates !== null) {
    const [, first = '', last = first] = dates;
    return isDate(first) && isDate(last) && first <= last ? { dates: { first, last } } : null;
  }
  const clock = CLOCK.exec(part);
  if (clock !== null) {
    const [from, to] = [minuteOf(clock[1], clock[2]), minuteOf(clock[3], clock[4])];
    const isRange = from !== null && to !== null && from !== to && from < DAY_MINUTES;
    return isRange ? { clock: { from, to } } : null;
  }
  const days = part.split(',').map(daysOf);
  return days.includes(null) ? null : { days: new Set(days.flatMap((some) => some ?? [])) };
}

/** `2026-02-30` is none. */
function isDate(text: string): boolean {
  const read = utcDay(text);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text);
}

function minuteOf(hours = '', minutes = ''): number | null {
  const minute = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && minute <= DAY_MINUTES ? minute : null;
}

/** Of `mon` or `fri-mon`, across the end of the week. */
function daysOf(text: string): readonly number[] | null {
  const [first = -1, last = first, ...rest] = text.split('-').map((name) => WEEKDAYS.indexOf(name));
  if (first < 0 || last < 0 || rest.length > 0) return null;
  const count = ((last - first + WEEKDAYS.length) % WEEKDAYS.length) + 1;
  return Array.from({ length: count }, (_, at) => (first + at) % WEEKDAYS.length);
}

/** As the clocks of a zone show it. */
export type WallClock = {
  /** `2026-12-18`. */
  readonly date: string;
  readonly minute: number;
};

/** A day or date with a time past midnight is the one on which that begins. */
export function isWithin({ days, clock, dates }: RuleTime, { date, minute }: WallClock): boolean {
  const { from, to } = clock ?? { from: 0, to: DAY_MINUTES };
  const isOn = (day: string) =>
    (days === undefined || days.has(utcDay(day).getUTCDay())) &&
    (dates === undefined || (day >= dates.first && day <= dates.last));
  if (from < to) return minute >= from && minute < to && isOn(date);
  return (minute >= from && isOn(date)) || (minute < to && isOn(dayBefore(date)));
}

function utcDay(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}

function dayBefore(date: string): string {
  const before = utcDay(date);
  before.setUTCDate(before.getUTCDate() - 1);
  return before.toISOString().slice(0, 10);
}

/** `2026-12-01 23:00`; null: it is none. */
export function parseWallClock(text: string): WallClock | null {
  const [, date = '', hours, minutes] = /^(\S{10})[ T](\d{2}):(\d{2})$/.exec(text.trim()) ?? [];
  const minute = minuteOf(hours, minutes);
  return hours !== undefined && minute !== null && isDate(date) ? { date, minute } : null;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** To make a format takes longer than to use it a thousand times. Throws a RangeError where no zone has this name. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  formats.set(timeZone, made);
  return made;
}

export function wallClock(at: Instant, zone: string): WallClock {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    minute: Number(part('hour')) * 60 + Number(part('minute')),
  };
}
