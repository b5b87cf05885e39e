import { describe, expect, it } from 'vitest';
import { createManualClock, MINUTE, SECOND } from '../../src/clock.ts';
import { createStopped } from '../../src/operations/stopped.ts';
import { START } from '../harness/builders.ts';
import { aTarget } from '../harness/records.ts';

const store = { pause: { since: async () => null } };
const claimed = aTarget({ state: 'issuing', issuedAt: START, acceptedAt: null });

describe('a claim whose process was held up', () => {
  it('for less than the limit is sent', async () => {
    const clock = createManualClock(START);
    await clock.advance(15 * MINUTE - SECOND);
    expect(await createStopped({ store, clock }).since(claimed)).toBeNull();
  });

  it('for longer is not sent any more', async () => {
    const clock = createManualClock(START);
    await clock.advance(15 * MINUTE);
    expect(await createStopped({ store, clock }).since(claimed)).toMatchObject({
      state: 'not_sent',
      evidence: 'Not sent: too late. Patchbay itself was held up right before it sent this.',
    });
  });

  it('goes by the limit of the configuration file', async () => {
    const clock = createManualClock(START);
    await clock.advance(5 * MINUTE);
    const ended = await createStopped({ store, clock, maxAgeMs: 5 * MINUTE }).since(claimed);
    expect(ended?.state).toBe('not_sent');
  });
});
