import { expect, it } from 'vitest';
import { createManualClock } from '../../../src/lib/clock.ts';
import { createEndNotSent } from '../../../src/requests/run/ledger.ts';
import type { TargetMove } from '../../../src/store/port/request-store.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aTarget } from '../builders.ts';

it('the targets of a large request end 500 at a time, so that nothing else waits for all of them', async () => {
  const written: (readonly TargetMove[])[] = [];
  const endNotSent = createEndNotSent({
    recordMoves: async (_, moves) => {
      written.push(moves);
      return moves.map(({ next }) => next);
    },
    clock: createManualClock(START),
  });
  const ready = Array.from({ length: 1001 }, (_, position) => aTarget({ position, state: 'ready' }));
  await endNotSent(aRequest(), ready, [{ kind: 'delayed' }]);
  expect(written.map(({ length }) => length)).toEqual([500, 500, 1]);
  expect(written.flat().map(({ next }) => next.position)).toEqual(ready.map(({ position }) => position));
  for (const { next } of written.flat()) expect(next).toMatchObject({ state: 'not_sent', endedAt: START });
});
