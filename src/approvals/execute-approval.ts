/**
 * Acting on an approval: what was approved is what runs. The facts are read again; whatever changed sends it back to
 * the approver, and nothing was sent. Otherwise one transaction claims it for one operation, and only then is the
 * command sent.
 */

import { FleetFailure } from '../fleet/fleet.ts';
import { type Clock, type Instant, later, SECOND } from '../lib/clock.ts';
import type { OnFailpoint } from '../lib/failpoints.ts';
import { type ApprovalId, approvalId, type DeviceId, operationId } from '../lib/ids.ts';
import type { ActionRead } from '../operations/claim/action-read.ts';
import { claimFor, newTarget } from '../operations/claim/target.ts';
import { claimUnlessUnderWay } from '../operations/claim/under-way.ts';
import { retryBefore } from '../operations/look-schedule.ts';
import type { OperationService } from '../operations/operations.ts';
import { type DueSince, tooLateReason, unreadUntilTooLateText } from '../operations/send/send-check.ts';
import type { ApprovalRecord, ClaimedWork, OperationRecord, TargetRecord } from '../store/port/records.ts';
import type { Store, StoreTables } from '../store/port/store.ts';
import type { WorkResult } from '../store/work/worker.ts';
import { createApplyApprovalEvent } from './apply-event.ts';
import { createEndNotSent, operationWithoutTargets, storeOperationOfApproval } from './end-not-sent.ts';
import { ChangesPaused, catchPaused, throwIfPaused } from './pause-switch.ts';
import { type RereadOptions, type RereadResult, rereadTargets } from './reread-facts.ts';
import { createReturnForApproval } from './return-for-approval.ts';

export type ExecuteHandlerOptions = RereadOptions & {
  readonly store: Store;
  readonly operations: Pick<OperationService, 'send' | 'execute'>;
  /** Whether the process is about to end: then nothing more is sent. Absent: it is not. */
  readonly isStopping?: () => boolean;
  /** From this age on a change is not sent any more. */
  readonly maxAgeMs: number;
  /** Wakes the worker. */
  readonly wakeWorker: () => void;
  readonly onFailpoint?: OnFailpoint | undefined;
};

/** Handler of `act` work, whose key is `approval:<id>` or `operation:<id>`. */
export function createExecuteHandler(
  options: ExecuteHandlerOptions,
): (work: ClaimedWork) => Promise<WorkResult> {
  const actOnApproval = createExecuteApproval(options);
  return async ({ key, attempts }) => {
    const id = key.slice(key.indexOf(':') + 1);
    if (key.startsWith('approval:')) return actOnApproval(approvalId(id), attempts);
    if (key.startsWith('operation:')) return options.operations.execute(operationId(id), attempts);
    throw new Error('act work with an unknown key');
  };
}

