/** One look at one target: what it became, and when it is looked at next. */

import { type FleetError, FleetFailure } from '../../fleet/fleet.ts';
import { changesPackages, isRemoval } from '../../fleet/model/actions.ts';
import type { Device } from '../../fleet/model/resources.ts';
import { isLate, type RequestRecord, type RequestTarget } from '../../store/port/request-records.ts';
import type { TargetMove } from '../../store/port/request-store.ts';
import { errorFactsOf } from '../error-facts.ts';
import type { LookPorts } from '../kinds/kind.ts';
import { lookAtTarget } from '../kinds/kinds.ts';
import { reportRemoved } from '../kinds/report-removed.ts';
import { nextTargetLookAt } from '../list-following.ts';
import { beforeDeadline, lastLookAt, retryAt } from '../look-schedule.ts';
import type { FleetChangeListener } from '../run/fleet-calls.ts';
import { isShownAlike } from '../shown-alike.ts';

export type LookOptions = LookPorts & {
  /** Takes the device as it read when its command ended. */
  readonly changeListener?: FleetChangeListener | undefined;
};

/** `row`: the device, where it was read just now. */
export type Look = (
  request: RequestRecord,
  target: RequestTarget,
  row?: Device | null,
) => Promise<TargetMove>;

/** Records what looks found. What somebody else moved meanwhile is looked at again when that is due. */
export type RecordLooks = (request: RequestRecord, moves: readonly TargetMove[]) => Promise<void>;

export function createLook(options: LookOptions): Look {
  const { clock } = options;
  /** Reads of a target that failed in a row. Not `attempts` of its work, which counts every look. */
  const failures = new Map<string, number>();

  const read: (...given: Parameters<Look>) => Promise<RequestTarget> = async (request, target, row) => {
    const { next, device } = await lookAtTarget(options, request.action, target, row);
    failures.delete(targetName(target));
    if (next.endedAt !== null) reportEnded(options.changeListener, { request, target: next, device });
    if (next.endedAt !== null) return { ...next, nextAt: null };
    const seen = { connected: device === null ? null : device.connected, now: clock.now() };
    return { ...next, nextAt: nextTargetLookAt(request, next, seen) };
  };

  /** A service that cannot be read proves nothing, so the deadline waits for it, though not for ever. */
  const unread = (target: RequestTarget, error: FleetError): RequestTarget => {
    const now = clock.now();
    const name = targetName(target);
    const failed = failures.get(name) ?? 0;
    if (now < lastLookAt(target)) {
      failures.set(name, failed + 1);
      const late = { kind: 'check-late', error: errorFactsOf(error) } as const;
      const evidence =
        now < target.deadlineAt || isLate(target) ? target.evidence : [...target.evidence, late];
      return { ...target, evidence, nextAt: beforeDeadline(target, retryAt(error, failed, now), now) };
    }
    failures.delete(name);
    const evidence = [{ kind: 'unread-to-the-end', error: errorFactsOf(error) } as const];
    const state = target.state === 'unknown' ? 'unknown' : 'not_verified';
    return { ...target, state, endedAt: now, nextAt: null, evidence };
  };

  return async (request, target, row) => {
    const evidence = target.evidence.filter(({ kind }) => kind !== 'check-late');
    const next = await read(request, { ...target, evidence }, row).catch((error: unknown) => {
      if (!(error instanceof FleetFailure)) throw error;
      return unread(target, error.error);
    });
    return { from: target.state, next, quiet: isShownAlike(target, next) };
  };
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

/** Names a target among those of all requests. */
export function targetName({ requestId: request, position }: RequestTarget): string {
  return `${request}/${position}`;
}
