import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/clock.ts';
import { utc, when, whenAgo } from '../../../src/views/kit/when.ts';
import { START } from '../../harness/builders.ts';

describe('times', () => {
  it('are drawn in the reader’s zone, with UTC for clients that cannot', () => {
    expect(when(START)).toBe('<!date^1795168800^{date_short_pretty} {time}|2026-11-20 10:00 UTC>');
    expect(utc(START)).toBe('2026-11-20 10:00 UTC');
  });

  it('are drawn with their age where that matters, which each client counts as it is read', () => {
    expect(whenAgo(START)).toBe('<!date^1795168800^{date_short_pretty} {time} ({ago})|2026-11-20 10:00 UTC>');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 9e15])('are called unknown where %d is no time', (time) => {
    expect(when(instant(time))).toBe('an unknown time');
    expect(whenAgo(instant(time))).toBe('an unknown time');
  });
});
