/** Whether the people behind a request still have their rights: pure. */
import type { AccessVerdict, Permission } from '../../lib/access.ts';
import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';

/** `asOf`: when Slack gave the oldest answer that it stands on; null: none was needed. */
export type RightReading = { readonly verdict: AccessVerdict; readonly asOf: Instant | null };

/** Whether somebody has a right, by answers of Slack that are at most {@link PROOF_AGE_MS} old. */
export type ReadRight = (person: PersonId, right: Permission) => Promise<RightReading>;

export const PROOF_AGE_MS = MINUTE;

export type RightsProof =
  /** Until then something may be claimed; null: without an end. */
  | { readonly kind: 'proved'; readonly until: Instant | null }
  | { readonly kind: 'lost'; readonly who: 'requester' | 'approver' }
  /** Slack does not say. */
  | { readonly kind: 'unread' };

/** Whoever let go on what is to be sent now. */
export function approversOf({ decidedBy, rollout }: RequestRecord): readonly PersonId[] {
  return [decidedBy, rollout?.resumedBy ?? null].filter((person) => person !== null);
}

export function judgeRights(requester: RightReading, approvers: readonly RightReading[]): RightsProof {
  if (requester.verdict === 'refused') return { kind: 'lost', who: 'requester' };
  if (approvers.some(({ verdict }) => verdict === 'refused')) return { kind: 'lost', who: 'approver' };
  const all = [requester, ...approvers];
  if (all.some(({ verdict }) => verdict === 'unknown')) return { kind: 'unread' };
  const [oldest = null] = all.flatMap(({ asOf }) => asOf ?? []).toSorted((a, b) => a - b);
  return { kind: 'proved', until: oldest && later(oldest, PROOF_AGE_MS) };
}
