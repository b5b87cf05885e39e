/** Carries out a stored operation: recovers claims of a stopped process, reads each target, claims it and sends. */

import { type FleetError, FleetFailure, type FleetReader } from '../fleet/fleet.ts';
import { type Clock, type Instant, later } from '../lib/clock.ts';
import type { OnFailpoint } from '../lib/failpoints.ts';
import type { OperationId } from '../lib/ids.ts';
import type { OperationRecord, TargetRecord } from '../store/port/records.ts';
import type { Store } from '../store/port/store.ts';
import type { WorkResult } from '../store/work/worker.ts';
import { readForAction } from './claim/action-read.ts';
import { claimFor, goneBeforeSending, targetNotSent } from './claim/target.ts';
import { retryBefore } from './look-schedule.ts';
import type { RecordTransition } from './record-transition.ts';
import { type DueSince, tooLateReason, unreadUntilTooLateText } from './send/send-check.ts';
import type { ClaimSender } from './send/send-claims.ts';

/** `attempts`: how often this was tried before. */
export type ExecuteOperation = (id: OperationId, attempts: number) => Promise<WorkResult>;

export type ExecuteOperationOptions = {
  readonly store: Store;
  readonly reader: FleetReader;
  readonly clock: Clock;
  readonly recordTransition: RecordTransition;
  readonly sender: ClaimSender;
  /** Whether the process is about to end: then nothing more is sent. Absent: it is not. */
  readonly isStopping?: () => boolean;
  /** From this age on a change is not sent any more. */
  readonly maxAgeMs: number;
  readonly onFailpoint?: OnFailpoint | undefined;
};

/** A target after what it is about was read, or when to read that again. */
type PreparedTarget =
  | { readonly kind: 'target'; readonly next: TargetRecord }
  | { readonly kind: 'later'; readonly dueAt: Instant };

export function createExecuteOperation(options: ExecuteOperationOptions): ExecuteOperation {
  const {
    store,
    reader,
    clock,
    recordTransition,
    sender,
    maxAgeMs,
    isStopping = () => false,
    onFailpoint,
  } = options;

  const read = async (operation: OperationRecord, target: TargetRecord): Promise<TargetRecord> => {
    const { command, organizationId } = operation;
    const { deviceId } = target;
    const lateReason = tooLateReason(dueSinceRequest(operation), maxAgeMs, clock.now());
    if (lateReason !== null) return targetNotSent(target, lateReason, clock.now());
    const subject = { deviceId, organizationId, command, now: clock.now() };
    const found = await readForAction(reader, subject, 'person');
    const now = clock.now();
    // Reading takes its time, too.
    const lateNow = tooLateReason(dueSinceRequest(operation), maxAgeMs, now);
    if (lateNow !== null) return targetNotSent(target, lateNow, now);
    return found.kind === 'gone' ? goneBeforeSending(target, command, now) : claimFor(target, found, now);
  };

  const retryOrGiveUp = (
    operation: OperationRecord,
    target: TargetRecord,
    { error, attempts }: { readonly error: FleetError; readonly attempts: number },
  ): PreparedTarget => {
    const now = clock.now();
    const dueAt = retryBefore(later(dueSinceRequest(operation).since, maxAgeMs), { error, attempts, now });
    if (dueAt !== null) return { kind: 'later', dueAt };
    return { kind: 'target', next: targetNotSent(target, unreadUntilTooLateText(error), now) };
  };

  const prepare = async (
    operation: OperationRecord,
    target: TargetRecord,
    attempts: number,
  ): Promise<PreparedTarget> => {
    try {
      return { kind: 'target', next: await read(operation, target) };
    } catch (error) {
      if (!(error instanceof FleetFailure)) throw error;
      return retryOrGiveUp(operation, target, { error: error.error, attempts });
    }
  };

  const start = async (operation: OperationRecord, target: TargetRecord, attempts: number) => {
    const prepared = await prepare(operation, target, attempts);
    if (prepared.kind === 'later') return prepared.dueAt;
    // A command sent now might be interrupted, and its outcome would be unknown.
    if (isStopping()) return clock.now();
    const moved = await recordTransition({ operation, from: 'ready', next: prepared.next });
    if (moved?.state === 'issuing') {
      await onFailpoint?.('operation.claimed');
      await sender.send(operation, [moved], dueSinceRequest(operation));
    }
    return null;
  };

  return async (id, attempts) => {
    const operation = await store.operations.get(id);
    if (operation === null) return { kind: 'done' };
    await sender.recover(operation);
    const again: Instant[] = [];
    for (const target of operation.targets.filter(({ state }) => state === 'ready')) {
      const dueAt = await start(operation, target, attempts);
      if (dueAt !== null) again.push(dueAt);
    }
    const [dueAt] = again.toSorted((a, b) => a - b);
    return dueAt === undefined ? { kind: 'done' } : { kind: 'again', dueAt };
  };
}

/** What was approved is claimed as soon as it is an operation, so what is not sent yet needed nobody’s approval. */
function dueSinceRequest({ createdAt }: OperationRecord): DueSince {
  return { since: createdAt, how: 'requested' };
}
