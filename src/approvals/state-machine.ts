/**
 * What can happen to an approval, as a pure machine: `waiting` becomes `approved`, `denied`, `expired` or
 * `withdrawn`. Only `approved` goes on: it is claimed once by one operation, or goes back to `waiting` when the
 * facts changed before anything was sent. Everything else is refused with a reason of its own.
 */
import { checkPermission, type Role } from '../lib/access.ts';
import { type Instant, later } from '../lib/clock.ts';
import type { OperationId, PersonId } from '../lib/ids.ts';
import type { ApprovalRecord, TargetFacts } from '../store/port/records.ts';
import type { DecisionOutcome } from '../views/model.ts';
import { APPROVAL_EXPIRY_MS } from './rules.ts';

export type ApprovalEvent =
  /** `seal` is the one on the card that was pressed. */
  | {
      readonly kind: 'approve' | 'deny';
      readonly by: PersonId;
      readonly role: Role | null;
      readonly seal: string;
    }
  | { readonly kind: 'withdraw'; readonly by: PersonId }
  | { readonly kind: 'add-reason'; readonly by: PersonId; readonly reason: string }
  | { readonly kind: 'expire' }
  /** Slack refuses the card for good, so nobody could ever decide. */
  | { readonly kind: 'unposted'; readonly note: string }
  /** The facts changed since the approval: it waits again with the current ones. */
  | {
      readonly kind: 'drift';
      readonly targets: readonly TargetFacts[];
      readonly seal: string;
      readonly note: string;
    }
  /** The one operation that carries it out, or that records why nothing was sent. */
  | { readonly kind: 'claim' | 'end-unsent'; readonly operationId: OperationId };

export type TransitionResult =
  | { readonly kind: 'next'; readonly approval: ApprovalRecord }
  | { readonly kind: 'refused'; readonly outcome: DecisionOutcome };

/** The approval after `event`, or why it does not happen. */
export function transition(approval: ApprovalRecord, event: ApprovalEvent, now: Instant): TransitionResult {
  switch (event.kind) {
    case 'approve':
    case 'deny':
    case 'withdraw':
    case 'add-reason': {
      const refusal = alreadyDecided(approval, now) ?? notAllowed(approval, event);
      return refusal === null
        ? withPatch(approval, patchOfPersonEvent(event, now))
        : { kind: 'refused', outcome: refusal };
    }
    case 'expire':
      if (approval.state !== 'waiting' || now < approval.expiresAt) return alreadyDecidedResult(approval);
      return withPatch(approval, { state: 'expired', decidedAt: now });
    case 'unposted':
      if (approval.state !== 'waiting') return alreadyDecidedResult(approval);
      return withPatch(approval, { state: 'withdrawn', decidedAt: now, note: event.note });
    case 'drift':
    case 'claim':
    case 'end-unsent':
      if (approval.state !== 'approved' || approval.operationId !== null)
        return alreadyDecidedResult(approval);
      return withPatch(approval, patchOfAfterApprovalEvent(approval, event, now));
  }
}

type ApprovalPatch = Partial<ApprovalRecord>;
type PersonEvent = Extract<ApprovalEvent, { readonly by: PersonId }>;
type AfterApprovalEvent = Extract<ApprovalEvent, { readonly kind: 'drift' | 'claim' | 'end-unsent' }>;

function patchOfPersonEvent(event: PersonEvent, now: Instant): ApprovalPatch {
  switch (event.kind) {
    case 'approve':
      return { state: 'approved', decidedBy: event.by, decidedAt: now };
    case 'deny':
      return { state: 'denied', decidedBy: event.by, decidedAt: now };
    case 'withdraw':
      return { state: 'withdrawn', decidedBy: event.by, decidedAt: now };
    case 'add-reason':
      return { reason: event.reason };
  }
}

function patchOfAfterApprovalEvent(
  { decidedBy, decidedAt }: ApprovalRecord,
  event: AfterApprovalEvent,
  now: Instant,
): ApprovalPatch {
  switch (event.kind) {
    case 'drift':
      return {
        state: 'waiting',
        targets: event.targets,
        seal: event.seal,
        note: event.note,
        expiresAt: later(now, APPROVAL_EXPIRY_MS),
        decidedBy: null,
        decidedAt: null,
        approvedBy: decidedBy,
        approvedAt: decidedAt,
      };
    case 'claim':
    case 'end-unsent':
      return { operationId: event.operationId };
  }
}

/** A request past its expiry counts as expired even before the `expire` work has run. */
function alreadyDecided(approval: ApprovalRecord, now: Instant): DecisionOutcome | null {
  if (approval.state !== 'waiting') {
    const { state, decidedBy: by, decidedAt: at } = approval;
    return { kind: 'already', approval, state, by, at };
  }
  return now >= approval.expiresAt
    ? { kind: 'already', approval, state: 'expired', by: null, at: approval.expiresAt }
    : null;
}

function notAllowed(approval: ApprovalRecord, event: PersonEvent): DecisionOutcome | null {
  const own = event.by === approval.requesterId;
  switch (event.kind) {
    case 'approve':
    case 'deny': {
      if (own) return { kind: 'own-request' };
      const access = checkPermission(event.role, 'approve');
      if (!access.allowed) return { kind: 'not-allowed', need: access.needed, role: event.role };
      return event.seal === approval.seal ? null : { kind: 'stale-card' };
    }
    case 'withdraw':
      return own ? null : { kind: 'not-requester' };
    case 'add-reason': {
      if (!own) return { kind: 'not-requester' };
      // An approver may have read the reason, so it never changes: another reason needs another request.
      return approval.reason === null ? null : { kind: 'reason-given', reason: approval.reason };
    }
  }
}

function withPatch(approval: ApprovalRecord, change: ApprovalPatch): TransitionResult {
  return { kind: 'next', approval: { ...approval, ...change, version: approval.version + 1 } };
}

function alreadyDecidedResult(approval: ApprovalRecord): TransitionResult {
  const { state, decidedBy: by, decidedAt: at } = approval;
  return { kind: 'refused', outcome: { kind: 'already', approval, state, by, at } };
}
