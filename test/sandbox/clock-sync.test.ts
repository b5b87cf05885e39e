import { afterEach, describe, expect, test } from 'vitest';
import { createClock, HOUR, later, MINUTE, type MovableClock, SECOND, wallNow } from '../../src/lib/clock.ts';
import { createAdvanceClocks, followMoves, moveClockTo, offsetOf } from '../../src/sandbox/clock-sync.ts';
import { madePerTest } from '../harness/use-started.ts';

const clock = madePerTest(() => clockOfToday());

const clocks: MovableClock[] = [];
afterEach(() => {
  for (const clock of clocks.splice(0)) clock.stop();
});
function clockOfToday(): MovableClock {
  const clock = createClock();
  clocks.push(clock);
  return clock;
}

describe('moving clocks to an offset', () => {
  test('reaches the same time however often it is called', async () => {
    await moveClockTo(clock, HOUR);
    await moveClockTo(clock, HOUR);
    expect(clock.now()).toBeLessThan(later(wallNow(), HOUR + MINUTE));
    expect(clock.now()).toBeGreaterThan(later(wallNow(), HOUR - MINUTE));
  });

  test('never goes back', async () => {
    await moveClockTo(clock, HOUR);
    await moveClockTo(clock, MINUTE);
    expect(clock.now()).toBeGreaterThan(later(wallNow(), HOUR - MINUTE));
  });
});

describe('moving time', () => {
  test('moves both sides in slices, the world first', async () => {
    const seen: number[] = [];
    const start = offsetOf(clock);
    const travel = createAdvanceClocks({
      clock,
      follow: async () => {
        seen.push(Math.round((offsetOf(clock) - start) / SECOND));
      },
    });
    await travel(21 * SECOND);
    expect(seen).toEqual([5, 10, 15, 20, 21]);
  });

  test('of any length is cut into at most 120 slices', async () => {
    let slices = 0;
    await createAdvanceClocks({
      clock,
      follow: async () => {
        slices += 1;
      },
    })(24 * HOUR);
    expect(slices).toBeGreaterThanOrEqual(120);
    expect(slices).toBeLessThanOrEqual(121);
  });

  test('fires what fell due in the world in order', async () => {
    const fired: string[] = [];
    const begin = clock.now();
    clock.at(later(begin, 40 * SECOND), () => void fired.push('second'));
    clock.at(later(begin, 12 * SECOND), () => void fired.push('first'));
    await createAdvanceClocks({ clock, follow: async () => undefined })(MINUTE);
    expect(fired).toEqual(['first', 'second']);
  });
});

describe('the product behind a move', () => {
  test('is behind from its beginning until it has done what fell due, also where the move ends before', async () => {
    const [moved, followed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const changes: boolean[] = [];
    const moves = followMoves(
      () => moved.promise,
      { follow: () => followed.promise },
      () => changes.push(moves.isBehind()),
    );
    expect(moves.isBehind()).toBe(false);
    const travelling = moves.travel(HOUR);
    const caughtUp = moves.caughtUp().then(() => changes.push(moves.isBehind()));
    moved.resolve();
    await travelling;
    expect(moves.isBehind()).toBe(true);
    followed.resolve();
    await caughtUp;
    expect(changes).toEqual([true, false, false]);
  });
});
