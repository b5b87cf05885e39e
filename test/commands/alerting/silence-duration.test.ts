import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockTimeText, readClockTime, silenceEnd } from '../../../src/commands/alerting/silence-duration.ts';
import { DAY, HOUR, instant, MINUTE } from '../../../src/lib/clock.ts';

const at = (time: string) => instant(Date.parse(time));
const end = (time: string, now: string, zone: string) => {
  const lasts = readClockTime(time);
  if (lasts === null) throw new Error(`no time: ${time}`);
  return new Date(silenceEnd(lasts, at(now), zone).until).toISOString();
};

describe('until a time of day', () => {
  it.each([
    ['later today', '18:00', '2026-03-10T12:00:00Z', 'UTC', '2026-03-10T18:00:00.000Z'],
    ['tomorrow, where it is past', '18:00', '2026-03-10T18:00:00Z', 'UTC', '2026-03-11T18:00:00.000Z'],
    ['in a zone ahead', '18:00', '2026-03-10T12:00:00Z', 'Europe/Berlin', '2026-03-10T17:00:00.000Z'],
    ['in a zone behind', '8:30', '2026-03-10T12:00:00Z', 'America/New_York', '2026-03-10T12:30:00.000Z'],
    [
      'on a date that is another there',
      '01:00',
      '2026-03-10T23:30:00Z',
      'Asia/Kolkata',
      '2026-03-11T19:30:00.000Z',
    ],
  ])('is %s', (_, time, now, zone, expected) => {
    expect(end(time, now, zone)).toBe(expected);
  });

  it('is always ahead, and less than two days', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/St_Johns',
      'Pacific/Apia',
      'Asia/Kathmandu',
    );
    const times = fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 });
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 1_439 }), zones, (now, untilMinute, zone) => {
        const left = silenceEnd({ untilMinute }, instant(now), zone).until - now;
        expect(left).toBeGreaterThan(0);
        expect(left).toBeLessThanOrEqual(DAY + HOUR);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a time that clocks skip', () => {
  it.each([
    ['America/New_York', '2027-03-14T01:45:00-05:00', '2027-03-14T03:00:00-04:00'],
    ['America/New_York', '2027-03-14T01:15:00-05:00', '2027-03-14T03:00:00-04:00'],
    ['Europe/Berlin', '2027-03-28T01:45:00+01:00', '2027-03-28T03:00:00+02:00'],
  ])('in %s is the first moment after it, which is said: %s', (zone, now, expected) => {
    expect(end('02:30', now, zone)).toBe(new Date(expected).toISOString());
    expect(silenceEnd({ untilMinute: 150 }, at(now), zone).skipped).toBe('02:30');
  });
});

const ZONES = ['Europe/Berlin', 'America/New_York', 'America/Santiago', 'Asia/Beirut', 'Australia/Lord_Howe'];
const formats = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
);
const wall = (time: number, zone: string): string => formats.get(zone)?.format(time) ?? '';
const offset = (time: number, zone: string) => Date.parse(`${wall(time, zone).replace(' ', 'T')}Z`) - time;

/** The first whole hour after each change of clocks in ten years. */
function changesOf(zone: string): readonly number[] {
  const changes: number[] = [];
  for (let day = Date.UTC(2024, 0, 1); day < Date.UTC(2034, 0, 1); day += DAY) {
    if (offset(day, zone) === offset(day + DAY, zone)) continue;
    for (let hour = day; hour < day + DAY; hour += HOUR)
      if (offset(hour, zone) !== offset(hour + HOUR, zone)) changes.push(hour + HOUR);
  }
  return changes;
}

describe.each(ZONES)('at every change of clocks in %s', (zone) => {
  it('a time of day is ahead, at most a day and an hour, and shows as asked unless it is skipped', () => {
    const changes = changesOf(zone);
    expect(changes.length).toBeGreaterThanOrEqual(19);
    for (const change of changes) {
      for (const before of [25 * HOUR, 3 * HOUR, 70 * MINUTE, 15 * MINUTE, -20 * MINUTE, -2 * HOUR]) {
        const now = instant(change - before);
        for (let untilMinute = 0; untilMinute < 240; untilMinute += 30) {
          const { until, skipped } = silenceEnd({ untilMinute }, now, zone);
          const asked = clockTimeText(untilMinute);
          const said = `${zone} ${new Date(now).toISOString()} ${asked}`;
          expect(until, said).toBeGreaterThan(now);
          expect(until - now, said).toBeLessThanOrEqual(DAY + HOUR);
          const first = firstShowing(asked, now, zone);
          if (skipped === null) expect(until, said).toBe(first);
          else {
            expect(skipped, said).toBe(asked);
            const gap = `${wall(until, zone).slice(0, 10)} ${asked}`;
            expect(wall(until - MINUTE, zone) < gap && gap < wall(until, zone), said).toBe(true);
          }
        }
      }
    }
  });
});

/** The first whole minute after `now` at which clocks show this. */
function firstShowing(asked: string, now: number, zone: string): number {
  const step = 30 * MINUTE;
  for (let at = (Math.floor(now / step) + 1) * step; at <= now + 2 * DAY; at += step)
    if (wall(at, zone).endsWith(asked)) return at;
  throw new Error('never shown');
}
