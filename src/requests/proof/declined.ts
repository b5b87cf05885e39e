/** A call that was answered by a 2xx with an error in it. It counts only once what it may have done was looked for: pure. */

import type { Instant } from '../../lib/clock.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import type { QueueMatch } from './queue-match.ts';

/** Looked for, and not there: the service's words count. Null: its answer was lost, or it was found meanwhile. */
export function declinedAfterAll(target: RequestTarget, now: Instant): RequestTarget | null {
  const [lost] = target.evidence;
  if (target.state !== 'unknown' || lost?.kind !== 'answer-lost' || lost.error.declined !== true) return null;
  return { ...target, state: 'refused', endedAt: now, evidence: [{ kind: 'refused', error: lost.error }] };
}

/**
 * A command after a look at the queue that does not have it. Only the second one counts: a list may be short for a moment.
 * What need not stand in the queue is looked for until the deadline.
 */
export function declinedUnlisted(match: QueueMatch, target: RequestTarget, now: Instant): RequestTarget {
  const { evidence } = match;
  const refused = declinedAfterAll(target, now);
  if (refused === null || evidence?.kind !== 'accepted' || evidence.inQueue !== 'not-seen') return target;
  const { missedAt } = target;
  return missedAt !== null && missedAt < now ? refused : { ...target, missedAt: missedAt ?? now };
}
