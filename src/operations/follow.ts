/**
 * Follows sent commands to their proof: reads queue and device, judges, stores each move and draws the card again,
 * until every target ended. Nobody waits for it, so it reads on the background lane.
 */

import type { Clock, Instant } from '../clock.ts';
import { collectRows } from '../fleet/collect-rows.ts';
import type { FleetEditor } from '../fleet/edits.ts';
import { FleetFailure, type FleetReader } from '../fleet/fleet.ts';
import type { Device, FleetCommand } from '../fleet/model.ts';
import { changesPackages, type FleetEdit, isEdit } from '../fleet/orders.ts';
import { policyOf } from '../fleet/standing.ts';
import { unlessMissing } from '../fleet/unless-missing.ts';
import { operationId } from '../ids.ts';
import type { OnStep } from '../steps.ts';
import type { ClaimedWork, OperationRecord, TargetRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import { judgeEdit, readEdit } from './edit-look.ts';
import type { Learner } from './edit-run.ts';
import type { MoveTarget } from './move.ts';
import { isFollowed, judge, type Sight, type Verdict } from './proof.ts';
import { queueOf } from './queue-read.ts';
import { lastLook, nextLook, retryAt } from './schedule.ts';
import { installs, recentEvents } from './survey.ts';
import { waitsInQueue } from './trace.ts';
import { errorText } from './words.ts';

export type FollowOptions = {
  readonly store: Store;
  readonly reader: FleetReader;
  readonly editor: Pick<FleetEditor, 'checkDevice' | 'checkGroup'>;
  /** Takes the device as it read when its command ended. */
  readonly learner?: Learner | undefined;
  readonly clock: Clock;
  readonly move: MoveTarget;
  /** Wakes the worker, so that the card is drawn at once. */
  readonly kick: () => void;
  readonly onStep?: OnStep | undefined;
};

/** Handler of `follow` work, whose key is the operation's id. */
export function createFollowHandler(options: FollowOptions): (work: ClaimedWork) => Promise<WorkResult> {
  const { store, reader, editor, learner, clock, move, kick, onStep } = options;
  /** Reads of a target that failed in a row. Not `attempts` of its work, which counts every look. */
  const failures = new Map<string, number>();

  const lookAtDevice = async (command: FleetCommand, target: TargetRecord): Promise<Looked> => {
    const sight = await read(reader, command, target, clock);
    const { device } = sight;
    return { verdict: judge(sight), connected: device === null ? null : device.connected, device };
  };

  const lookForEdit = async (edit: FleetEdit, target: TargetRecord): Promise<Looked> => {
    const next = judgeEdit(target, edit, await readEdit({ editor, reader }, edit, target), clock.now());
    return {
      verdict: next === target ? { kind: 'same' } : { kind: 'move', next },
      connected: null,
      device: null,
    };
  };

  /** When to look at the target again; null when it ended. What somebody else moved meanwhile is judged anew. */
  const look = async (operation: OperationRecord, target: TargetRecord): Promise<Instant | null> => {
    const { command } = operation;
    const { verdict, connected, device } = isEdit(command)
      ? await lookForEdit(command, target)
      : await lookAtDevice(command, target);
    failures.delete(nameOf(target));
    if (verdict.kind === 'same') return nextLook(target, connected, clock.now());
    const { next } = verdict;
    if (next.endedAt !== null) teach(learner, { command, target: next, device });
    const moved = await move({ operation, from: target.state, next });
    kick();
    if (moved === null) return nextLook(target, connected, clock.now());
    if (next.state === 'verified') await onStep?.('operation.verified');
    return next.endedAt === null ? nextLook(next, connected, clock.now()) : null;
  };

  /** A service that cannot be read proves nothing, so the deadline waits for it, though not for ever. */
  const unread = async ({ operation, target, error }: Unread): Promise<Instant | null> => {
    const now = clock.now();
    const failed = failures.get(nameOf(target)) ?? 0;
    failures.set(nameOf(target), failed + 1);
    if (now < lastLook(target)) return retryAt(error.error, failed, now);
    failures.delete(nameOf(target));
    const evidence = `The outcome is unknown: ${errorText(error.error)} until Patchbay stopped checking.`;
    const state = target.state === 'unknown' ? 'unknown' : 'not_verified';
    const moved = await move({
      operation,
      from: target.state,
      next: { ...target, state, endedAt: now, evidence },
    });
    kick();
    return moved === null ? retryAt(error.error, failed, now) : null;
  };

  return async ({ key }) => {
    const operation = await store.operations.get(operationId(key));
    const due: Instant[] = [];
    for (const target of operation?.targets ?? []) {
      if (operation === null || !isFollowed(target)) continue;
      const dueAt = await look(operation, target).catch((error: unknown) => {
        if (!(error instanceof FleetFailure)) throw error;
        return unread({ operation, target, error });
      });
      if (dueAt !== null) due.push(dueAt);
    }
    const [dueAt] = due.toSorted((a, b) => a - b);
    return dueAt === undefined ? { kind: 'done' } : { kind: 'again', dueAt };
  };
}

type Looked = {
  /** As it was read; null where it was not, or is gone. */
  readonly device: Device | null;
  readonly verdict: Verdict;
  /** Whether the device is online; null where that is not known or does not matter. */
  readonly connected: boolean | null;
};

type Taught = Pick<Looked, 'device'> & {
  readonly command: OperationRecord['command'];
  readonly target: TargetRecord;
};

/** What was read and kept before the command ended may not hold any more. */
function teach(learner: Learner | undefined, { command, target, device }: Taught): void {
  const { deviceId, endedAt } = target;
  if (device !== null) learner?.learn(device);
  if (deviceId !== null && endedAt !== null && changesPackages(command))
    learner?.packagesChanged(deviceId, endedAt);
}

type Unread = {
  readonly operation: OperationRecord;
  readonly target: TargetRecord;
  readonly error: FleetFailure;
};

function nameOf({ operationId, deviceId }: TargetRecord): string {
  return `${operationId}/${deviceId}`;
}

/**
 * The device is read before its queue: where the command still waits in the queue, the device shows none of its
 * effect. Packages and events are read only when it no longer waits, so that there is something to see; those of a
 * policy always, because what its schedule does meanwhile has to be told from what the command does.
 */
async function read(
  reader: FleetReader,
  command: FleetCommand,
  target: TargetRecord,
  clock: Clock,
): Promise<Sight> {
  const lane = 'background';
  const { deviceId, issuedAt, operationId: id } = target;
  if (deviceId === null) throw new Error(`operation ${id} has a command to no device`);
  const found = await unlessMissing(async () => {
    const device = await reader.device(deviceId, { lane });
    const queue = await queueOf(reader, target, lane);
    const proving = installs(command) && !waitsInQueue(command, target, queue);
    const packages = proving ? await collectRows(reader.packages(deviceId, { lane })) : null;
    const acted = { command, deviceId, since: issuedAt };
    const events = proving || policyOf(command) !== null ? await recentEvents(reader, acted, lane) : [];
    return { queue, device, packages, events };
  });
  const nothing = { queue: [], device: null, packages: null, events: [] };
  return { command, target, now: clock.now(), ...(found ?? nothing) };
}
