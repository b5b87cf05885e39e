/**
 * Digests of a request. The seal covers the facts that the approver saw and that are read again before anything is sent,
 * so a press on an older version of the card cannot approve newer facts. The fingerprint covers only what would be done.
 */
import { createHash } from 'node:crypto';
import type { FleetAction } from '../../fleet/model/actions.ts';
import type { PolicyFacts } from '../../fleet/model/policy-status.ts';
import type { RolloutPlan } from '../../rollout/plan.ts';
import type { DeviceFacts, TargetFacts } from '../../store/port/records.ts';

type SealedContent = {
  readonly action: FleetAction;
  readonly targets: readonly TargetFacts[];
  /** Absent: it goes in no waves. */
  readonly plan?: RolloutPlan;
};

/** Digest of the action and of the facts of every target, without the time of reading. */
export function seal({ action, targets, plan }: SealedContent): string {
  // Absent in the seals of other requests, which stay as they are. The order counts: it decides who is in which wave.
  const rollout = plan === undefined ? [] : [canonicalPlan(plan), targets.map(({ deviceId }) => deviceId)];
  return digest(['seal', canonicalAction(action), inOrder(targets).map(canonicalFacts), ...rollout]);
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

/**
 * All that the card says of the device, and by its digest what the policy would run. The group's name is left out: it may
 * be renamed, or not be readable for a moment, and the device is in the same group.
 */
function canonicalFacts(facts: TargetFacts): unknown {
  if (facts.deviceId !== null) return canonicalDevice(facts);
  const { asOf: _, ...rest } = facts;
  return canonical(rest);
}

function canonicalDevice(facts: DeviceFacts): readonly unknown[] {
  const { deviceId, hostname, displayName, groupId } = facts;
  const { osFamily, osName, osVersion } = facts;
  const { connected, lastDisconnectTime, lastLoggedInUser, pendingPatches, needsReboot, missing } = facts;
  const policy = facts.policy === null ? null : canonicalPolicy(facts.policy);
  const status = [connected, lastDisconnectTime, lastLoggedInUser, pendingPatches, needsReboot];
  const head = [deviceId, hostname, displayName, groupId, osFamily, osName, osVersion];
  // Absent in the seals of other requests, which stay as they are.
  const removal = facts.removal === undefined ? [] : [canonical(facts.removal)];
  const { rebootFor, exception, deferred } = facts;
  const unusual = [
    rebootFor && ['reboot-for', unique(rebootFor)],
    exception && 'exception',
    deferred && 'deferred',
  ];
  return [
    ...head,
    ...status,
    unique(missing),
    policy,
    canonical(facts.editable),
    ...removal,
    ...unusual.filter((part) => part !== undefined),
  ];
}

function canonicalPolicy({ name, type, status, digest }: PolicyFacts): readonly unknown[] {
  return [name, type, status, digest];
}

function inOrder(targets: readonly TargetFacts[]): readonly TargetFacts[] {
  return targets.toSorted((a, b) => (a.deviceId ?? 0) - (b.deviceId ?? 0));
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}

/**
 * One form for values that say the same: keys in order, and lists, all of which are sets here, sorted and without
 * repetition.
 */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return unique(value.map((item) => JSON.stringify(canonical(item))));
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, canonical(item)]);
}

/** Arrays have one JSON form, unlike objects, whose keys may come in any order. */
function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
