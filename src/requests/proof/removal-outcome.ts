/** What became of a removal, by whether the service still shows the thing: pure. */

import type { Instant } from '../../lib/clock.ts';
import type { EvidenceList } from '../../store/port/evidence.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';

export type RemovedThing = 'device' | 'group';

/** After the service took the removal, or after it was found done: proven where the thing is gone, else followed. */
export function concludeRemoval(
  target: RequestTarget,
  { thing, gone }: { readonly thing: RemovedThing; readonly gone: boolean },
  now: Instant,
): RequestTarget {
  if (!gone) return { ...target, state: 'accepted', evidence: [{ kind: 'still-there', thing }] };
  const lost: EvidenceList = target.acceptedAt === null ? [{ kind: 'shown-after-loss' }] : [];
  return { ...target, state: 'verified', endedAt: now, evidence: [...lost, { kind: 'removed', thing }] };
}

/** A followed removal after one look. What is still there in the end is never removed again. */
export function evaluateRemoval(
  target: RequestTarget,
  found: { readonly thing: RemovedThing; readonly gone: boolean },
  now: Instant,
): RequestTarget {
  if (found.gone) return concludeRemoval(target, found, now);
  if (now < target.deadlineAt) return target;
  const answerLost = target.state === 'unknown';
  return {
    ...target,
    state: answerLost ? 'unknown' : 'not_verified',
    endedAt: now,
    evidence: [
      { kind: 'edit-unconfirmed', answerLost },
      { kind: 'still-there', thing: found.thing },
    ],
  };
}
