import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { relativeDate, utcTime, whenAgo } from '../../../src/views/kit/timestamps.ts';
import { START } from '../../harness/builders.ts';

describe('times', () => {
  it('are drawn in the reader’s zone, with UTC for clients that cannot', () => {
    expect(relativeDate(START)).toBe(
      '<!date^1795168800^{date_short_pretty} at {time}|2026-11-20 at 10:00 UTC>',
    );
    expect(utcTime(START)).toBe('2026-11-20 at 10:00 UTC');
  });

  it('are drawn with their age where that matters, which each client counts as it is read', () => {
    expect(whenAgo(START)).toBe('<!date^1795168800^{date_short} at {time} ({ago})|2026-11-20 at 10:00 UTC>');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 9e15])('are called unknown where %d is no time', (time) => {
    expect(relativeDate(instant(time))).toBe('an unknown time');
    expect(whenAgo(instant(time))).toBe('an unknown time');
  });
});