function createExecuteApproval(options: ExecuteHandlerOptions) {
  const { store, clock, operations, maxAgeMs, wakeWorker, isStopping = () => false, onFailpoint } = options;
  const applyEvent = createApplyApprovalEvent({ store, clock });
  const endNotSent = createEndNotSent({ change: applyEvent, clock });
  const returnForApproval = createReturnForApproval({ applyEvent, endNotSent });

  const claimAndSend = async (
    approval: ApprovalRecord,
    found: readonly ActionRead[],
  ): Promise<WorkResult> => {
    const newOperation = operationFromApproval(approval, found, clock);
    let operation = newOperation;
    const event = { kind: 'claim', operationId: newOperation.id } as const;
    const inSameTransaction = async (tables: StoreTables): Promise<void> => {
      await throwIfPaused(tables, approval.decidedAt);
      operation = await claimUnlessOthersUnderWay(tables, newOperation, clock.now());
      await storeOperationOfApproval(tables, operation, clock);
    };
    const changed = await catchPaused(() => applyEvent(approval.id, event, inSameTransaction));
    if (changed instanceof ChangesPaused) return returnForApproval.paused(approval, changed.pause);
    if (changed.kind !== 'changed') return { kind: 'again', dueAt: later(clock.now(), SECOND) };
    await onFailpoint?.('operation.claimed');
    const claimed = operation.targets.filter(({ state }) => state === 'issuing');
    await operations.send(operation, claimed, dueSinceApproval(approval));
    return { kind: 'done' };
  };

  const executeIfUnchanged = (approval: ApprovalRecord, read: RereadResult): Promise<WorkResult> => {
    // Reading takes its time, too.
    const lateReason = tooLateReason(dueSinceApproval(approval), maxAgeMs, clock.now());
    if (lateReason !== null) return endNotSent(approval, lateReason);
    if (read.changes.length > 0) return returnForApproval.changed(approval, read);
    // A command sent now might be interrupted, and its outcome would be unknown.
    if (isStopping()) return Promise.resolve({ kind: 'again', dueAt: clock.now() });
    return claimAndSend(approval, read.found);
  };

  /** A service that cannot be read is tried again as long as something may be sent. `attempts`: reads before this one. */
  const retryOrGiveUp = async (
    approval: ApprovalRecord,
    { error }: FleetFailure,
    attempts: number,
  ): Promise<WorkResult> => {
    const end = later(dueSinceApproval(approval).since, maxAgeMs);
    const dueAt = retryBefore(end, { error, attempts, now: clock.now() });
    return dueAt === null ? endNotSent(approval, unreadUntilTooLateText(error)) : { kind: 'again', dueAt };
  };

  const rereadAndExecute = async (approval: ApprovalRecord, attempts: number): Promise<WorkResult> => {
    const lateReason = tooLateReason(dueSinceApproval(approval), maxAgeMs, clock.now());
    if (lateReason !== null) return endNotSent(approval, lateReason);
    const read = await reread(approval);
    return read instanceof FleetFailure
      ? retryOrGiveUp(approval, read, attempts)
      : executeIfUnchanged(approval, read);
  };

  const reread = (approval: ApprovalRecord): Promise<RereadResult | FleetFailure> =>
    rereadTargets(approval, options).catch((error: unknown) => {
      if (error instanceof FleetFailure) return error;
      throw error;
    });

  return async (id: ApprovalId, attempts: number): Promise<WorkResult> => {
    const approval = await store.approvals.get(id);
    if (approval === null || approval.state !== 'approved') return { kind: 'done' };
    if (approval.operationId !== null) return operations.execute(approval.operationId, attempts);
    const result = await rereadAndExecute(approval, attempts);
    wakeWorker();
    return result;
  };
}

/** The operation with its claims as far as the devices' other commands allow them. */
async function claimUnlessOthersUnderWay(
  tables: StoreTables,
  operation: OperationRecord,
  now: Instant,
): Promise<OperationRecord> {
  const { command } = operation;
  const targets: TargetRecord[] = [];
  for (const target of operation.targets) {
    targets.push(await claimUnlessUnderWay(tables, { command, target, now, requestedAt: now }));
  }
  return { ...operation, targets };
}

/** An approved change is due since its approval. */
function dueSinceApproval({ decidedAt, createdAt }: ApprovalRecord): DueSince {
  return { since: decidedAt ?? createdAt, how: 'approved' };
}

function deviceOfRead(read: ActionRead): DeviceId | null {
  return read.kind === 'edit' ? read.facts.deviceId : read.device.id;
}

function operationFromApproval(
  approval: ApprovalRecord,
  found: readonly ActionRead[],
  clock: Clock,
): OperationRecord {
  const head = operationWithoutTargets(approval, clock);
  const now = clock.now();
  const targets = approval.targets.flatMap((facts) => {
    const one = found.find((read) => deviceOfRead(read) === facts.deviceId);
    return one === undefined ? [] : [claimFor(newTarget(head.id, facts, now), one, now)];
  });
  return { ...head, targets };
}
