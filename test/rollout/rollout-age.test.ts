/** The age of a rollout: when its approval ends, and when one that is held does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, instant, later, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { type PlanOptions, planRollout } from '../../src/rollout/plan.ts';
import {
  afterApproval,
  afterContinue,
  afterResume,
  afterWave,
  hasExpired,
  holdEndsAt,
  type Rollout,
  type RolloutHold,
  startRollout,
  type WaveCounts,
} from '../../src/rollout/progress.ts';
import { property } from '../harness/property.ts';

const NOW = instant(1_000_000);
const LATER = later(NOW, MINUTE);
const rolloutOf = (count: number, options: PlanOptions = {}) =>
  startRollout(planRollout(count, options), NOW);
const unsent = (total: number): WaveCounts => ({ total, open: total, verified: 0, notSent: 0 });
const failed = (total: number): WaveCounts => ({ total, open: 0, verified: 0, notSent: 0 });

describe('the end of an approval', () => {
  const { endsAt } = rolloutOf(20);

  it.each<[string, PlanOptions, number]>([
    ['no waits', {}, DAY],
    ['waits that are as long', { waitMs: 12 * HOUR }, DAY],
    ['waits that are longer', { waitMs: 12 * HOUR + SECOND }, 2 * DAY + 2 * SECOND],
    ['waits without a next wave', { waitMs: DAY, waves: [] }, DAY],
  ])('comes after a day, or a day after the waits of its plan: %s', (_what, options, ms) => {
    expect(planRollout(20, options).lastsMs).toBe(ms);
    expect(rolloutOf(20, options).endsAt).toBe(later(NOW, ms));
  });

  it('is as long as the configuration file says', () => {
    const maxAgeMs = 2 * HOUR;
    expect(planRollout(20, {}, { maxAgeMs }).lastsMs).toBe(maxAgeMs);
    expect(planRollout(20, { waitMs: 2 * HOUR }, { maxAgeMs }).lastsMs).toBe(DAY + 4 * HOUR);
  });

  it('is counted from the approval', () => {
    expect([DAY - 1, DAY].map((ms) => hasExpired({ endsAt }, later(NOW, ms)))).toEqual([false, true]);
    const approved = afterApproval(rolloutOf(20), later(NOW, HOUR));
    expect(approved).toMatchObject({ waveFrom: later(NOW, HOUR), endsAt: later(NOW, DAY + HOUR) });
  });

  const holds = fc.constantFrom<RolloutHold>(
    { kind: 'paused', by: null, at: NOW },
    { kind: 'gate', at: NOW },
    { kind: 'away', from: NOW, at: NOW },
    { kind: 'braked', bad: 1, ended: 1, at: NOW },
  );
  const goesOn = fc.constantFrom<(held: Rollout, now: typeof NOW) => Rollout>(
    (held, now) => afterContinue(held, unsent(1), now),
    (held, now) => afterContinue(held, failed(1), now),
    afterWave,
    (held, now) => afterResume(held, failed(1), now),
    (held, now) => afterResume(held, { ...failed(1), open: 1 }, now),
  );
  property([holds, goesOn, fc.integer({ min: 0, max: 3 * DAY })])(
    'is moved by the same time only by whoever lets it go on after it',
    (hold, lift, ms) => {
      const now = later(NOW, ms);
      const next = lift({ ...rolloutOf(20), hold }, now);
      expect(next.hold).toBeNull();
      expect(next.endsAt).toBe(ms < DAY ? endsAt : later(now, DAY));
      expect(hasExpired(next, now)).toBe(false);
    },
  );

  it('that another clock saw is moved by whoever continues', () => {
    const hold = { kind: 'expired', at: later(NOW, DAY) } as const;
    expect(afterContinue({ ...rolloutOf(20), hold }, unsent(1), LATER).endsAt).toBe(later(LATER, DAY));
  });
});

describe('a rollout that nobody lets go on', () => {
  it.each<[string, RolloutHold | null, number | null]>([
    ['that runs', null, null],
    ['that was stopped', { kind: 'stopped', by: null, at: NOW }, null],
    ['at its gate', { kind: 'gate', at: NOW }, 7 * DAY],
    ['whose approval ended', { kind: 'expired', at: LATER }, 7 * DAY + MINUTE],
    [
      'that braked while it was held',
      { kind: 'braked', bad: 1, ended: 1, at: LATER, heldFrom: NOW },
      7 * DAY,
    ],
  ])('ends after seven days in all: one %s', (_what, hold, ms) => {
    expect(holdEndsAt(hold)).toBe(ms === null ? null : later(NOW, ms));
  });
});
