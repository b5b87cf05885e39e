/**
 * Follows sent targets to their proof: reads queue and device, judges, and records each move, until every target
 * ended. Nobody waits for it, so it reads on the background lane. Only what is due is looked at; many devices are seen
 * in lists meanwhile.
 */

import type { OnFailpoint } from '../../lib/failpoints.ts';
import { requestId } from '../../lib/ids.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { ClaimedWork } from '../../store/port/records.ts';
import { FOLLOWED_STATES } from '../../store/port/request-records.ts';
import { isFollowedByLists } from '../list-following.ts';
import type { RecordMoves } from '../run/ledger.ts';
import { createFollowByLists, type ListFollowingOptions } from './follow-by-lists.ts';
import { createLook, type RecordLooks } from './look-at-target.ts';

export type FollowOptions = Omit<ListFollowingOptions, 'look' | 'record'> & {
  readonly recordMoves: RecordMoves;
  /** Wakes the worker, so that the card is drawn at once. */
  readonly wakeWorker: () => void;
  readonly onFailpoint?: OnFailpoint | undefined;
};

/** Targets that are looked at before the work gives way to that of other requests. */
const LOOKS_AT_A_TIME = 20;

/** Handler of `follow` work, whose key is the request's id. */
export function createFollowHandler(options: FollowOptions): (work: ClaimedWork) => Promise<WorkResult> {
  const { store, clock, recordMoves, wakeWorker, onFailpoint } = options;
  const look = createLook(options);

  const record: RecordLooks = async (request, moves) => {
    if (moves.length === 0) return;
    const written = await recordMoves(request, moves);
    if (moves.some(({ quiet }) => quiet !== true)) wakeWorker();
    if (written.some(({ state }) => state === 'verified')) await onFailpoint?.('target.verified');
  };

  const followByLists = createFollowByLists({ ...options, look, record });

  return async ({ key }) => {
    const request = await store.requests.get(requestId(key));
    if (request === null) return { kind: 'done' };
    if (isFollowedByLists(request)) return followByLists(request);
    for (const target of await store.targets.due(request.id, clock.now(), LOOKS_AT_A_TIME))
      await record(request, [await look(request, target)]);
    const dueAt = await store.targets.nextAt(request.id, FOLLOWED_STATES);
    return dueAt === null ? { kind: 'done' } : { kind: 'again', dueAt };
  };
}
