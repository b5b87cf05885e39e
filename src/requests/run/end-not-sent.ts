/** Ends those targets of a request that nothing may be sent for any more. */
import { chunksOf } from '../../lib/chunks.ts';
import type { Clock } from '../../lib/clock.ts';
import type { EvidenceList } from '../../store/port/evidence.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import { notSent } from '../target.ts';
import type { RecordMoves } from './ledger.ts';

export type EndNotSent = (
  request: RequestRecord,
  ready: readonly RequestTarget[],
  why: EvidenceList,
) => Promise<void>;

/** All other work waits for the audit trail meanwhile. */
const TARGETS_PER_TRANSACTION = 500;

export function createEndNotSent({
  recordMoves,
  clock,
}: {
  readonly recordMoves: RecordMoves;
  readonly clock: Pick<Clock, 'now'>;
}): EndNotSent {
  return async (request, ready, why) => {
    for (const part of chunksOf(ready, TARGETS_PER_TRANSACTION)) {
      const now = clock.now();
      await recordMoves(
        request,
        part.map((target) => ({ from: 'ready', next: notSent(target, why, now) })),
      );
    }
  };
}
