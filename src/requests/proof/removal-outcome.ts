/** What became of a removal, by whether the service still shows the thing: pure. */

import type { Removed } from '../../fleet/fleet.ts';
import type { RecordKind } from '../../fleet/model/actions.ts';
import type { Instant } from '../../lib/clock.ts';
import type { EvidenceList } from '../../store/port/evidence.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import { stopLooking } from './edit-outcome.ts';

type Found = Removed & { readonly thing: RecordKind };

/** After the service took the removal, or after it was found done: proven where the thing is gone, else followed. */
export function concludeRemoval(target: RequestTarget, { thing, gone }: Found, now: Instant): RequestTarget {
  if (!gone) return { ...target, state: 'accepted', evidence: [{ kind: 'still-there', thing }] };
  const lost: EvidenceList = target.acceptedAt === null ? [{ kind: 'shown-after-loss' }] : [];
  return { ...target, state: 'verified', endedAt: now, evidence: [...lost, { kind: 'removed', thing }] };
}

/** A followed removal after one look. What is still there in the end is never removed again. */
export function evaluateRemoval(target: RequestTarget, found: Found, now: Instant): RequestTarget {
  if (found.gone) return concludeRemoval(target, found, now);
  if (now < target.deadlineAt) return target;
  return stopLooking(target, [{ kind: 'still-there', thing: found.thing }], now);
}
