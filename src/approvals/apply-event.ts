/**
 * Applies an event to a stored approval: one transaction writes the new state by compare-and-set together with the
 * work, the card and the audit line that follow from it. After a lost race the record is read and judged again.
 */
import type { Clock, Instant } from '../lib/clock.ts';
import { type ApprovalId, cardKey } from '../lib/ids.ts';
import { notifyApprover, notifyOfReturn, notifyRequester } from '../operations/completion-messages.ts';
import { clip } from '../operations/evidence-text.ts';
import type { ApprovalRecord, AuditEntry } from '../store/port/records.ts';
import type { Store, StoreTables } from '../store/port/store.ts';
import type { DecisionOutcome } from '../views/model.ts';
import { type ApprovalEvent, transition } from './state-machine.ts';

export type EventResult =
  | { readonly kind: 'changed'; readonly approval: ApprovalRecord }
  | { readonly kind: 'refused'; readonly outcome: DecisionOutcome }
  /** It cannot wait again, because another request for the same change is waiting. */
  | { readonly kind: 'blocked' };

export type ApplyApprovalEvent = (
  id: ApprovalId,
  event: ApprovalEvent,
  /** Joins the transaction. */
  also?: (tables: StoreTables) => Promise<void>,
) => Promise<EventResult>;

/** Lost races in a row: more than this is a fault. */
const MAX_TRIES = 20;

export function createApplyApprovalEvent({
  store,
  clock,
}: {
  readonly store: Store;
  readonly clock: Clock;
}): ApplyApprovalEvent {
  return async (id, event, inSameTransaction) => {
    let tried: number | null = null;
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const approval = await store.approvals.get(id);
      if (approval === null) return { kind: 'refused', outcome: { kind: 'absent' } };
      const now = clock.now();
      const transitioned = transition(approval, event, now);
      if (transitioned.kind === 'refused') return transitioned;
      if (approval.version === tried) return { kind: 'blocked' };
      const { approval: next } = transitioned;
      const won = await store.transaction(async (tables) => {
        if (!(await tables.approvals.replace(next))) return false;
        await inSameTransaction?.(tables);
        await recordEventEffects(tables, { before: approval, approval: next, event, now });
        return true;
      });
      if (won) return { kind: 'changed', approval: next };
      tried = approval.version;
    }
    throw new Error(`approval ${id} changed too often to be changed`);
  };
}

type AppliedEvent = {
  readonly before: ApprovalRecord;
  readonly approval: ApprovalRecord;
  readonly event: ApprovalEvent;
  readonly now: Instant;
};

/** What follows from a change, inside its transaction. */
export async function recordEventEffects(
  tables: StoreTables,
  { before, approval, event, now }: AppliedEvent,
): Promise<void> {
  const { id } = approval;
  switch (event.kind) {
    case 'approve':
      await tables.work.drop('expire', id);
      await tables.work.put({ kind: 'act', key: cardKey('approval', id), dueAt: now });
      break;
    case 'drift':
      await tables.work.put({ kind: 'expire', key: id, dueAt: approval.expiresAt });
      await notifyOfReturn(tables, { before, after: approval, now });
      break;
    case 'withdraw':
      await tables.work.drop('expire', id);
      break;
    case 'deny':
    case 'unposted':
      await tables.work.drop('expire', id);
      await notifyRequester(tables, approval, now);
      break;
    case 'expire':
      await notifyRequester(tables, approval, now);
      break;
    case 'add-reason':
    case 'claim':
      break;
    case 'end-unsent':
      await notifyApprover(tables, { before, after: approval, now });
      break;
  }
  await tables.cards.enqueueUpdate(cardKey('approval', id), now);
  await tables.audit.append(auditEntryOf(approval, event, now));
}

const AUDIT_ACTIONS: Readonly<Record<ApprovalEvent['kind'], string>> = {
  approve: 'approval.approved',
  deny: 'approval.denied',
  withdraw: 'approval.withdrawn',
  'add-reason': 'approval.reason-added',
  expire: 'approval.expired',
  unposted: 'approval.unposted',
  drift: 'approval.sent-back',
  claim: 'approval.claimed',
  'end-unsent': 'approval.ended-unsent',
};

/** The event's own note: the stored one may belong to an earlier return. */
function eventNote(event: ApprovalEvent): string | null {
  return 'note' in event ? event.note : null;
}

function auditEntryOf(approval: ApprovalRecord, event: ApprovalEvent, now: Instant): AuditEntry {
  return {
    at: now,
    actor: 'by' in event ? event.by : 'patchbay',
    action: AUDIT_ACTIONS[event.kind],
    subject: approval.id,
    detail: {
      ...reasonAuditDetail(event.kind === 'add-reason' ? event.reason : null),
      seal: approval.seal,
      note: eventNote(event),
      operation: approval.operationId,
    },
  };
}

/** Characters of a reason that the audit keeps; the card shows all of it. */
const MAX_AUDITED_REASON_LENGTH = 300;

/** A person's reason as audit detail; empty where none was given. */
export function reasonAuditDetail(reason: string | null): AuditEntry['detail'] {
  return reason === null ? {} : { reason: clip(reason, MAX_AUDITED_REASON_LENGTH) };
}
