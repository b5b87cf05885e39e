/**
 * Brings an event to a stored approval: one transaction writes the new state by compare-and-set together with the
 * work, the card and the audit line that follow from it. Who was not first reads again and is judged again.
 */
import type { Clock, Instant } from '../clock.ts';
import { type ApprovalId, cardKey } from '../ids.ts';
import { tellApprover, tellRequester, tellReturned } from '../operations/telling.ts';
import type { ApprovalRecord, AuditEntry } from '../store/records.ts';
import type { Store, Tables } from '../store/store.ts';
import type { DecisionOutcome } from '../views/model.ts';
import { reasonDetail } from './reason.ts';
import { type ApprovalEvent, step } from './states.ts';

export type Changed =
  | { readonly kind: 'changed'; readonly approval: ApprovalRecord }
  | { readonly kind: 'refused'; readonly outcome: DecisionOutcome }
  /** It cannot wait again, because another approval waits for the same. */
  | { readonly kind: 'blocked' };

export type Change = (
  id: ApprovalId,
  event: ApprovalEvent,
  /** Joins the transaction. */
  also?: (tables: Tables) => Promise<void>,
) => Promise<Changed>;

/** Somebody else was first each time: more than this is no race but a fault. */
const MOST_TRIES = 20;

export function createChange({ store, clock }: { readonly store: Store; readonly clock: Clock }): Change {
  return async (id, event, also) => {
    let tried: number | null = null;
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const approval = await store.approvals.get(id);
      if (approval === null) return { kind: 'refused', outcome: { kind: 'absent' } };
      const now = clock.now();
      const stepped = step(approval, event, now);
      if (stepped.kind === 'refused') return stepped;
      if (approval.version === tried) return { kind: 'blocked' };
      const { approval: next } = stepped;
      const won = await store.transaction(async (tables) => {
        if (!(await tables.approvals.replace(next))) return false;
        await also?.(tables);
        await recordChange(tables, { before: approval, approval: next, event, now });
        return true;
      });
      if (won) return { kind: 'changed', approval: next };
      tried = approval.version;
    }
    throw new Error(`approval ${id} changed too often to be changed`);
  };
}

type Happened = {
  readonly before: ApprovalRecord;
  readonly approval: ApprovalRecord;
  readonly event: ApprovalEvent;
  readonly now: Instant;
};

/** What follows from a change, inside its transaction. */
export async function recordChange(
  tables: Tables,
  { before, approval, event, now }: Happened,
): Promise<void> {
  const { id } = approval;
  switch (event.kind) {
    case 'approve':
      await tables.work.drop('expire', id);
      await tables.work.put({ kind: 'act', key: cardKey('approval', id), dueAt: now });
      break;
    case 'drift':
      await tables.work.put({ kind: 'expire', key: id, dueAt: approval.expiresAt });
      await tellReturned(tables, { before, after: approval, now });
      break;
    case 'withdraw':
      await tables.work.drop('expire', id);
      break;
    case 'deny':
    case 'unposted':
      await tables.work.drop('expire', id);
      await tellRequester(tables, approval, now);
      break;
    case 'expire':
      await tellRequester(tables, approval, now);
      break;
    case 'add-reason':
    case 'claim':
      break;
    case 'end-unsent':
      await tellApprover(tables, { before, after: approval, now });
      break;
  }
  await tables.cards.refresh(cardKey('approval', id), now);
  await tables.audit.append(auditOf(approval, event, now));
}

const ACTIONS: Readonly<Record<ApprovalEvent['kind'], string>> = {
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

/** That of the event itself: an earlier one belongs to what it sent back, and not to what is sent after all. */
function noteOf(event: ApprovalEvent): string | null {
  return 'note' in event ? event.note : null;
}

function auditOf(approval: ApprovalRecord, event: ApprovalEvent, now: Instant): AuditEntry {
  return {
    at: now,
    actor: 'by' in event ? event.by : 'patchbay',
    action: ACTIONS[event.kind],
    subject: approval.id,
    detail: {
      ...reasonDetail(event.kind === 'add-reason' ? event.reason : null),
      seal: approval.seal,
      note: noteOf(event),
      operation: approval.operationId,
    },
  };
}
