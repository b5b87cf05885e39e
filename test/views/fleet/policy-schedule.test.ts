import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scheduleText } from '../../../src/views/fleet/policy-list.ts';

const ALL = { days: 254, weeksOfMonth: 62, months: 8_190, time: '02:00' };

describe('a schedule in words', () => {
  it.each([
    [{}, 'Every day at 2:00 AM'],
    [{ days: 62 }, 'Monday to Friday at 2:00 AM'],
    [{ days: 2 }, 'Monday at 2:00 AM'],
    [{ days: 128 }, 'Sunday at 2:00 AM'],
    [{ days: 2 + 8 + 128 }, 'Monday, Wednesday and Sunday at 2:00 AM'],
    [{ weeksOfMonth: 2 + 8 }, 'Every day at 2:00 AM, in the first and third week of the month'],
    [{ weeksOfMonth: 32 }, 'Every day at 2:00 AM, in the fifth week of the month'],
    [{ months: 2 + 4_096 }, 'Every day at 2:00 AM, in January and December'],
    [{ months: 0 }, 'Every day at 2:00 AM, in no month'],
    [{ weeksOfMonth: 0 }, 'Every day at 2:00 AM, in no week'],
    [{ time: null }, 'Every day'],
    [{ days: 0 }, 'No scheduled days'],
    [{ days: null }, 'On unknown days at 2:00 AM'],
    [{ days: 3 }, 'On unrecognized days (3) at 2:00 AM'],
    [{ days: 256 }, 'On unrecognized days (256) at 2:00 AM'],
    [{ months: 8_192 }, 'Every day at 2:00 AM, in unrecognized months (8192)'],
    [{ days: null, weeksOfMonth: null, months: null }, null],
  ])('%j is “%s”', (given, words) => {
    expect(scheduleText({ ...ALL, ...given })).toBe(words);
  });

  it('has words for any mask', () => {
    const mask = fc.option(fc.oneof(fc.integer(), fc.double()));
    const schedule = fc.record({
      days: mask,
      weeksOfMonth: mask,
      months: mask,
      time: fc.option(fc.string()),
    });
    fc.assert(
      fc.property(schedule, (given) => {
        expect(scheduleText(given) ?? '').not.toMatch(/undefined/);
      }),
    );
  });
});
