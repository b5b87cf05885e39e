/** How a device stands with the policies of its group. */
import type { Instant } from '../../../clock.ts';
import type { Device, Group, Policy } from './model.ts';
import { pendingPatches } from './patches.ts';

/** 0 needs remediation, 1 up to date, 2 pending. */
export type PolicyStatus = 0 | 1 | 2;

export type Organized = {
  readonly groups: ReadonlyMap<number, Group>;
  readonly policies: ReadonlyMap<number, Policy>;
};

export function byId<T extends { readonly id: number }>(things: readonly T[]): Map<number, T> {
  return new Map(things.map((thing) => [thing.id, thing]));
}

/** The policies linked to the device's own group; a parent's do not count. */
export function policiesOf(world: Organized, device: Device): readonly Policy[] {
  const linked = world.groups.get(device.groupId)?.policies ?? [];
  return linked.flatMap((id) => world.policies.get(id) ?? []);
}

export function policyStatus(device: Device, policy: Policy, now: Instant): PolicyStatus {
  if (policy.type !== 'patch') return device.unmetPolicies.has(policy.id) ? 0 : 1;
  const pending = pendingPatches(device, now);
  if (pending.length === 0) return 1;
  return pending.some(({ software }) => software.severity === 'critical') ? 0 : 2;
}
