import { describe, expect, it } from 'vitest';
import { instant } from '../../src/lib/clock.ts';
import { isWithin, parseRuleTime, parseWallClock, wallClock } from '../../src/rules/time.ts';

/** Whether the time holds at this wall clock. */
function holds(time: string, at: string): boolean | null {
  const [parsed, clock] = [parseRuleTime(time), parseWallClock(at)];
  return parsed === null || clock === null ? null : isWithin(parsed, clock);
}

describe('a time of a rule', () => {
  // 4 December 2026 is a Friday.
  it.each([
    ['22:00-05:00', '2026-12-04 22:00', true],
    ['22:00-05:00', '2026-12-04 21:59', false],
    ['22:00-05:00', '2026-12-05 04:59', true],
    ['22:00-05:00', '2026-12-05 05:00', false],
    ['fri 13:00-24:00', '2026-12-04 13:00', true],
    ['fri 13:00-24:00', '2026-12-04 23:59', true],
    ['fri 13:00-24:00', '2026-12-05 00:00', false],
    ['fri 13:00-24:00', '2026-12-03 14:00', false],
    ['sat,sun', '2026-12-05 00:00', true],
    ['sat,sun', '2026-12-06 23:59', true],
    ['sat,sun', '2026-12-07 00:00', false],
    ['fri-mon', '2026-12-07 12:00', true],
    ['fri-mon', '2026-12-08 12:00', false],
    ['mon-fri 08:00-18:00', '2026-12-04 08:00', true],
    ['2026-12-18..2027-01-04', '2026-12-18 00:00', true],
    ['2026-12-18..2027-01-04', '2027-01-04 23:59', true],
    ['2026-12-18..2027-01-04', '2027-01-05 00:00', false],
    ['2026-12-24', '2026-12-24 12:00', true],
    ['fri 22:00-05:00', '2026-12-05 04:00', true],
    ['fri 22:00-05:00', '2026-12-04 04:00', false],
    ['2026-12-31 22:00-05:00', '2027-01-01 01:00', true],
  ])('%s at %s: %s', (time, at, expected) => {
    expect(holds(time, at)).toBe(expected);
  });

  it.each([
    '',
    'soon',
    '25:00-26:00',
    '10:00-10:00',
    '24:00-05:00',
    '10:60-11:00',
    'fri fri',
    '10:00-11:00 12:00-13:00',
    '2026-02-30',
    '2027-01-04..2026-12-18',
    'mon-tue-wed',
    'foo,bar',
  ])('%j is none', (text) => {
    expect(parseRuleTime(text)).toBeNull();
  });

  it('is read on the wall clock of its zone, whatever the clocks do', () => {
    const summer = instant(Date.UTC(2026, 6, 1, 22, 30));
    expect(wallClock(summer, 'Europe/Berlin')).toEqual({ date: '2026-07-02', minute: 30 });
    // The hour that comes twice, and the one that is skipped.
    const [first, second] = [instant(Date.UTC(2026, 9, 25, 0, 30)), instant(Date.UTC(2026, 9, 25, 1, 30))];
    expect(wallClock(first, 'Europe/Berlin')).toEqual(wallClock(second, 'Europe/Berlin'));
    expect(wallClock(instant(Date.UTC(2026, 2, 29, 1, 0)), 'Europe/Berlin').minute).toBe(180);
    expect(wallClock(instant(Date.UTC(2026, 0, 1)), 'UTC')).toEqual({ date: '2026-01-01', minute: 0 });
  });
});
