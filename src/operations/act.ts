/** Acting on an operation that is stored: takes up what a stop left, reads each device, claims it and sends. */
import { type Clock, type Instant, later, MINUTE } from '../clock.ts';
import { FleetFailure, type FleetReader } from '../fleet/fleet.ts';
import type { OperationId } from '../ids.ts';
import type { OnStep } from '../steps.ts';
import type { OperationRecord, TargetRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import { claimOf } from './edit-claim.ts';
import { surveyOrder } from './edit-survey.ts';
import type { MoveTarget } from './move.ts';
import type { Runner } from './run.ts';
import { BEFORE_SENDING_MS, retrySoon } from './schedule.ts';
import { unsent } from './target.ts';
import { errorText } from './words.ts';

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
  readonly onStep?: OnStep | undefined;
};

/** A target after what it is about was read, or when to read that again. */
type Prepared =
  | { readonly kind: 'target'; readonly next: TargetRecord }
  | { readonly kind: 'later'; readonly dueAt: Instant };

export function createActOnOperation(options: ActOptions): ActOnOperation {
  const { store, reader, clock, move, runner, isStopping = () => false, onStep } = options;

  const prepare = async (
    { command, organizationId, createdAt }: OperationRecord,
    target: TargetRecord,
    attempts: number,
  ): Promise<Prepared> => {
    try {
      const { deviceId } = target;
      const subject = { deviceId, organizationId, command, now: clock.now() };
      const found = await surveyOrder(reader, subject, 'person');
      const now = clock.now();
      const gone = found.kind === 'gone';
      return { kind: 'target', next: gone ? unsent(target, GONE, now) : claimOf(target, found, now) };
    } catch (error) {
      if (!(error instanceof FleetFailure)) throw error;
      const now = clock.now();
      if (now < later(createdAt, BEFORE_SENDING_MS)) {
        return { kind: 'later', dueAt: retrySoon(error.error, attempts, now) };
      }
      const why = `${errorText(error.error)}, for ${BEFORE_SENDING_MS / MINUTE} minutes`;
      return { kind: 'target', next: unsent(target, why, now) };
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
      await runner.send(operation, [moved]);
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

const GONE = 'the management service does not know the device any more';
