/** The brake and the waves: whatever answers come in whatever order, nothing is sent beyond them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, instant, later, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { personId } from '../../src/lib/ids.ts';
import { type Brake, type PlanOptions, planRollout } from '../../src/rollout/plan.ts';
import {
  afterAnswer,
  afterApproval,
  afterContinue,
  afterEnd,
  afterResume,
  afterWave,
  hasExpired,
  holdEndsAt,
  isBraked,
  isDriftTooLarge,
  MAX_UNANSWERED,
  type Rollout,
  type RolloutHold,
  type SendAnswer,
  startRollout,
  tallyOf,
  type WaveCounts,
} from '../../src/rollout/progress.ts';
import { property } from '../harness/property.ts';

const NOW = instant(1_000_000);
const LATER = later(NOW, MINUTE);
const devices = (count: number): Brake => ({ kind: 'devices', devices: count });
const share = (percent: number): Brake => ({ kind: 'share', percent });

describe('the brake', () => {
  it.each<[string, Brake, number, number, number, boolean]>([
    ['nothing ended', devices(1), 0, 0, 5, false],
    ['fewer than it takes', devices(2), 1, 5, 5, false],
    ['as many as it takes', devices(2), 2, 2, 5, true],
    ['nothing bad of a share', share(10), 0, 50, 50, false],
    ['one bad canary', share(10), 1, 1, 1, true],
    ['too few ended to judge a share', share(10), 3, 9, 50, false],
    ['a share of ten that ended', share(10), 1, 10, 50, true],
    ['less than the share', share(10), 1, 11, 50, false],
    ['all of a small wave ended', share(10), 1, 4, 4, true],
    ['some of a small wave', share(10), 1, 3, 4, false],
  ])('%s', (_what, brake, bad, ended, size, braked) => {
    expect(isBraked(brake, { bad, ended, size })).toBe(braked);
  });

  it('leaves out what was not sent', () => {
    const counts = { total: 6, open: 1, verified: 2, notSent: 2 };
    expect(tallyOf(counts)).toEqual({ bad: 1, ended: 3, size: 4 });
    // All that were sent have ended, though the wave had more devices.
    expect(isBraked(share(10), tallyOf({ ...counts, open: 0, notSent: 3 }))).toBe(true);
  });

  const tallies = fc
    .tuple(fc.nat(200), fc.nat(200), fc.nat(200))
    .map(([bad, good, rest]) => ({ bad, ended: bad + good, size: bad + good + rest + 1 }));
  const brakes = fc.oneof(
    fc.integer({ min: 1, max: 50 }).map(devices),
    fc.double({ min: 0.1, max: 100, noNaN: true }).map(share),
  );
  property([brakes, tallies])(
    'does not count it as better that another device goes wrong',
    (brake, { bad, ended, size }) => {
      fc.pre(isBraked(brake, { bad, ended, size }));
      expect(isBraked(brake, { bad: bad + 1, ended: ended + 1, size })).toBe(true);
    },
  );

  it.each<[string, Brake, number, number, boolean]>([
    ['a device fewer than it takes', devices(2), 2, 9, false],
    ['more than it takes', devices(2), 3, 9, true],
    ['its share exactly', share(10), 1, 10, false],
    ['more than its share', share(10), 2, 10, true],
    ['none', share(0.1), 0, 10, false],
  ])('drift: %s', (_what, brake, drifted, checked, large) => {
    expect(isDriftTooLarge(brake, { drifted, checked })).toBe(large);
  });
});

const rolloutOf = (count: number, options: PlanOptions = {}) =>
  startRollout(planRollout(count, options), NOW);
const unsent = (total: number): WaveCounts => ({ total, open: total, verified: 0, notSent: 0 });
const allVerified = (total: number): WaveCounts => ({ total, open: 0, verified: total, notSent: 0 });

describe('a wave that ended', () => {
  it('is followed by the next one, after its wait', () => {
    const rollout = rolloutOf(20, { waitMs: MINUTE });
    expect(afterEnd(rollout, allVerified(1), NOW)).toMatchObject({ wave: 1, waveFrom: LATER, hold: null });
  });

  it('waits for a person where the plan says so, and goes on after its wait', () => {
    const rollout = rolloutOf(20, { waitMs: MINUTE, gate: 'manual' });
    const held = afterEnd(rollout, allVerified(1), NOW);
    expect(held).toMatchObject({ wave: 1, hold: { kind: 'gate', at: NOW } });
    expect(afterContinue(held, unsent(1), NOW)).toMatchObject({ wave: 1, waveFrom: LATER, hold: null });
    expect(afterContinue(held, unsent(1), later(LATER, 5))).toMatchObject({ waveFrom: later(LATER, 5) });
  });

  it('is the end of the rollout where it is the last', () => {
    const rollout = { ...rolloutOf(5), wave: 0 };
    expect(afterEnd(rollout, allVerified(5), NOW)).toBe(rollout);
  });

  it('changes nothing while something of it is open', () => {
    const rollout = rolloutOf(20);
    expect(afterEnd(rollout, { total: 1, open: 1, verified: 0, notSent: 0 }, NOW)).toBe(rollout);
  });
});

describe('a held rollout', () => {
  const by = personId('U1');
  it.each<RolloutHold>([
    { kind: 'gate', at: NOW },
    { kind: 'stopped', by, at: NOW },
    { kind: 'braked', bad: 1, ended: 2, at: NOW },
  ])('that is $kind does not move on by itself', (hold) => {
    const rollout = { ...rolloutOf(20), hold };
    expect(afterEnd(rollout, allVerified(1), LATER)).toBe(rollout);
  });

  it.each<RolloutHold>([
    { kind: 'paused', by, at: NOW },
    { kind: 'unanswered', sends: 5, at: NOW },
    { kind: 'expired', at: NOW },
    { kind: 'away', from: NOW, at: NOW },
  ])('that is $kind does not move on by itself, but brakes when too much goes wrong', (hold) => {
    const rollout: Rollout = { ...rolloutOf(20), hold };
    expect(afterEnd(rollout, allVerified(1), LATER)).toBe(rollout);
    const next = afterEnd(rollout, { total: 1, open: 0, verified: 0, notSent: 0 }, LATER);
    expect(next.hold).toEqual({ kind: 'braked', bad: 1, ended: 1, at: LATER, heldFrom: NOW });
  });

  it('goes on in its wave when it is resumed, and what went wrong before counts no more', () => {
    const rollout = rolloutOf(30, { waves: [{ kind: 'devices', devices: 10 }], brake: devices(2) });
    const counts = { total: 10, open: 6, verified: 2, notSent: 0 };
    const braked = afterEnd(rollout, counts, NOW);
    expect(braked.hold).toMatchObject({ kind: 'braked', bad: 2, ended: 4 });
    const resumed = afterResume(braked, counts, LATER);
    expect(resumed).toMatchObject({ wave: 0, waveFrom: LATER, hold: null, forgiven: 2 });
    expect(afterEnd(resumed, { ...counts, open: 5 }, LATER)).toBe(resumed);
    expect(afterEnd(resumed, { ...counts, open: 4 }, LATER).hold).toMatchObject({ kind: 'braked', bad: 4 });
  });

  it('goes on in its next wave when it is resumed after its wave ended', () => {
    const braked = afterEnd(rolloutOf(20), { total: 1, open: 0, verified: 0, notSent: 0 }, NOW);
    const resumed = afterResume(braked, { total: 1, open: 0, verified: 0, notSent: 0 }, LATER);
    expect(resumed).toMatchObject({ wave: 1, waveFrom: LATER, hold: null, forgiven: 0 });
  });
});

const failed = (total: number): WaveCounts => ({ total, open: 0, verified: 0, notSent: 0 });

describe('a wave of which nothing is verified', () => {
  const lax = rolloutOf(12, { waves: [{ kind: 'devices', devices: 3 }], brake: devices(9) });

  it.each<[string, WaveCounts, number | null]>([
    ['all failed', failed(3), 3],
    ['some failed, the others got nothing', { ...failed(3), notSent: 2 }, 1],
    ['all got nothing', { ...failed(3), notSent: 3 }, 0],
    ['one is verified', { ...failed(3), verified: 1 }, null],
  ])('is followed by none, whatever the brake says: %s', (_what, counts, ended) => {
    const next = afterEnd(lax, counts, NOW);
    if (ended === null) return expect(next).toMatchObject({ wave: 1, hold: null });
    expect(next).toMatchObject({ wave: 0, hold: { kind: 'braked', bad: ended, ended, why: 'unproven' } });
    expect(afterResume(next, counts, LATER)).toMatchObject({ wave: 1, hold: null });
  });

  it('is judged when it is over, also after somebody resumed it', () => {
    const open = { ...failed(3), open: 1 };
    expect(afterEnd(lax, open, NOW)).toBe(lax);
    const resumed = afterResume({ ...lax, hold: { kind: 'paused', by: null, at: NOW } }, open, NOW);
    expect(afterEnd(resumed, failed(3), LATER).hold).toMatchObject({ kind: 'braked', why: 'unproven' });
  });

  it('does not hold the last wave, after which there is none', () => {
    const last = { ...lax, wave: 1 };
    expect(afterEnd(last, { ...failed(9), notSent: 1 }, NOW)).toBe(last);
  });
});

describe('calls without a clear answer', () => {
  const counts: WaveCounts = { total: 20, open: 20, verified: 0, notSent: 0 };
  const oneWave = rolloutOf(20, { waves: [] });
  const sends = (from: Rollout, ...answers: readonly SendAnswer[]) =>
    answers.reduce((rollout, answer) => afterEnd(afterAnswer(rollout, answer), counts, NOW), from);
  const lost = (count: number) => Array.from({ length: count }, () => 'lost' as const);

  it.each<[string, readonly SendAnswer[], number | null]>([
    ['none', ['answered', 'answered'], null],
    ['one between others', ['answered', 'lost', 'answered'], null],
    ['as many as are in flight at once', lost(4), null],
    ['five, but not in a row', [...lost(4), 'answered', 'lost'], null],
    ['five in a row', ['answered', ...lost(5)], 5],
    ['five that others come after', [...lost(5), 'answered'], 5],
    ['more that were in flight', lost(8), 5],
  ])('hold it where too many come in a row: %s', (_what, answers, count) => {
    expect(sends(oneWave, ...answers).hold).toEqual(
      count === null ? null : { kind: 'unanswered', sends: count, at: NOW },
    );
  });

  it('are told of a rollout that is paused, but of none that braked or was stopped', () => {
    const by = personId('U1');
    const held = (hold: RolloutHold) => sends({ ...oneWave, hold }, ...lost(5)).hold?.kind;
    expect(held({ kind: 'paused', by, at: NOW })).toBe('unanswered');
    expect(held({ kind: 'braked', bad: 1, ended: 2, at: NOW })).toBe('braked');
    expect(held({ kind: 'stopped', by, at: NOW })).toBe('stopped');
  });

  it('count from the beginning after somebody resumed it, and in the next wave', () => {
    const resumed = afterResume(sends(oneWave, ...lost(7)), counts, LATER);
    expect(resumed).toMatchObject({ hold: null, unanswered: 0, wave: 0 });
    expect(sends(resumed, ...lost(4)).hold).toBeNull();
    expect(sends(resumed, ...lost(5)).hold).toMatchObject({ kind: 'unanswered', sends: 5 });
    const canary = afterAnswer(rolloutOf(20), 'lost');
    expect(afterEnd(canary, allVerified(1), NOW)).toMatchObject({ wave: 1, unanswered: 0 });
  });

  const steps = fc.array(fc.constantFrom('lost', 'lost', 'lost', 'answered', 'resume'), { maxLength: 60 });
  property([steps])(
    'hold it at the fifth in a row, whatever came before and whenever it is resumed',
    (played) => {
      let rollout = oneWave;
      let inRow = 0;
      for (const step of played) {
        const isHeld = rollout.hold !== null;
        if (step === 'resume') {
          rollout = isHeld ? afterResume(rollout, counts, NOW) : rollout;
          inRow = isHeld ? 0 : inRow;
        } else {
          rollout = sends(rollout, step);
          inRow = step === 'lost' ? inRow + 1 : 0;
        }
        const isHoldDue = inRow >= MAX_UNANSWERED || (isHeld && step !== 'resume');
        expect(rollout.hold !== null).toBe(isHoldDue);
      }
    },
  );
});

/** Plays a whole rollout: every device that may be sent is sent, and ends as `ends` says. */
describe('whatever answers come', () => {
  const ends = fc.array(fc.constantFrom('verified', 'bad', 'not_sent'), { minLength: 1, maxLength: 300 });
  const brakes = fc.oneof(
    fc.integer({ min: 1, max: 9 }).map(devices),
    fc.integer({ min: 1, max: 100 }).map(share),
  );

  property([ends, brakes, fc.integer({ min: 1, max: 40 })])(
    'nothing is sent beyond the wave or after the brake, and a brake stays until somebody resumes',
    (answers, brake, percent) => {
      const waves = [{ kind: 'share', percent } as const, { kind: 'share', percent: 2 * percent } as const];
      let rollout = startRollout(planRollout(answers.length, { waves, brake }), NOW);
      const sizes = rollout.plan.waves;
      let position = 0;
      for (let wave = 0; wave < sizes.length && rollout.hold === null; wave += 1) {
        expect(rollout.wave).toBe(wave);
        const total = sizes[wave] ?? 0;
        const counts = { total, open: total, verified: 0, notSent: 0 };
        for (let sent = 0; sent < total; sent += 1) {
          const answer = answers[position + sent];
          counts.open -= 1;
          if (answer === 'verified') counts.verified += 1;
          if (answer === 'not_sent') counts.notSent += 1;
          const before = rollout;
          rollout = afterEnd(rollout, counts, NOW);
          if (before.hold !== null) expect(rollout).toBe(before);
          if (counts.open > 0) expect(rollout.wave).toBe(wave);
          const { bad } = tallyOf(counts);
          const provesNothing = wave + 1 < sizes.length && counts.open === 0 && counts.verified === 0;
          if (provesNothing) expect(rollout).toMatchObject({ wave, hold: { kind: 'braked' } });
          else if (brake.kind === 'devices') expect(rollout.hold !== null).toBe(bad >= brake.devices);
        }
        position += total;
      }
      if (rollout.hold === null) expect(position).toBe(answers.length);
    },
  );
});

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
