import { describe, expect, it } from 'vitest';
import { createManualClock, MINUTE, SECOND, yieldToEventLoop } from '../../../src/lib/clock.ts';
import { createRecordResults } from '../../../src/requests/run/claim-and-send.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aTarget } from '../builders.ts';

describe('the record of a result', () => {
  /** A ledger that fails until `at` of the clock, and the times of its tries. */
  function failingUntil(at: number) {
    const clock = createManualClock(START);
    const tries: number[] = [];
    const recordResults = createRecordResults({
      clock,
      recordMoves: async (_, moves) => {
        tries.push(clock.now() - START);
        if (clock.now() - START < at) throw new Error('connection terminated');
        return moves.map(({ next }) => next);
      },
    });
    const recorded = recordResults(aRequest(), [aTarget()]);
    return { clock, tries, recorded };
  }
  const pass = async (clock: ReturnType<typeof createManualClock>) => {
    for (let quarters = 0; quarters < 60; quarters += 1) {
      await yieldToEventLoop();
      await clock.advance(SECOND / 4);
    }
    await yieldToEventLoop();
  };

  it('is tried again until the database answers', async () => {
    const { clock, tries, recorded } = failingUntil(7 * SECOND);
    await pass(clock);
    await recorded;
    expect(tries).toEqual([0, 0, 250, 750, 1750, 3750, 7750]);
  });

  it('is given up after some seconds, with the error', async () => {
    const { clock, tries, recorded } = failingUntil(MINUTE);
    const ended = expect(recorded).rejects.toThrow('connection terminated');
    await pass(clock);
    await ended;
    expect(tries).toEqual([0, 0, 250, 750, 1750, 3750, 7750, 11750]);
  });
});
