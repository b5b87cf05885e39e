import { describe, expect, it } from 'vitest';
import { createManualClock, DAY, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { createSendCheck, startClaimAge } from '../../../src/requests/run/send-check.ts';
import { START } from '../../harness/builders.ts';
import { aTarget } from '../builders.ts';

const claimed = aTarget({ state: 'issuing', issuedAt: START, acceptedAt: null });
const other = { ...claimed, position: 1 };
const YOUNG = { isSafe: () => true };
const SEND = { kind: 'send', claims: [claimed] };
const HELD_UP = {
  kind: 'give-back',
  why: { kind: 'unsent', error: { kind: 'timeout', held: { kind: 'delayed' } } },
};
const store = {
  pause: { currentOrEndedSince: async () => null },
  targets: { stillClaimed: async () => [claimed] },
};

/** The claim after its process was suspended for `ms`; `dueMs`: how long before the claim it became due. */
async function heldUp(ms: number, { dueMs = 0, maxAgeMs = 15 * MINUTE } = {}) {
  const clock = createManualClock(START);
  await clock.advance(ms);
  const due = { since: later(START, -dueMs), how: 'approved' } as const;
  return createSendCheck({ store, clock, maxAgeMs }, due)([claimed, other], YOUNG);
}

describe('a claim whose process was held up', () => {
  it('for less than the limit is sent', async () => {
    expect(await heldUp(15 * MINUTE - SECOND)).toEqual(SEND);
  });

  it('for longer is not sent any more', async () => {
    expect((await heldUp(15 * MINUTE)).kind).toBe('end');
  });

  it('goes by the limit of the configuration file', async () => {
    expect((await heldUp(5 * MINUTE, { maxAgeMs: 5 * MINUTE })).kind).toBe('end');
  });

  it('counts from when the change became due, not from the claim', async () => {
    expect(await heldUp(MINUTE, { dueMs: 14 * MINUTE })).toEqual({
      kind: 'end',
      why: { kind: 'too-late', since: later(START, -14 * MINUTE), how: 'approved', maxAgeMs: 15 * MINUTE },
    });
    expect(await heldUp(MINUTE - SECOND, { dueMs: 14 * MINUTE })).toEqual(SEND);
  });

  it('is not sent later where a clock that ran ahead wrote since when it is due', async () => {
    expect(await heldUp(15 * MINUTE, { dueMs: -3 * DAY })).toEqual({
      kind: 'end',
      why: { kind: 'delayed' },
    });
  });
});

describe('a claim that others may have taken over by now', () => {
  const check = createSendCheck(
    { store, clock: createManualClock(START), maxAgeMs: 15 * MINUTE },
    { since: START, how: 'approved' },
  );

  it.each(['time that nobody sets', 'time of day'])(
    'is given back half a lease after it began: by the %s',
    async (which) => {
      let now = 1_000;
      const passing = () => now;
      const standing = () => 0;
      const age =
        which === 'time of day' ? startClaimAge(standing, passing) : startClaimAge(passing, standing);
      now += 15 * SECOND;
      expect(await check([claimed], age)).toEqual(SEND);
      now += 1;
      expect(await check([claimed], age)).toMatchObject(HELD_UP);
    },
  );

  it('is given back where the database does not say whether changes are paused', async () => {
    const failing = { ...store, targets: { stillClaimed: () => Promise.reject(new Error('gone')) } };
    const options = { store: failing, clock: createManualClock(START), maxAgeMs: MINUTE };
    const due = { since: START, how: 'requested' } as const;
    expect(await createSendCheck(options, due)([claimed], YOUNG)).toEqual({
      kind: 'give-back',
      why: { kind: 'pause-unread' },
    });
  });
});
