/** How a device stands with the policies of its group. */
import type { Instant } from '../../../clock.ts';
import type { Device, Group, Policy } from './model.ts';
import { pendingPatches } from './patches.ts';

/** 0 needs remediation, 1 up to date, 2 pending. */
export type PolicyStatus = 0 | 1 | 2;

/** The policies linked to the device's own group; a parent's do not count. */
export function policiesOf(
  world: { readonly groups: readonly Group[]; readonly policies: readonly Policy[] },
  device: Device,
): readonly Policy[] {
  const linked = world.groups.find(({ id }) => id === device.groupId)?.policies ?? [];
  return world.policies.filter(({ id }) => linked.includes(id));
}

export function policyStatus(device: Device, policy: Policy, now: Instant): PolicyStatus {
  if (policy.type !== 'patch') return device.unmetPolicies.has(policy.id) ? 0 : 1;
  const pending = pendingPatches(device, now);
  if (pending.length === 0) return 1;
  return pending.some(({ software }) => software.severity === 'critical') ? 0 : 2;
}
