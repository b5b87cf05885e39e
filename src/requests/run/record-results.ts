/** Records what became of claims, for as long as it takes a database to fail over. */

import { type Clock, monotonicNow, SECOND, waitOn } from '../../lib/clock.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import type { RecordMoves } from './ledger.ts';

export type RecordResults = (request: RequestRecord, results: readonly RequestTarget[]) => Promise<void>;

/** Between the tries; the first is made at once, because most failures are those of one connection. */
const PAUSES_MS = [0, SECOND / 4, SECOND / 2, SECOND, 2 * SECOND, 4 * SECOND, 4 * SECOND] as const;
/** No try begins later, however long those before took. */
const MAX_TRYING_MS = 15 * SECOND;

/**
 * What is known of a call is lost with its record, and the target would be unknown: so a write that fails is repeated
 * for some seconds. It only writes what still is as it was, so a repeated one does no harm.
 */
export function createRecordResults({
  recordMoves,
  clock,
}: {
  readonly recordMoves: RecordMoves;
  readonly clock: Clock;
}): RecordResults {
  /** Another replica may have taken a claim for a dead sender's; an answer is the better knowledge. */
  const record: RecordResults = async (request, results) => {
    const moves = results.map((next) => ({ from: 'issuing', next }) as const);
    const written = new Set((await recordMoves(request, moves)).map(({ position }) => position));
    const taken = moves.filter(({ next }) => !written.has(next.position) && next.state !== 'ready');
    if (taken.length === 0) return;
    await recordMoves(
      request,
      taken.map(({ next }) => ({ from: 'unknown', next })),
    );
  };
  return async (request, results) => {
    const begun = monotonicNow();
    for (const pauseMs of PAUSES_MS) {
      try {
        return await record(request, results);
      } catch (error) {
        if (monotonicNow() - begun > MAX_TRYING_MS) throw error;
        if (pauseMs > 0) await waitOn(clock, pauseMs);
      }
    }
    return record(request, results);
  };
}
