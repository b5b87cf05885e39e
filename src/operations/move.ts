/** Writes what became of a target together with all that follows from it. */

import type { Clock, Instant } from '../clock.ts';
import { isEdit } from '../fleet/orders.ts';
import { operationCard } from '../ids.ts';
import type { AuditEntry, OperationRecord, TargetRecord, TargetState } from '../store/records.ts';
import type { Store, Tables } from '../store/store.ts';
import { editDetail } from './edit-detail.ts';
import { tellEnd } from './telling.ts';
import { unlessUnderWay } from './under-way.ts';

export type Move = {
  readonly operation: OperationRecord;
  /** The state it must still be in. */
  readonly from: TargetState;
  readonly next: TargetRecord;
  /** When to look after it next; absent: somebody else sees to that. */
  readonly followAt?: Instant;
};

/**
 * One transaction: compare-and-set, audit, card, follow-up. Gives what was written: a claim that the device's
 * other commands forbid was ended instead. Null: somebody moved the target first.
 */
export type MoveTarget = (move: Move) => Promise<TargetRecord | null>;

/** The audit line of a target that reached its state. */
export function targetAudit(
  { operationId, deviceId, state, evidence }: TargetRecord,
  at: Instant,
): AuditEntry {
  const detail = { device: deviceId, evidence };
  return { at, actor: 'patchbay', action: `operation.${state}`, subject: operationId, detail };
}

export function createMoveTarget({
  store,
  clock,
}: {
  readonly store: Store;
  readonly clock: Clock;
}): MoveTarget {
  return ({ operation, from, next: wanted, followAt }) =>
    store.transaction(async (tables) => {
      const now = clock.now();
      const { command, createdAt: askedAt } = operation;
      const next = await unlessUnderWay(tables, { command, target: wanted, now, askedAt });
      if (!(await tables.operations.replaceTarget(from, next))) return null;
      if (next.state !== from || next.endedAt !== null) {
        const entry = targetAudit(next, now);
        const detail = { ...entry.detail, ...(await edited(tables, operation, next)) };
        await tables.audit.append({ ...entry, detail });
      }
      if (followAt !== undefined) {
        await tables.work.put({ kind: 'follow', key: operation.id, dueAt: followAt });
      }
      const isShown = shows(operation, next);
      const isOneOfSeveral = operation.targets.length > 1;
      if (next.endedAt !== null || (isShown && isOneOfSeveral)) await tellEnd(tables, operation.id, now);
      if (isShown) await tables.cards.refresh(operationCard(operation), now);
      return next;
    });
}

/** What an edit changed, by the facts that were approved; of one that nobody had to approve it stands with the request. */
async function edited(
  { approvals }: Pick<Tables, 'approvals'>,
  { command, approvalId }: OperationRecord,
  { deviceId, endedAt, state }: TargetRecord,
): Promise<AuditEntry['detail']> {
  if (endedAt === null || state === 'not_sent' || state === 'refused') return {};
  if (approvalId === null || !isEdit(command)) return {};
  const approval = await approvals.get(approvalId);
  const facts = approval?.targets.filter((one) => one.deviceId === deviceId) ?? [];
  return editDetail(command, facts);
}

/** Whether a card shows the difference: what a proof is compared with is on none. */
function shows({ targets }: OperationRecord, next: TargetRecord): boolean {
  const previous = targets.find(({ deviceId }) => deviceId === next.deviceId);
  const { before, missedAt } = next;
  return JSON.stringify({ ...previous, before, missedAt }) !== JSON.stringify(next);
}
