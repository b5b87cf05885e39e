/** Edits of policies and of their links to groups. */
import type { WorldDevice, WorldGroup, WorldPolicy } from '../model.ts';
import { covers } from '../queries/device-filters.ts';
import type { World } from '../world.ts';

export type PolicyDraft = Omit<WorldPolicy, 'id'>;

export function addPolicy(world: World, draft: PolicyDraft): WorldPolicy {
  const policy = { ...draft, id: world.nextPolicyId++ };
  world.policies.set(policy.id, policy);
  return policy;
}

/** Unlinks it from its groups; queued commands for it find no policy. */
export function removePolicy(world: World, policy: WorldPolicy): void {
  linkPolicy(world, policy.id, []);
  world.policies.delete(policy.id);
}

/** Links the policy to exactly these groups. */
export function linkPolicy(world: World, policyId: number, groupIds: readonly number[]): void {
  for (const group of world.groups.values()) {
    const others = group.policies.filter((id) => id !== policyId);
    const linked = groupIds.includes(group.id);
    if (linked === others.length < group.policies.length) continue;
    world.groups.set(group.id, { ...group, policies: linked ? [...others, policyId] : others });
  }
}

export function groupsOf(world: World, policyId: number): readonly WorldGroup[] {
  return [...world.groups.values()].filter(({ policies }) => policies.includes(policyId));
}

/** The devices of the groups that link to the policy, which it is for. */
export function devicesUnder(world: World, policy: WorldPolicy): readonly WorldDevice[] {
  const groups = new Set(groupsOf(world, policy.id).map(({ id }) => id));
  return [...world.devices.values()].filter((device) => groups.has(device.groupId) && covers(policy, device));
}
