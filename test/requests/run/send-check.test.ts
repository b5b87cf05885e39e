import { describe, expect, it } from 'vitest';
import { createManualClock, DAY, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { createSendCheck } from '../../../src/requests/run/send-check.ts';
import { START } from '../../harness/builders.ts';
import { aTarget } from '../builders.ts';

const store = { pause: { currentOrEndedSince: async () => null } };
const claimed = aTarget({ state: 'issuing', issuedAt: START, acceptedAt: null });

/** The claim after its process was suspended for `ms`; `dueMs`: how long before the claim it became due. */
async function heldUp(ms: number, { dueMs = 0, maxAgeMs = 15 * MINUTE } = {}) {
  const clock = createManualClock(START);
  await clock.advance(ms);
  const due = { since: later(START, -dueMs), how: 'approved' } as const;
  return createSendCheck({ store, clock, maxAgeMs }, due).unsentTarget(claimed);
}

describe('a claim whose process was held up', () => {
  it('for less than the limit is sent', async () => {
    expect(await heldUp(15 * MINUTE - SECOND)).toBeNull();
  });

  it('for longer is not sent any more', async () => {
    expect((await heldUp(15 * MINUTE))?.state).toBe('not_sent');
  });

  it('goes by the limit of the configuration file', async () => {
    expect((await heldUp(5 * MINUTE, { maxAgeMs: 5 * MINUTE }))?.state).toBe('not_sent');
  });

  it('counts from when the change became due, not from the claim', async () => {
    expect(await heldUp(MINUTE, { dueMs: 14 * MINUTE })).toMatchObject({
      state: 'not_sent',
      evidence: [
        { kind: 'too-late', since: later(START, -14 * MINUTE), how: 'approved', maxAgeMs: 15 * MINUTE },
      ],
    });
    expect(await heldUp(MINUTE - SECOND, { dueMs: 14 * MINUTE })).toBeNull();
  });

  it('is not sent later where a clock that ran ahead wrote since when it is due', async () => {
    expect(await heldUp(15 * MINUTE, { dueMs: -3 * DAY })).toMatchObject({
      state: 'not_sent',
      evidence: [{ kind: 'delayed' }],
    });
  });
});
