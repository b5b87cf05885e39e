/**
 * Digests of a request. The seal covers the facts that the approver saw and that are read again before anything is sent,
 * so a press on an older version of the card cannot approve newer facts. The fingerprint covers only what would be done.
 */
import { createHash } from 'node:crypto';
import { canonical, sealedFields, type TargetFacts } from '../../fleet/facts/facts.ts';
import type { FleetAction } from '../../fleet/model/actions.ts';
import type { RolloutPlan } from '../../rollout/plan.ts';

type SealedContent = {
  readonly action: FleetAction;
  readonly targets: readonly TargetFacts[];
  /** Absent: it goes in no waves. */
  readonly plan?: RolloutPlan;
};

/** Digest of the action and of the facts of every target, without the time of reading. */
export function seal({ action, targets, plan }: SealedContent): string {
  // The order counts: it decides who is in which wave.
  const rollout = plan === undefined ? [] : [canonical(plan, true), targets.map(({ deviceId }) => deviceId)];
  return digest(['seal', canonicalAction(action), inOrder(targets).map(canonicalFacts), ...rollout]);
}

/** Digest of the action and of the targets' ids: equal for two requests that would do the same. */
export function fingerprint({ action, targets }: SealedContent): string {
  return digest(['fingerprint', canonicalAction(action), inOrder(targets).map((facts) => facts.deviceId)]);
}

/** What a policy is called and how packages were chosen decides nothing. */
function canonicalAction(action: FleetAction): unknown {
  switch (action.kind) {
    case 'patch':
      return canonical({ kind: action.kind, packages: action.packages });
    case 'policy-test':
    case 'policy-remediate':
      return canonical({ kind: action.kind, policyId: action.policyId });
    default:
      return canonical(action);
  }
}

/** Each field in its one form, whatever their order. */
function canonicalFacts(facts: TargetFacts): readonly string[] {
  return [...sealedFields(facts)].map(([path, { form }]) => `${path}=${form}`).toSorted();
}

function inOrder(targets: readonly TargetFacts[]): readonly TargetFacts[] {
  return targets.toSorted((a, b) => (a.deviceId ?? 0) - (b.deviceId ?? 0));
}

/** Arrays have one JSON form, unlike objects, whose keys may come in any order. */
function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
