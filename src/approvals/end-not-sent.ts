/** Ends an approved request that may no longer be sent: its operation records why for each target. */
import { type Clock, later, SECOND } from '../lib/clock.ts';
import { newOperationId } from '../lib/ids.ts';
import { newTarget, targetNotSent } from '../operations/claim/target.ts';
import { notifyEnd } from '../operations/completion-messages.ts';
import { targetAuditEntry } from '../operations/record-transition.ts';
import type { ApprovalRecord, OperationRecord, TargetRecord } from '../store/port/records.ts';
import type { StoreTables } from '../store/port/store.ts';
import type { WorkResult } from '../store/work/worker.ts';
import type { ApplyApprovalEvent } from './apply-event.ts';

/** The operation of an approval, without its targets. */
export function operationWithoutTargets(
  approval: ApprovalRecord,
  clock: Clock,
): Omit<OperationRecord, 'targets'> {
  const { organizationId, command, requesterId, requestKey, reason } = approval;
  const head = { organizationId, id: newOperationId(), version: 1, approvalId: approval.id, command };
  return { ...head, requesterId, requestKey, reason, createdAt: clock.now() };
}

/** Stores the operation of an approval with its audit lines, inside the transaction that claims the approval for it. */
export async function storeOperationOfApproval(
  tables: StoreTables,
  operation: OperationRecord,
  clock: Clock,
): Promise<void> {
  const inserted = await tables.operations.insert(operation);
  if (inserted.kind === 'exists')
    throw new Error(`approval ${operation.approvalId} has an operation already`);
  for (const target of operation.targets) await tables.audit.append(targetAuditEntry(target, clock.now()));
  await notifyEnd(tables, operation.id, clock.now());
}

/** `why`: the end of a sentence. `endCause`: where the things it is about are gone. */
export type EndNotSent = (
  approval: ApprovalRecord,
  why: string,
  endCause?: TargetRecord['endCause'],
) => Promise<WorkResult>;

export function createEndNotSent({
  change: applyEvent,
  clock,
}: {
  readonly change: ApplyApprovalEvent;
  readonly clock: Clock;
}): EndNotSent {
  return async (approval, why, endCause = null) => {
    const head = operationWithoutTargets(approval, clock);
    const now = clock.now();
    const targets = approval.targets.map(
      (facts): TargetRecord => ({ ...targetNotSent(newTarget(head.id, facts, now), why, now), endCause }),
    );
    const changed = await applyEvent(approval.id, { kind: 'end-unsent', operationId: head.id }, (tables) =>
      storeOperationOfApproval(tables, { ...head, targets }, clock),
    );
    return changed.kind === 'changed'
      ? { kind: 'done' }
      : { kind: 'again', dueAt: later(clock.now(), SECOND) };
  };
}
