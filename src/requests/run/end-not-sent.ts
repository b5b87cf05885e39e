/** Ends those targets of a request that nothing may be sent for any more. */
import { chunksOf } from '../../lib/chunks.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Evidence, EvidenceList } from '../../store/port/evidence.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import { notSent } from '../target.ts';
import type { RecordMoves } from './ledger.ts';

export type EndNotSent = (
  request: RequestRecord,
  ready: readonly RequestTarget[],
  why: EvidenceList,
) => Promise<void>;

type EndOptions = { readonly recordMoves: RecordMoves; readonly clock: Pick<Clock, 'now'> };

/** All other work waits for the audit trail meanwhile. */
const TARGETS_PER_TRANSACTION = 500;

/** Ends each for its own reason. */
export async function endEach(
  { recordMoves, clock }: EndOptions,
  request: RequestRecord,
  ready: readonly { readonly target: RequestTarget; readonly why: Evidence | EvidenceList }[],
): Promise<void> {
  for (const part of chunksOf(ready, TARGETS_PER_TRANSACTION)) {
    const now = clock.now();
    await recordMoves(
      request,
      part.map(({ target, why }) => ({ from: 'ready', next: notSent(target, why, now) })),
    );
  }
}

export function createEndNotSent(options: EndOptions): EndNotSent {
  return (request, ready, why) =>
    endEach(
      options,
      request,
      ready.map((target) => ({ target, why })),
    );
}
