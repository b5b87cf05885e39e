/**
 * Digests of a request. The seal covers the facts that the approver saw and that are read again before anything is sent,
 * so a press on an older version of the card cannot approve newer facts. The fingerprint covers only what would be done.
 */
import { createHash } from 'node:crypto';
import { canonical, sealedFields } from '../../fleet/facts/sealed-fields.ts';
import type { FleetAction } from '../../fleet/model/actions.ts';
import type { RolloutPlan } from '../../rollout/plan.ts';
import type { TargetFacts } from '../../store/port/records.ts';

type SealedContent = {
  readonly action: FleetAction;
  readonly targets: readonly TargetFacts[];
  /** Absent: it goes in no waves. */
  readonly plan?: RolloutPlan;
};

/** Digest of the action and of the facts of every target, without the time of reading. */
export function seal({ action, targets, plan }: SealedContent): string {
  // The order counts: it decides who is in which wave.
  const rollout = plan === undefined ? [] : [canonicalPlan(plan), targets.map(({ deviceId }) => deviceId)];
  return digest([
    'seal',
    canonicalAction(action),
    inOrder(targets).map((facts) => canonical(Object.fromEntries(sealedFields(facts)))),
    ...rollout,
  ]);
}

/** Digest of the action and of the targets' ids: equal for two requests that would do the same. */
export function fingerprint({ action, targets }: SealedContent): string {
  return digest(['fingerprint', canonicalAction(action), inOrder(targets).map((facts) => facts.deviceId)]);
}

function canonicalPlan({ waves, waitMs, brake, gate, offline }: RolloutPlan): readonly unknown[] {
  const limit = brake.kind === 'devices' ? brake.devices : `${brake.percent}%`;
  return [waves, waitMs, limit, gate, offline];
}

function canonicalAction(action: FleetAction): readonly unknown[] {
  switch (action.kind) {
    case 'scan':
    case 'reboot':
    case 'patch-all':
    case 'device-remove':
      return [action.kind];
    case 'patch':
      return [action.kind, unique(action.packages)];
    case 'patch-each':
      return [action.kind, canonical(action.chosen)];
    case 'policy-test':
    case 'policy-remediate':
      return [action.kind, action.policyId];
    case 'group-remove':
      return [action.kind, action.groupId];
    case 'device-edit':
    case 'group-create':
    case 'group-edit':
    case 'policy-create':
    case 'policy-edit':
      return [action.kind, canonical(action)];
  }
}

function inOrder(targets: readonly TargetFacts[]): readonly TargetFacts[] {
  return targets.toSorted((a, b) => (a.deviceId ?? 0) - (b.deviceId ?? 0));
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}

/** Arrays have one JSON form, unlike objects, whose keys may come in any order. */
function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
