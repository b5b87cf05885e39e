/** Counts of targets that no request keeps. */
import type { Instant } from '../../lib/clock.ts';
import { type RequestId, requestId } from '../../lib/ids.ts';
import type { TargetState } from '../port/records.ts';
import type { TargetStore } from '../port/request-store.ts';
import type { Session } from '../session.ts';
import { ownRows } from './own-rows.ts';

export async function countDueAfter(
  session: Session,
  requests: readonly RequestId[],
  { states, after }: { readonly states: readonly TargetState[]; readonly after: Instant },
): ReturnType<TargetStore['countDueAfter']> {
  if (requests.length === 0) return new Map();
  const rows = await ownRows(session, 'requestTargets')
    .select(({ fn }) => ['requestId', fn.countAll().as('targets')])
    .where('requestId', 'in', requests)
    .where('state', 'in', states)
    .where('deadlineAt', '>', after)
    .groupBy('requestId')
    .execute();
  return new Map(rows.map((row) => [requestId(row.requestId), Number(row.targets)]));
}
