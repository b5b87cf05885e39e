/**
 * Acting on an approval: what was approved is what runs. The facts are read again; whatever changed sends it back to
 * the approver, and nothing was sent. Otherwise one transaction claims it for one operation, and only then is the
 * command sent.
 */
import { type Clock, later, MINUTE } from '../clock.ts';
import { FleetFailure } from '../fleet/fleet.ts';
import { type ApprovalId, approvalId, newOperationId, operationId } from '../ids.ts';
import { targetAudit } from '../operations/move.ts';
import type { Operations } from '../operations/operations.ts';
import { BEFORE_SENDING_MS, retrySoon } from '../operations/schedule.ts';
import type { Found } from '../operations/survey.ts';
import { claim, readyTarget } from '../operations/target.ts';
import { clip, errorText } from '../operations/words.ts';
import type { OnStep } from '../steps.ts';
import type { ApprovalRecord, ClaimedWork, DeviceFacts, OperationRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import { createChange } from './change.ts';
import { type Reread, type RereadOptions, readAgain } from './reread.ts';
import { seal } from './seal.ts';

export type ActHandlerOptions = RereadOptions & {
  readonly store: Store;
  readonly operations: Pick<Operations, 'send' | 'act'>;
  /** Wakes the worker. */
  readonly kick: () => void;
  readonly onStep?: OnStep | undefined;
};

/** Handler of `act` work, whose key is `approval:<id>` or `operation:<id>`. */
export function createActHandler(options: ActHandlerOptions): (work: ClaimedWork) => Promise<WorkResult> {
  const actOnApproval = createActOnApproval(options);
  return async ({ key, attempts }) => {
    const id = key.slice(key.indexOf(':') + 1);
    if (key.startsWith('approval:')) return actOnApproval(approvalId(id), attempts);
    if (key.startsWith('operation:')) return options.operations.act(operationId(id), attempts);
    throw new Error('act work with an unknown key');
  };
}

function createActOnApproval(options: ActHandlerOptions) {
  const { store, clock, operations, kick, onStep } = options;
  const change = createChange({ store, clock });

  const carryOut = async (approval: ApprovalRecord, found: readonly Found[]): Promise<WorkResult> => {
    const operation = operationFor(approval, found, clock);
    const changed = await change(
      approval.id,
      { kind: 'claim', operationId: operation.id },
      async (tables) => {
        const inserted = await tables.operations.insert(operation);
        if (inserted.kind === 'exists') throw new Error(`approval ${approval.id} has an operation already`);
        for (const target of operation.targets) await tables.audit.append(targetAudit(target, clock.now()));
      },
    );
    if (changed.kind !== 'changed') return { kind: 'again', dueAt: clock.now() };
    await onStep?.('operation.claimed');
    for (const target of operation.targets.filter(({ state }) => state === 'issuing')) {
      await operations.send(operation, target);
    }
    kick();
    return { kind: 'done' };
  };

  /** With no device left, or another request waiting for the same, there is nothing to ask again. */
  const sendBack = async (
    { id, command }: ApprovalRecord,
    targets: readonly DeviceFacts[],
    note: string,
  ): Promise<WorkResult> => {
    const event = { kind: 'drift', targets, seal: seal({ command, targets }), note } as const;
    const changed = targets.length === 0 ? null : await change(id, event);
    if (changed === null) await change(id, { kind: 'abandon', note });
    if (changed?.kind === 'blocked') {
      await change(id, { kind: 'abandon', note: `${note} Another request for the same is waiting.` });
    }
    kick();
    return { kind: 'done' };
  };

  const unread = async (
    approval: ApprovalRecord,
    { error }: FleetFailure,
    attempts: number,
  ): Promise<WorkResult> => {
    const now = clock.now();
    const since = approval.decidedAt ?? approval.createdAt;
    if (now < later(since, BEFORE_SENDING_MS))
      return { kind: 'again', dueAt: retrySoon(error, attempts, now) };
    const minutes = BEFORE_SENDING_MS / MINUTE;
    const note = `Nothing was sent: ${errorText(error)}, for ${minutes} minutes after the approval.`;
    return sendBack(approval, approval.targets, note);
  };

  const reread = (approval: ApprovalRecord): Promise<Reread | FleetFailure> =>
    readAgain(approval, options).catch((error: unknown) => {
      if (error instanceof FleetFailure) return error;
      throw error;
    });

  return async (id: ApprovalId, attempts: number): Promise<WorkResult> => {
    const approval = await store.approvals.get(id);
    if (approval === null || approval.state !== 'approved') return { kind: 'done' };
    if (approval.operationId !== null) return operations.act(approval.operationId, attempts);
    const read = await reread(approval);
    if (read instanceof FleetFailure) return unread(approval, read, attempts);
    if (read.changes.length > 0) return sendBack(approval, read.targets, driftNote(read.changes));
    return carryOut(approval, read.found);
  };
}

/** Longest note on a card. */
const NOTE_LENGTH = 1000;

function driftNote(changes: readonly string[]): string {
  return clip(`Nothing was sent, because something changed: ${changes.join('; ')}.`, NOTE_LENGTH);
}

function operationFor(approval: ApprovalRecord, found: readonly Found[], clock: Clock): OperationRecord {
  const { organizationId, command, requesterId, requestKey, reason, targets } = approval;
  const id = newOperationId();
  const now = clock.now();
  const claimed = targets.flatMap((facts) => {
    const one = found.find(({ device }) => device.id === facts.deviceId);
    return one === undefined ? [] : [claim(readyTarget(id, facts, now), command, one, now)];
  });
  const head = { organizationId, id, version: 1, approvalId: approval.id, command };
  return { ...head, requesterId, requestKey, reason, createdAt: now, targets: claimed };
}
