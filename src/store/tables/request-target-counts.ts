/** Counts of targets that no request keeps. */
import { chunksOf } from '../../lib/chunks.ts';
import type { Instant } from '../../lib/clock.ts';
import { type RequestId, requestId } from '../../lib/ids.ts';
import type { TargetState } from '../port/records.ts';
import type { TargetStore } from '../port/request-store.ts';
import type { Session } from '../session.ts';

/** Their ids are parameters of one statement. */
const REQUESTS_PER_STATEMENT = 500;

export async function countDueAfter(
  session: Session,
  {
    requests,
    states,
    after,
  }: {
    readonly requests: readonly RequestId[];
    readonly states: readonly TargetState[];
    readonly after: Instant;
  },
): ReturnType<TargetStore['countDueAfter']> {
  const counts = new Map<RequestId, number>();
  for (const part of chunksOf(requests, REQUESTS_PER_STATEMENT)) {
    const rows = await session
      .db()
      .selectFrom('requestTargets')
      .select(({ fn }) => ['requestId', fn.countAll().as('targets')])
      .where('organizationId', '=', session.organizationId)
      .where('requestId', 'in', part)
      .where('state', 'in', states)
      .where('deadlineAt', '>', after)
      .groupBy('requestId')
      .execute();
    for (const row of rows) counts.set(requestId(row.requestId), Number(row.targets));
  }
  return counts;
}
