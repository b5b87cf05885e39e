/**
 * Follows sent commands to their proof: reads queue and device, judges, stores each move and draws the card again,
 * until every target ended. Nobody waits for it, so it reads on the background lane.
 */

import { FleetFailure, type FleetReader } from '../../fleet/fleet.ts';
import { changesPackages, type FleetEdit, isEdit } from '../../fleet/model/actions.ts';
import type { FleetEditor } from '../../fleet/model/edits.ts';
import { policyIdOf } from '../../fleet/model/policy-status.ts';
import type { Device, FleetCommand } from '../../fleet/model/resources.ts';
import { collectRows, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import type { Clock, Instant } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { operationId } from '../../lib/ids.ts';
import type { ClaimedWork, OperationRecord, TargetRecord } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import type { WorkResult } from '../../store/work/worker.ts';
import { installsPackages, recentEvents } from '../claim/device-read.ts';
import { errorText } from '../evidence-text.ts';
import { lastLookAt, nextLookAt, retryAt } from '../look-schedule.ts';
import {
  evaluateTarget,
  isFollowed,
  type Observation,
  type TargetVerdict,
} from '../proof/evaluate-target.ts';
import { waitsInQueue } from '../proof/queue-match.ts';
import { readQueueFor } from '../proof/queue-reads.ts';
import type { RecordTransition } from '../record-transition.ts';
import type { FleetChangeListener } from '../send/send-edit.ts';
import { evaluateEdit, observeEdit } from './look-for-edit.ts';

export type FollowOptions = {
  readonly store: Store;
  readonly reader: FleetReader;
  readonly editor: Pick<FleetEditor, 'checkDevice' | 'checkGroup'>;
  /** Takes the device as it read when its command ended. */
  readonly changeListener?: FleetChangeListener | undefined;
  readonly clock: Clock;
  readonly recordTransition: RecordTransition;
  /** Wakes the worker, so that the card is drawn at once. */
  readonly wakeWorker: () => void;
  readonly onFailpoint?: OnFailpoint | undefined;
};

/** Handler of `follow` work, whose key is the operation's id. */
export function createFollowHandler(options: FollowOptions): (work: ClaimedWork) => Promise<WorkResult> {
  const { store, reader, editor, changeListener, clock, recordTransition, wakeWorker, onFailpoint } = options;
  /** Reads of a target that failed in a row. Not `attempts` of its work, which counts every look. */
  const failures = new Map<string, number>();

  const lookAtDevice = async (command: FleetCommand, target: TargetRecord): Promise<TargetLook> => {
    const observation = await observe(reader, command, target, clock);
    const { device } = observation;
    return {
      verdict: evaluateTarget(observation),
      connected: device === null ? null : device.connected,
      device,
    };
  };

  const lookForEdit = async (edit: FleetEdit, target: TargetRecord): Promise<TargetLook> => {
    const next = evaluateEdit(target, edit, await observeEdit({ editor, reader }, edit, target), clock.now());
    return {
      verdict: next === target ? { kind: 'same' } : { kind: 'move', next },
      connected: null,
      device: null,
    };
  };

  /** When to look at the target again; null when it ended. What somebody else moved meanwhile is judged anew. */
  const lookAtTarget = async (operation: OperationRecord, target: TargetRecord): Promise<Instant | null> => {
    const { command } = operation;
    const { verdict, connected, device } = isEdit(command)
      ? await lookForEdit(command, target)
      : await lookAtDevice(command, target);
    failures.delete(targetName(target));
    if (verdict.kind === 'same') return nextLookAt(target, connected, clock.now());
    const { next } = verdict;
    if (next.endedAt !== null) reportEnded(changeListener, { command, target: next, device });
    const moved = await recordTransition({ operation, from: target.state, next });
    wakeWorker();
    if (moved === null) return nextLookAt(target, connected, clock.now());
    if (next.state === 'verified') await onFailpoint?.('operation.verified');
    return next.endedAt === null ? nextLookAt(next, connected, clock.now()) : null;
  };

  /** A service that cannot be read proves nothing, so the deadline waits for it, though not for ever. */
  const unread = async ({ operation, target, error }: FailedLook): Promise<Instant | null> => {
    const now = clock.now();
    const failed = failures.get(targetName(target)) ?? 0;
    failures.set(targetName(target), failed + 1);
    if (now < lastLookAt(target)) return retryAt(error.error, failed, now);
    failures.delete(targetName(target));
    const evidence = `The outcome is unknown: ${errorText(error.error)} until Patchbay stopped checking.`;
    const state = target.state === 'unknown' ? 'unknown' : 'not_verified';
    const moved = await recordTransition({
      operation,
      from: target.state,
      next: { ...target, state, endedAt: now, evidence },
    });
    wakeWorker();
    return moved === null ? retryAt(error.error, failed, now) : null;
  };

  return async ({ key }) => {
    const operation = await store.operations.get(operationId(key));
    const due: Instant[] = [];
    for (const target of operation?.targets ?? []) {
      if (operation === null || !isFollowed(target)) continue;
      const dueAt = await lookAtTarget(operation, target).catch((error: unknown) => {
        if (!(error instanceof FleetFailure)) throw error;
        return unread({ operation, target, error });
      });
      if (dueAt !== null) due.push(dueAt);
    }
    const [dueAt] = due.toSorted((a, b) => a - b);
    return dueAt === undefined ? { kind: 'done' } : { kind: 'again', dueAt };
  };
}

type TargetLook = {
  /** As it was read; null where it was not, or is gone. */
  readonly device: Device | null;
  readonly verdict: TargetVerdict;
  /** Whether the device is online; null where that is not known or does not matter. */
  readonly connected: boolean | null;
};

type EndedTarget = Pick<TargetLook, 'device'> & {
  readonly command: OperationRecord['command'];
  readonly target: TargetRecord;
};

/** What was read and kept before the command ended may not hold any more. */
function reportEnded(
  changeListener: FleetChangeListener | undefined,
  { command, target, device }: EndedTarget,
): void {
  const { deviceId, endedAt } = target;
  if (device !== null) changeListener?.learnDevice(device);
  if (deviceId !== null && endedAt !== null && changesPackages(command))
    changeListener?.packagesChanged(deviceId, endedAt);
}

type FailedLook = {
  readonly operation: OperationRecord;
  readonly target: TargetRecord;
  readonly error: FleetFailure;
};

function targetName({ operationId, deviceId }: TargetRecord): string {
  return `${operationId}/${deviceId}`;
}

/**
 * The device is read before its queue: where the command still waits in the queue, the device shows none of its
 * effect. Packages and events are read only when it no longer waits, so that there is something to see; those of a
 * policy always, because what its schedule does meanwhile has to be told from what the command does.
 */
async function observe(
  reader: FleetReader,
  command: FleetCommand,
  target: TargetRecord,
  clock: Clock,
): Promise<Observation> {
  const lane = 'background';
  const { deviceId, issuedAt, operationId: id } = target;
  if (deviceId === null) throw new Error(`operation ${id} has a command to no device`);
  const found = await nullIfMissing(async () => {
    const device = await reader.device(deviceId, { lane });
    const queue = await readQueueFor(reader, target, lane);
    const proving = installsPackages(command) && !waitsInQueue(command, target, queue);
    const packages = proving ? await collectRows(reader.packages(deviceId, { lane })) : null;
    const acted = { command, deviceId, since: issuedAt };
    const events = proving || policyIdOf(command) !== null ? await recentEvents(reader, acted, lane) : [];
    return { queue, device, packages, events };
  });
  const nothing = { queue: [], device: null, packages: null, events: [] };
  return { command, target, now: clock.now(), ...(found ?? nothing) };
}
