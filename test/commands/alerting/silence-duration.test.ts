import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClockTime, silenceEnd } from '../../../src/commands/alerting/silence-duration.ts';
import { DAY, HOUR, instant } from '../../../src/lib/clock.ts';

const at = (time: string) => instant(Date.parse(time));
const end = (time: string, now: string, zone: string) => {
  const lasts = readClockTime(time);
  if (lasts === null) throw new Error(`no time: ${time}`);
  return new Date(silenceEnd(lasts, at(now), zone)).toISOString();
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
    [
      'after clocks are set forward',
      '08:00',
      '2026-03-28T22:00:00Z',
      'Europe/Berlin',
      '2026-03-29T06:00:00.000Z',
    ],
    [
      'after clocks are set back',
      '08:00',
      '2026-10-24T22:00:00Z',
      'Europe/Berlin',
      '2026-10-25T07:00:00.000Z',
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
        const left = silenceEnd({ untilMinute }, instant(now), zone) - now;
        expect(left).toBeGreaterThan(0);
        expect(left).toBeLessThanOrEqual(DAY + 2 * HOUR);
      }),
      { numRuns: 300 },
    );
  });
});
