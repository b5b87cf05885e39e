/** Commands and edits from the claim to the proof, joined: the only part of the product that can change the fleet. */
import type { Clock } from '../clock.ts';
import type { FleetEditor } from '../fleet/edits.ts';
import type { FleetReader, FleetWriter } from '../fleet/fleet.ts';
import type { Log } from '../log.ts';
import type { OnStep } from '../steps.ts';
import type { ClaimedWork } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import { type ActOnOperation, createActOnOperation } from './act.ts';
import type { Learner } from './edit-run.ts';
import { createFollowHandler } from './follow.ts';
import { createMoveTarget } from './move.ts';
import { createRunner, type Runner } from './run.ts';

export type OperationsOptions = {
  readonly store: Store;
  readonly reader: FleetReader;
  readonly writer: FleetWriter;
  readonly editor: FleetEditor;
  /** Takes things as they read after a change. */
  readonly learner?: Learner;
  readonly clock: Clock;
  /** From this age on a change is not sent any more. */
  readonly maxAgeMs: number;
  /** Wakes the worker. */
  readonly kick: () => void;
  /** Whether the process is about to end: then nothing more is sent. Absent: it is not. */
  readonly isStopping?: () => boolean;
  readonly log?: Log;
  readonly onStep?: OnStep | undefined;
};

export type Operations = {
  /** Sends claims; only for the caller whose transaction wrote them. */
  readonly send: Runner['send'];
  /** Carries out a stored operation, or takes up what a stop left of it. */
  readonly act: ActOnOperation;
  /** Handler of `follow` work. */
  readonly follow: (work: ClaimedWork) => Promise<WorkResult>;
};

export function createOperations(options: OperationsOptions): Operations {
  const move = createMoveTarget(options);
  const runner = createRunner({ ...options, move });
  return {
    send: runner.send,
    act: createActOnOperation({ ...options, move, runner }),
    follow: createFollowHandler({ ...options, move }),
  };
}
