/**
 * Follows sent targets to their proof: reads queue and device, judges, and records each move, until every target
 * ended. Nobody waits for it, so it reads on the background lane. Only what is due is looked at.
 */

import { type FleetError, FleetFailure } from '../../fleet/fleet.ts';
import { changesPackages, isRemoval } from '../../fleet/model/actions.ts';
import type { Device } from '../../fleet/model/resources.ts';
import type { Clock } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { requestId } from '../../lib/ids.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { ClaimedWork } from '../../store/port/records.ts';
import { FOLLOWED_STATES, type RequestRecord, type RequestTarget } from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import { errorFactsOf } from '../error-facts.ts';
import type { LookPorts } from '../kinds/kind.ts';
import { lookAtTarget } from '../kinds/kinds.ts';
import { reportRemoved } from '../kinds/report-removed.ts';
import { lastLookAt, nextLookAt, retryAt } from '../look-schedule.ts';
import type { FleetChangeListener } from '../run/fleet-calls.ts';
import type { RecordMoves } from '../run/ledger.ts';

export type FollowOptions = LookPorts & {
  readonly store: Store;
  /** Takes the device as it read when its command ended. */
  readonly changeListener?: FleetChangeListener | undefined;
  readonly clock: Clock;
  readonly recordMoves: RecordMoves;
  /** Wakes the worker, so that the card is drawn at once. */
  readonly wakeWorker: () => void;
  readonly onFailpoint?: OnFailpoint | undefined;
};

/** Targets that are looked at before the work gives way to that of other requests. */
const LOOKS_AT_A_TIME = 20;

/** Handler of `follow` work, whose key is the request's id. */
export function createFollowHandler(options: FollowOptions): (work: ClaimedWork) => Promise<WorkResult> {
  const { store, clock, recordMoves, wakeWorker, onFailpoint } = options;
  /** Reads of a target that failed in a row. Not `attempts` of its work, which counts every look. */
  const failures = new Map<string, number>();

  const look = async (request: RequestRecord, target: RequestTarget): Promise<RequestTarget> => {
    const { next, device } = await lookAtTarget(options, request.action, target);
    failures.delete(targetName(target));
    if (next.endedAt !== null) reportEnded(options.changeListener, { request, target: next, device });
    const connected = device === null ? null : device.connected;
    return { ...next, nextAt: next.endedAt === null ? nextLookAt(next, connected, clock.now()) : null };
  };

  /** A service that cannot be read proves nothing, so the deadline waits for it, though not for ever. */
  const unread = (target: RequestTarget, error: FleetError): RequestTarget => {
    const now = clock.now();
    const name = targetName(target);
    const failed = failures.get(name) ?? 0;
    if (now < lastLookAt(target)) {
      failures.set(name, failed + 1);
      return { ...target, nextAt: retryAt(error, failed, now) };
    }
    failures.delete(name);
    const evidence = [{ kind: 'unread-to-the-end', error: errorFactsOf(error) } as const];
    const state = target.state === 'unknown' ? 'unknown' : 'not_verified';
    return { ...target, state, endedAt: now, nextAt: null, evidence };
  };

  const lookAndRecord = async (request: RequestRecord, target: RequestTarget): Promise<void> => {
    const next = await look(request, target).catch((error: unknown) => {
      if (!(error instanceof FleetFailure)) throw error;
      return unread(target, error.error);
    });
    const move = { from: target.state, next, quiet: isShownAlike(target, next) };
    // What somebody else moved meanwhile is looked at again when that is due.
    const written = await recordMoves(request, [move]);
    if (!move.quiet) wakeWorker();
    if (written.some(({ state }) => state === 'verified')) await onFailpoint?.('target.verified');
  };

  return async ({ key }) => {
    const request = await store.requests.get(requestId(key));
    if (request === null) return { kind: 'done' };
    for (const target of await store.targets.due(request.id, clock.now(), LOOKS_AT_A_TIME))
      await lookAndRecord(request, target);
    const dueAt = await store.targets.nextAt(request.id, FOLLOWED_STATES);
    return dueAt === null ? { kind: 'done' } : { kind: 'again', dueAt };
  };
}

/** Whether a card shows no difference: what a proof is compared with, and when it is looked at next, is on none. */
function isShownAlike(before: RequestTarget, after: RequestTarget): boolean {
  const { before: baseline, missedAt, nextAt } = before;
  return JSON.stringify({ ...after, before: baseline, missedAt, nextAt }) === JSON.stringify(before);
}

type EndedTarget = {
  readonly request: RequestRecord;
  readonly target: RequestTarget;
  readonly device: Device | null;
};

/** What was read and kept before the command ended may not hold any more. */
function reportEnded(
  changeListener: FleetChangeListener | undefined,
  { request, target, device }: EndedTarget,
): void {
  const { deviceId, endedAt } = target;
  const { action } = request;
  if (device !== null) changeListener?.learnDevice(device);
  if (isRemoval(action) && target.state === 'verified') reportRemoved(changeListener, action, target);
  if (deviceId !== null && endedAt !== null && changesPackages(action))
    changeListener?.packagesChanged(deviceId, endedAt);
}

function targetName({ requestId: request, position }: RequestTarget): string {
  return `${request}/${position}`;
}
