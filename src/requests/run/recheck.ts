/** Reading the targets of a request again before anything is sent, beside what was sealed. */
import type { FleetReader } from '../../fleet/fleet.ts';
import { quoteValue } from '../../lib/text.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import { missingOf, type RequestRecord, type RequestTarget } from '../../store/port/request-records.ts';
import type { DriftList } from '../drift/sealed-drift.ts';
import type { ListedTarget, ReadPorts, TargetRead } from '../kinds/kind.ts';
import { driftOf, readTarget } from '../kinds/kinds.ts';
import { readLaneOf } from '../lanes.ts';

export type RecheckPorts = ReadPorts & {
  /** For many devices: it does not read again for each of them what is the same for all. */
  readonly sharedReader: FleetReader;
};

export type CheckedTarget = {
  readonly target: RequestTarget;
  /** Null: the service does not know it any more. */
  readonly read: TargetRead | null;
  readonly drift: DriftList;
};

/** `facts`: as they are; null: the service does not know it any more. */
export type DriftedTarget = Pick<CheckedTarget, 'target' | 'drift'> & { readonly facts: TargetFacts | null };

/** Null: it is as it was sealed. */
export function driftedOf({ target, drift, read }: CheckedTarget): DriftedTarget | null {
  return drift.length === 0 ? null : { target, drift, facts: read === null ? null : read.facts };
}

/** Whether nothing of what it would install is missing any more: then there is nothing to ask about again. */
export function isNoLongerNeeded({ target, drift, facts }: DriftedTarget): boolean {
  if (facts === null || facts.deviceId === null) return false;
  const isSame = drift.every(({ kind }) => kind !== 'other-machine');
  return isSame && missingOf(target).length > 0 && facts.packages.length === 0;
}

/** `listed`: the device as a list showed it shortly before. Throws {@link FleetFailure}. */
export async function recheckTarget(
  ports: RecheckPorts,
  request: RequestRecord,
  target: RequestTarget,
  listed?: ListedTarget,
): Promise<CheckedTarget> {
  const { action, organizationId } = request;
  const lane = readLaneOf(request);
  const isRollout = request.rollout !== null;
  const reader = isRollout ? ports.sharedReader : ports.reader;
  const read = await readTarget({ ...ports, reader }, { action, organizationId, target, lane, listed });
  const { facts: sealed } = target;
  if (read === null) return { target, read, drift: [{ kind: 'gone', name: quoteValue(target.displayName) }] };
  return { target, read, drift: driftOf(action, sealed, read.facts, isRollout) };
}
