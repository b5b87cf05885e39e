/** Acting on an operation that is stored: takes up what a stop left, reads each device, claims it and sends. */
import { type Clock, type Instant, later } from '../clock.ts';
import { type FleetError, FleetFailure, type FleetReader } from '../fleet/fleet.ts';
import type { OperationId } from '../ids.ts';
import type { OnStep } from '../steps.ts';
import type { OperationRecord, TargetRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import { claimOf } from './edit-claim.ts';
import { surveyOrder } from './edit-survey.ts';
import type { MoveTarget } from './move.ts';
import type { Runner } from './run.ts';
import { retryBefore } from './schedule.ts';
import { unsent } from './target.ts';
import { type Due, tooLate, unreadText } from './too-late.ts';
import { goneText } from './words.ts';

/** `attempts`: how often this was tried before. */
export type ActOnOperation = (id: OperationId, attempts: number) => Promise<WorkResult>;

export type ActOptions = {
  readonly store: Store;
  readonly reader: FleetReader;
  readonly clock: Clock;
  readonly move: MoveTarget;
  readonly runner: Runner;
  /** Whether the process is about to end: then nothing more is sent. Absent: it is not. */
  readonly isStopping?: () => boolean;
  /** From this age on a change is not sent any more. */
  readonly maxAgeMs: number;
  readonly onStep?: OnStep | undefined;
};

/** A target after what it is about was read, or when to read that again. */
type Prepared =
  | { readonly kind: 'target'; readonly next: TargetRecord }
  | { readonly kind: 'later'; readonly dueAt: Instant };

export function createActOnOperation(options: ActOptions): ActOnOperation {
  const { store, reader, clock, move, runner, maxAgeMs, isStopping = () => false, onStep } = options;

  const read = async (operation: OperationRecord, target: TargetRecord): Promise<TargetRecord> => {
    const { command, organizationId } = operation;
    const { deviceId } = target;
    const late = tooLate(dueOf(operation), maxAgeMs, clock.now());
    if (late !== null) return unsent(target, late, clock.now());
    const subject = { deviceId, organizationId, command, now: clock.now() };
    const found = await surveyOrder(reader, subject, 'person');
    const now = clock.now();
    // Reading takes its time, too.
    const passed = tooLate(dueOf(operation), maxAgeMs, now);
    if (passed !== null) return unsent(target, passed, now);
    return found.kind === 'gone' ? unsent(target, goneText(command), now) : claimOf(target, found, now);
  };

  const unread = (
    operation: OperationRecord,
    target: TargetRecord,
    { error, attempts }: { readonly error: FleetError; readonly attempts: number },
  ): Prepared => {
    const now = clock.now();
    const dueAt = retryBefore(later(dueOf(operation).since, maxAgeMs), { error, attempts, now });
    if (dueAt !== null) return { kind: 'later', dueAt };
    return { kind: 'target', next: unsent(target, unreadText(error), now) };
  };

  const prepare = async (
    operation: OperationRecord,
    target: TargetRecord,
    attempts: number,
  ): Promise<Prepared> => {
    try {
      return { kind: 'target', next: await read(operation, target) };
    } catch (error) {
      if (!(error instanceof FleetFailure)) throw error;
      return unread(operation, target, { error: error.error, attempts });
    }
  };

  const start = async (operation: OperationRecord, target: TargetRecord, attempts: number) => {
    const prepared = await prepare(operation, target, attempts);
    if (prepared.kind === 'later') return prepared.dueAt;
    // A command begun now might be cut short, and its outcome would be unknown.
    if (isStopping()) return clock.now();
    const moved = await move({ operation, from: 'ready', next: prepared.next });
    if (moved?.state === 'issuing') {
      await onStep?.('operation.claimed');
      await runner.send(operation, [moved], dueOf(operation));
    }
    return null;
  };

  return async (id, attempts) => {
    const operation = await store.operations.get(id);
    if (operation === null) return { kind: 'done' };
    await runner.recover(operation);
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
function dueOf({ createdAt }: OperationRecord): Due {
  return { since: createdAt, how: 'requested' };
}
