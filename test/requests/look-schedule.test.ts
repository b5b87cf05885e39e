import { describe, expect, it } from 'vitest';
import type { FleetError } from '../../src/fleet/fleet.ts';
import { DAY, later, MINUTE, SECOND } from '../../src/lib/clock.ts';
import {
  initialDeadline,
  lastLookAt,
  mayBeClaimed,
  nextLookAt,
  retryAt,
  retryBefore,
  retryUnsentAt,
  updatedDeadline,
} from '../../src/requests/look-schedule.ts';
import { aTarget, SENT } from './builders.ts';
import { anError } from './fleet-builders.ts';

/** Seconds between reads of a target that does not change, in its first `ms`. */
function looks(target = aTarget(), ms = 5 * MINUTE): readonly number[] {
  const pauses: number[] = [];
  for (let now = SENT; now < later(SENT, ms); ) {
    const next = nextLookAt(target, true, now);
    pauses.push((next - now) / SECOND);
    now = next;
  }
  return pauses;
}

describe('how often a command is looked at', () => {
  it('often at first, then once a minute', () => {
    expect(looks()).toEqual([5, 5, 10, 10, 15, 30, 60, 60, 60, 60]);
  });

  it('often again after it moved', () => {
    const now = later(SENT, 20 * MINUTE);
    expect(nextLookAt(aTarget({ state: 'answered', answeredAt: now }), true, now)).toBe(
      later(now, 5 * SECOND),
    );
  });

  it('rarely while it waits for an offline device', () => {
    expect(nextLookAt(aTarget({ state: 'queued' }), false, SENT)).toBe(later(SENT, 5 * MINUTE));
  });

  it('often while a device that took it is away for a moment, and rarely when it stays away', () => {
    const target = aTarget({ state: 'answered', answeredAt: SENT });
    expect(nextLookAt(target, false, later(SENT, MINUTE))).toBe(later(SENT, 1.5 * MINUTE));
    const now = later(SENT, 31 * MINUTE);
    expect(nextLookAt(target, false, now)).toBe(later(now, 5 * MINUTE));
  });
});

describe('how long a command is followed', () => {
  it.each([
    ['an online device', true, 30 * MINUTE],
    ['an offline device', false, 7 * DAY],
    ['a device that may be either', null, 30 * MINUTE],
  ])('%s', (_what, connected, ms) => {
    expect(initialDeadline(SENT, connected)).toBe(later(SENT, ms));
  });

  it('a week while the device is offline, and half an hour from its return', () => {
    const gone = updatedDeadline(aTarget(), false, later(SENT, MINUTE));
    expect(gone).toBe(later(SENT, 7 * DAY));
    const returned = later(SENT, 2 * DAY);
    const back = updatedDeadline(aTarget({ deadlineAt: gone }), true, returned);
    expect(back).toBe(later(returned, 30 * MINUTE));
    expect(updatedDeadline(aTarget({ deadlineAt: back }), true, later(returned, 10 * MINUTE))).toBe(back);
  });

  it('never longer than a week, however often the device comes and goes', () => {
    const late = later(SENT, 7 * DAY - MINUTE);
    expect(updatedDeadline(aTarget({ deadlineAt: later(SENT, 7 * DAY) }), true, late)).toBe(
      later(SENT, 7 * DAY),
    );
  });

  it('half an hour for one that was never found in the queue, though the device is offline', () => {
    const target = aTarget({ state: 'unknown', deadlineAt: later(SENT, 7 * DAY) });
    expect(updatedDeadline(target, false, later(SENT, MINUTE))).toBe(later(SENT, 30 * MINUTE));
  });

  it('a week at most when the service cannot be read', () => {
    expect(lastLookAt(aTarget())).toBe(later(SENT, 7 * DAY));
  });
});

/** Pause before the next read, `left` before the deadline; null: no further read. */
function soon(error: FleetError, attempts: number, left = 15 * MINUTE): number | null {
  const next = retryBefore(later(SENT, left), { error, attempts, now: SENT });
  return next === null ? null : next - SENT;
}

describe('the pause after a failed read', () => {
  const down = anError('unreachable', null);
  const throttled = { ...down, kind: 'throttled', retryAfterMs: 10 * MINUTE } as const;

  it('doubles up to five minutes in the background, and up to a minute where somebody waits', () => {
    const background = [0, 1, 2, 5, 6, 50].map((attempts) => (retryAt(down, attempts, SENT) - SENT) / SECOND);
    expect(background).toEqual([5, 10, 20, 160, 300, 300]);
    const waited = [0, 1, 4, 5, 50].map((attempts) => (soon(down, attempts) ?? 0) / SECOND);
    expect(waited).toEqual([2, 4, 32, 60, 60]);
  });

  it('is never shorter than the service asks for', () => {
    expect(retryAt(throttled, 0, SENT)).toBe(later(SENT, 10 * MINUTE));
    expect(soon(throttled, 0)).toBe(10 * MINUTE);
  });

  it('ends a second before it is too late, and at once where the service wants a longer one', () => {
    expect(soon(down, 5, 60 * SECOND)).toBe(59 * SECOND);
    expect(soon(down, 5, SECOND)).toBeNull();
    expect(soon(down, 5, 0)).toBeNull();
    expect(soon(throttled, 0, 10 * MINUTE)).toBeNull();
  });
});

describe('the pause before a command that never left is claimed again', () => {
  const pause = (retryAfterMs: number | null, attempts = 0) =>
    retryUnsentAt(retryAfterMs, attempts, SENT) - SENT;

  it('doubles up to a minute, and is as long as the service asks for, up to half an hour', () => {
    expect([0, 1, 4, 5, 50].map((attempts) => pause(null, attempts) / SECOND)).toEqual([2, 4, 32, 60, 60]);
    expect([SECOND, 10 * MINUTE, DAY].map((ms) => pause(ms) / SECOND)).toEqual([2, 600, 1800]);
  });

  it('is over at its time, and where it would be longer than any, because the clock was set back', () => {
    const waits = [null, 0, 1, 30 * MINUTE, 30 * MINUTE + 1, DAY];
    const claimed = waits.map((ms) => mayBeClaimed({ nextAt: ms === null ? null : later(SENT, ms) }, SENT));
    expect(claimed).toEqual([true, true, false, false, true, true]);
  });
});
