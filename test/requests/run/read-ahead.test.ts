/** When the pages of a wave are read again: before its claims need them, and not where reading each device takes less. */
import { describe, expect, it } from 'vitest';
import { instant, later, MINUTE } from '../../../src/lib/clock.ts';
import { isReadDue, MAX_PAGES_IN_WAVE } from '../../../src/requests/run/wave-readings.ts';

const START = instant(Date.UTC(2026, 5, 5));
const last = { readAt: START, from: 0, keptTo: 5_000 };
/** 700 devices a minute to a fleet of 20 pages, which are read in two minutes at the slowest. */
const dueAfter = (minutes: number, change: Partial<Parameters<typeof isReadDue>[1]> = {}) =>
  isReadDue(last, {
    ...{ now: later(START, minutes * MINUTE), position: 700 * minutes, to: 10_000, pages: 20 },
    ...change,
  });

describe('the pages of a wave are read again', () => {
  it.each([
    ['not at once', dueAfter(0), false],
    ['not while enough devices are kept', dueAfter(5), false],
    ['before the last one that is kept is sent', dueAfter(5.2), true],
    ['once none is kept', dueAfter(8), true],
    ['before they are ten minutes old, at a slow pace', dueAfter(8.5, { position: 100 }), true],
    ['not long before that', dueAfter(7.5, { position: 100 }), false],
    ['once they are ten minutes old, where nothing was sent', dueAfter(10, { position: 0 }), true],
    ['not where nothing was sent, and they are not old', dueAfter(8, { position: 0 }), false],
    ['not for fewer devices than pages', dueAfter(5.2, { to: 5_020 }), false],
    ['for more devices than pages', dueAfter(5.2, { to: 5_021 }), true],
    ['with as many pages as are read in time', dueAfter(5.2, { pages: MAX_PAGES_IN_WAVE }), true],
    ['not with more', dueAfter(5.2, { pages: MAX_PAGES_IN_WAVE + 1 }), false],
  ])('%s', (_when, isDue, expected) => {
    expect(isDue).toBe(expected);
  });
});
