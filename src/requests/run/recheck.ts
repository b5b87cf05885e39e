/** Reading the targets of a request again before anything is sent, beside what was sealed. */

import type { Drift } from '../../store/port/evidence.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import type { DriftList } from '../drift/device-drift.ts';
import type { ListedTarget, ReadPorts, TargetRead } from '../kinds/kind.ts';
import { driftOf, readTarget } from '../kinds/kinds.ts';
import { readLaneOf } from '../lanes.ts';

export type CheckedTarget = {
  readonly target: RequestTarget;
  /** Null: the service does not know it any more. */
  readonly read: TargetRead | null;
  readonly drift: DriftList;
};

/** `facts`: as they are; null: the service does not know it any more. */
export type DriftedTarget = Pick<CheckedTarget, 'target' | 'drift'> & { readonly facts: TargetFacts | null };

export function driftedOf(checked: readonly CheckedTarget[]): readonly DriftedTarget[] {
  return checked
    .filter(({ drift }) => drift.length > 0)
    .map(({ target, drift, read }) => ({ target, drift, facts: read === null ? null : read.facts }));
}

/** `listed`: the device as a list showed it shortly before. Throws {@link FleetFailure}. */
export async function recheckTarget(
  ports: ReadPorts,
  request: RequestRecord,
  target: RequestTarget,
  listed?: ListedTarget,
): Promise<CheckedTarget> {
  const { action, organizationId } = request;
  const lane = readLaneOf(request);
  const read = await readTarget(ports, { action, organizationId, target, lane, listed });
  const { facts: sealed } = target;
  if (read === null) return { target, read, drift: [{ kind: 'gone', name: target.displayName }] };
  return { target, read, drift: sealed === null ? [] : sealedDrift(request, sealed, read.facts) };
}

/**
 * What changed of a target, as far as it matters to the request. Of many devices some always come and go: whether they
 * are online and who uses them is counted on the card of a rollout, and sealed only for a single device.
 */
export function sealedDrift(
  { action, rollout }: Pick<RequestRecord, 'action' | 'rollout'>,
  sealed: TargetFacts,
  current: TargetFacts,
): DriftList {
  const drift = driftOf(action, sealed, current);
  return rollout === null ? drift : drift.filter(({ kind }) => !COMES_AND_GOES.has(kind));
}

const COMES_AND_GOES: ReadonlySet<Drift['kind']> = new Set(['connection', 'login', 'restarted']);

/** All of them, one after the other. Throws {@link FleetFailure}. */
export async function recheckTargets(
  ports: ReadPorts,
  request: RequestRecord,
  targets: readonly RequestTarget[],
): Promise<readonly CheckedTarget[]> {
  const checked: CheckedTarget[] = [];
  for (const target of targets) checked.push(await recheckTarget(ports, request, target));
  return checked;
}

/** The facts of what is still there. */
export function currentFacts(checked: readonly CheckedTarget[]): readonly TargetFacts[] {
  return checked.flatMap(({ read }) => (read === null ? [] : [read.facts]));
}
