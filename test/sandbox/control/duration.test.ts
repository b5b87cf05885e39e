import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { parseDuration } from '../../../src/sandbox/control/world-routes.ts';

describe('a duration', () => {
  test.each([
    ['90s', 90 * SECOND],
    ['31m', 31 * MINUTE],
    ['2h', 2 * HOUR],
    ['1d', DAY],
    ['1h30m', HOUR + 30 * MINUTE],
    ['1d 2h 3m 4s', DAY + 2 * HOUR + 3 * MINUTE + 4 * SECOND],
    [' 5m ', 5 * MINUTE],
    ['400d', 400 * DAY],
  ])('reads %j', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(['', '31', 'm', '-5m', '1.5h', '5 m', '31M', '1w', '0s', '401d', '9999999999d', '5m!', 'm5'])(
    'refuses %j',
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );
});
