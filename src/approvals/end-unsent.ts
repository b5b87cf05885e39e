/** Ends an approved request that nothing may be sent for any more: its operation says why of each device. */
import { type Clock, later, SECOND } from '../clock.ts';
import { newOperationId } from '../ids.ts';
import { targetAudit } from '../operations/move.ts';
import { readyTarget, unsent } from '../operations/target.ts';
import { tellEnd } from '../operations/telling.ts';
import type { ApprovalRecord, OperationRecord, TargetRecord } from '../store/records.ts';
import type { Tables } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import type { Change } from './change.ts';

/** What carries out an approval, without its targets. */
export function operationHead(approval: ApprovalRecord, clock: Clock): Omit<OperationRecord, 'targets'> {
  const { organizationId, command, requesterId, requestKey, reason } = approval;
  const head = { organizationId, id: newOperationId(), version: 1, approvalId: approval.id, command };
  return { ...head, requesterId, requestKey, reason, createdAt: clock.now() };
}

/** Stores the operation of an approval with its audit lines, inside the transaction that claims the approval for it. */
export async function storeOperation(
  tables: Tables,
  operation: OperationRecord,
  clock: Clock,
): Promise<void> {
  const inserted = await tables.operations.insert(operation);
  if (inserted.kind === 'exists')
    throw new Error(`approval ${operation.approvalId} has an operation already`);
  for (const target of operation.targets) await tables.audit.append(targetAudit(target, clock.now()));
  await tellEnd(tables, operation.id, clock.now());
}

/** `why`: the end of a sentence. */
export type EndUnsent = (approval: ApprovalRecord, why: string) => Promise<WorkResult>;

export function createEndUnsent({
  change,
  clock,
}: {
  readonly change: Change;
  readonly clock: Clock;
}): EndUnsent {
  return async (approval, why) => {
    const head = operationHead(approval, clock);
    const now = clock.now();
    const targets = approval.targets.map(
      (facts): TargetRecord => unsent(readyTarget(head.id, facts, now), why, now),
    );
    const changed = await change(approval.id, { kind: 'end-unsent', operationId: head.id }, (tables) =>
      storeOperation(tables, { ...head, targets }, clock),
    );
    return changed.kind === 'changed'
      ? { kind: 'done' }
      : { kind: 'again', dueAt: later(clock.now(), SECOND) };
  };
}
