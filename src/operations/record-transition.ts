/** Stores the new state of a target together with its audit line, card update and follow-up. */

import { isEdit } from '../fleet/model/actions.ts';
import type { Clock, Instant } from '../lib/clock.ts';
import { operationCardKey } from '../lib/ids.ts';
import type { AuditEntry, OperationRecord, TargetRecord, TargetState } from '../store/port/records.ts';
import type { Store, StoreTables } from '../store/port/store.ts';
import { claimUnlessUnderWay } from './claim/under-way.ts';
import { notifyEnd } from './completion-messages.ts';
import { editAuditDetail } from './edit-audit-detail.ts';

export type TargetTransition = {
  readonly operation: OperationRecord;
  /** The state it must still be in. */
  readonly from: TargetState;
  readonly next: TargetRecord;
  /** When to look at it next; absent: its follow-up is scheduled elsewhere. */
  readonly followAt?: Instant;
};

/**
 * One transaction: compare-and-set, audit, card, follow-up. Gives what was written: a claim that the device's
 * other commands forbid was ended instead. Null: somebody moved the target first.
 */
export type RecordTransition = (move: TargetTransition) => Promise<TargetRecord | null>;

/** The audit line of a target that reached its state. */
export function targetAuditEntry(
  { operationId, deviceId, state, evidence }: TargetRecord,
  at: Instant,
): AuditEntry {
  const detail = { device: deviceId, evidence };
  return { at, actor: 'patchbay', action: `operation.${state}`, subject: operationId, detail };
}

export function createRecordTransition({
  store,
  clock,
}: {
  readonly store: Store;
  readonly clock: Clock;
}): RecordTransition {
  return ({ operation, from, next: requested, followAt }) =>
    store.transaction(async (tables) => {
      const now = clock.now();
      const { command, createdAt: requestedAt } = operation;
      const next = await claimUnlessUnderWay(tables, { command, target: requested, now, requestedAt });
      if (!(await tables.operations.replaceTarget(from, next))) return null;
      if (next.state !== from || next.endedAt !== null) {
        const entry = targetAuditEntry(next, now);
        const detail = { ...entry.detail, ...(await editedFieldsDetail(tables, operation, next)) };
        await tables.audit.append({ ...entry, detail });
      }
      if (followAt !== undefined) {
        await tables.work.put({ kind: 'follow', key: operation.id, dueAt: followAt });
      }
      const isShown = changesCard(operation, next);
      const isOneOfSeveral = operation.targets.length > 1;
      if (next.endedAt !== null || (isShown && isOneOfSeveral)) await notifyEnd(tables, operation.id, now);
      if (isShown) await tables.cards.enqueueUpdate(operationCardKey(operation), now);
      return next;
    });
}

/** What an edit changed, by the facts that were approved; of one that nobody had to approve it stands with the request. */
async function editedFieldsDetail(
  { approvals }: Pick<StoreTables, 'approvals'>,
  { command, approvalId }: OperationRecord,
  { deviceId, endedAt, state }: TargetRecord,
): Promise<AuditEntry['detail']> {
  if (endedAt === null || state === 'not_sent' || state === 'refused') return {};
  if (approvalId === null || !isEdit(command)) return {};
  const approval = await approvals.get(approvalId);
  const facts = approval?.targets.filter((one) => one.deviceId === deviceId) ?? [];
  return editAuditDetail(command, facts);
}

/** Whether a card shows the difference: no card shows the baseline. */
function changesCard({ targets }: OperationRecord, next: TargetRecord): boolean {
  const previous = targets.find(({ deviceId }) => deviceId === next.deviceId);
  const { before, missedAt } = next;
  return JSON.stringify({ ...previous, before, missedAt }) !== JSON.stringify(next);
}
