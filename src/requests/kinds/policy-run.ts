/** Testing a policy on a device, and remediating it: proven by the policy's events or by the device's result. */

import { NEEDS_REMEDIATION, PENDING, policyIdOf } from '../../fleet/model/policy-status.ts';
import type { FleetCommand } from '../../fleet/model/resources.ts';
import type { DeviceComparison, DriftList } from '../drift/device-drift.ts';
import { policyConfigurationDrift } from '../drift/policy-drift.ts';
import { policyRemediationEffect, policyTestEffect } from '../proof/policy-effect.ts';
import { deviceCommand } from './device-command.ts';

export const policyTestKind = deviceCommand<Extract<FleetCommand, { kind: 'policy-test' }>>({
  drift: policyDrift,
  effect:
    ({ policyId }) =>
    (observation) =>
      policyTestEffect(observation, policyId),
});

export const policyRemediateKind = deviceCommand<Extract<FleetCommand, { kind: 'policy-remediate' }>>({
  drift: policyDrift,
  effect:
    ({ policyId }) =>
    (observation) =>
      policyRemediationEffect(observation, policyId),
});

/** A policy of another name may be another policy; one that is met already needs no remediation. */
function policyDrift(command: FleetCommand, { sealed, current }: DeviceComparison): DriftList {
  const [before, after, id] = [sealed.policy, current.policy, policyIdOf(command)];
  if (before === null || after === null || id === null) return [];
  const isRenamed = before.name !== null && after.name !== null && before.name !== after.name;
  const policy = { id, name: after.name ?? before.name };
  return [
    ...(isRenamed && before.name !== null
      ? [{ kind: 'policy-renamed', policy, was: before.name } as const]
      : []),
    ...policyConfigurationDrift(policy, before.digest, after.digest),
    ...(isSameResult(before.status, after.status)
      ? []
      : [{ kind: 'policy-status', name: sealed.displayName, policy, status: after.status } as const]),
  ];
}

/** Pending only says when what needs remediation gets it. */
function isSameResult(before: number | null, after: number | null): boolean {
  const isOpen = (status: number | null) => status === NEEDS_REMEDIATION || status === PENDING;
  return before === after || (isOpen(before) && isOpen(after));
}
