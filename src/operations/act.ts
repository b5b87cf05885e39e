/** Acting on an operation that is stored: takes up what a stop left, reads each device, claims it and sends. */
import { type Clock, type Instant, later, MINUTE } from '../clock.ts';
import { FleetFailure, type FleetReader } from '../fleet/fleet.ts';
import type { OperationId } from '../ids.ts';
import type { OnStep } from '../steps.ts';
import type { OperationRecord, TargetRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import type { MoveTarget } from './move.ts';
import type { Runner } from './run.ts';
import { BEFORE_SENDING_MS, retrySoon } from './schedule.ts';
import { survey } from './survey.ts';
import { claim, unsent } from './target.ts';
import { errorText } from './words.ts';

/** `attempts`: how often this was tried before. */
export type ActOnOperation = (id: OperationId, attempts: number) => Promise<WorkResult>;

export type ActOptions = {
  readonly store: Store;
  readonly reader: FleetReader;
  readonly clock: Clock;
  readonly move: MoveTarget;
  readonly runner: Runner;
  readonly onStep?: OnStep | undefined;
};

export function createActOnOperation(options: ActOptions): ActOnOperation {
  const { store, reader, clock, move, runner, onStep } = options;

  /** The target after reading its device, or when to read it again. */
  const prepare = async (
    { command, organizationId, createdAt }: OperationRecord,
    target: TargetRecord,
    attempts: number,
  ): Promise<TargetRecord | Instant> => {
    try {
      const { deviceId } = target;
      const found = await survey(reader, { deviceId, organizationId, command }, 'person');
      if (found.kind === 'gone') return unsent(target, GONE, clock.now());
      return claim(target, command, found, clock.now());
    } catch (error) {
      if (!(error instanceof FleetFailure)) throw error;
      const now = clock.now();
      if (now < later(createdAt, BEFORE_SENDING_MS)) return retrySoon(error.error, attempts, now);
      return unsent(target, `${errorText(error.error)}, for ${BEFORE_SENDING_MS / MINUTE} minutes`, now);
    }
  };

  const start = async (operation: OperationRecord, target: TargetRecord, attempts: number) => {
    const next = await prepare(operation, target, attempts);
    if (typeof next === 'number') return next;
    const won = await move({ operation, from: 'ready', next });
    if (won && next.state === 'issuing') {
      await onStep?.('operation.claimed');
      await runner.send(operation, next);
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
