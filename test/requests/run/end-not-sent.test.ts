import { expect, it } from 'vitest';
import { createManualClock } from '../../../src/lib/clock.ts';
import { endEach } from '../../../src/requests/run/ledger.ts';
import type { TargetMove } from '../../../src/store/port/request-records.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aTarget } from '../builders.ts';

it('the targets of a large request end 500 at a time, so that nothing else waits for all of them', async () => {
  const written: (readonly TargetMove[])[] = [];
  const recordMoves = async (_: unknown, moves: readonly TargetMove[]) => {
    written.push(moves);
    return moves.map(({ next }) => next);
  };
  const ready = Array.from({ length: 1001 }, (_, position) => aTarget({ position, state: 'ready' }));
  const ends = ready.map((target) => ({ target, why: { kind: 'delayed' } as const }));
  await endEach({ recordMoves, clock: createManualClock(START) }, aRequest(), ends);
  expect(written.map(({ length }) => length)).toEqual([500, 500, 1]);
  expect(written.flat().map(({ next }) => next.position)).toEqual(ready.map(({ position }) => position));
  for (const { next } of written.flat()) expect(next).toMatchObject({ state: 'not_sent', endedAt: START });
});
