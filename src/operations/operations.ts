/** Commands and edits from the claim to the proof, joined: the only part of the product that can change the fleet. */

import type { FleetReader, FleetWriter } from '../fleet/fleet.ts';
import type { FleetEditor } from '../fleet/model/edits.ts';
import type { Clock } from '../lib/clock.ts';
import type { OnFailpoint } from '../lib/failpoints.ts';
import type { Log } from '../lib/log.ts';
import type { ClaimedWork } from '../store/port/records.ts';
import type { Store } from '../store/port/store.ts';
import type { WorkResult } from '../store/work/worker.ts';
import { createExecuteOperation, type ExecuteOperation } from './execute-operation.ts';
import { createFollowHandler } from './follow/follow-operation.ts';
import { createRecordTransition } from './record-transition.ts';
import { type ClaimSender, createClaimSender } from './send/send-claims.ts';
import type { FleetChangeListener } from './send/send-edit.ts';

export type OperationServiceOptions = {
  readonly store: Store;
  readonly reader: FleetReader;
  readonly writer: FleetWriter;
  readonly editor: FleetEditor;
  /** Gets devices and groups as they were read after a change. */
  readonly changeListener?: FleetChangeListener;
  readonly clock: Clock;
  /** Age in milliseconds from which a change is no longer sent. */
  readonly maxAgeMs: number;
  /** Wakes the worker. */
  readonly wakeWorker: () => void;
  /** Whether the process is about to end: then nothing more is sent. Absent: it is not. */
  readonly isStopping?: () => boolean;
  readonly log?: Log;
  readonly onFailpoint?: OnFailpoint | undefined;
};

export type OperationService = {
  /** Sends claims; only for the caller whose transaction wrote them. */
  readonly send: ClaimSender['send'];
  /** Carries out a stored operation, or continues one that a stop interrupted. */
  readonly execute: ExecuteOperation;
  /** Handler of `follow` work. */
  readonly follow: (work: ClaimedWork) => Promise<WorkResult>;
};

export function createOperationService(options: OperationServiceOptions): OperationService {
  const recordTransition = createRecordTransition(options);
  const sender = createClaimSender({ ...options, recordTransition });
  return {
    send: sender.send,
    execute: createExecuteOperation({ ...options, recordTransition, sender }),
    follow: createFollowHandler({ ...options, recordTransition }),
  };
}
