import { describe, expect, it } from 'vitest';
import { type Instant, instant, MINUTE } from '../../../src/lib/clock.ts';
import { windowsOfAttempts } from '../../../src/slack/cards/history-reader.ts';

const NOW = instant(1_000 * MINUTE);
const at = (minutes: number): Instant => instant(minutes * MINUTE);
const attempt = (from: number, to: number | null) => ({
  attemptedAt: at(from),
  settledAt: to === null ? null : at(to),
});

describe('the windows around attempts', () => {
  it('leave room for two clocks that are apart', () => {
    expect(windowsOfAttempts([attempt(100, 101)], NOW)).toEqual([{ oldest: at(90), latest: at(111) }]);
  });

  it('reach until now where a call has not settled', () => {
    expect(windowsOfAttempts([attempt(100, null)], NOW)).toEqual([{ oldest: at(90), latest: at(1_010) }]);
  });

  it('are one where they meet and several where they do not, the newest first', () => {
    const attempts = [attempt(100, 101), attempt(500, 501), attempt(115, 116), attempt(99, 130)];
    expect(windowsOfAttempts(attempts, NOW)).toEqual([
      { oldest: at(490), latest: at(511) },
      { oldest: at(89), latest: at(140) },
    ]);
  });

  it('are none without attempts', () => {
    expect(windowsOfAttempts([], NOW)).toEqual([]);
  });
});
