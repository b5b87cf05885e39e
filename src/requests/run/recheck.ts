/** Reading the targets of a request again before anything is sent, beside what was sealed. */

import type { Drift } from '../../store/port/evidence.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import type { DriftList } from '../drift/device-drift.ts';
import type { ReadPorts, TargetRead } from '../kinds/kind.ts';
import { driftOf, readTarget } from '../kinds/kinds.ts';

export type CheckedTarget = {
  readonly target: RequestTarget;
  /** Null: the service does not know it any more. */
  readonly read: TargetRead | null;
  readonly drift: DriftList;
};

/** Throws {@link FleetFailure}. */
export async function recheckTarget(
  ports: ReadPorts,
  { action, organizationId }: RequestRecord,
  target: RequestTarget,
): Promise<CheckedTarget> {
  const read = await readTarget(ports, { action, organizationId, target, lane: 'person' });
  const { facts: sealed } = target;
  if (read === null) return { target, read, drift: [{ kind: 'gone', name: target.displayName }] };
  return { target, read, drift: sealed === null ? [] : driftOf(action, sealed, read.facts) };
}

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

/** A policy is the same for all devices, so what became of it is said once. */
export function allDrift(checked: readonly CheckedTarget[]): DriftList {
  const distinct = new Map<string, Drift>(
    checked.flatMap(({ drift }) => drift).map((one) => [JSON.stringify(one), one]),
  );
  return [...distinct.values()];
}

/** The facts of what is still there. */
export function currentFacts(checked: readonly CheckedTarget[]): readonly TargetFacts[] {
  return checked.flatMap(({ read }) => (read === null ? [] : [read.facts]));
}
