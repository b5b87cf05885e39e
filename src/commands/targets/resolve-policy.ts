/** From what somebody typed, or what a button or a menu carries, to one policy. */
import type { Policy } from '../../fleet/model/policy.ts';
import { collectRows } from '../../fleet/reads/read-helpers.ts';
import type { PolicyName } from '../../inventory/device-index/index-state.ts';
import { groupNameIn, type Snapshot } from '../../inventory/inventory.ts';
import { type PolicyId, policyId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { Problem } from '../../views/model.ts';
import type { CommandChoice, PolicyLine } from '../../views/models/list-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { type ChoiceNaming, type ResolvedName, resolveName } from './name-choices.ts';
import { type NameOrId, numberOf } from './name-lookup.ts';
import { PERSON_PRIORITY } from './resolve-device.ts';

/** The policy of this name or number, or what to show instead; `again` runs the command with one of several. */
export async function resolvePolicy(
  ref: NameOrId,
  again: (id: number) => CommandChoice,
  { fleet }: Pick<ReadPorts, 'fleet'>,
): Promise<ResolvedName<PolicyId>> {
  const all = typeof ref === 'number' ? [] : await collectRows(fleet.policies(PERSON_PRIORITY));
  return resolveName(ref, all, policyChoiceNames(again), policyId);
}

/** The policy of this number is not there. */
export function unknownPolicyView(id: PolicyId): Problem {
  return { kind: 'no-such-policy', query: `#${id}`, nearest: [] };
}

/** Policies of one name differ in their kind. */
export function policyChoiceNames(again: (id: number) => CommandChoice): ChoiceNaming<Policy> {
  return { what: 'policy', nameOf: ({ name }) => name, detailOf: ({ type }) => type, again };
}

/** The name of the policy for a line that somebody may type, where it means this policy and no other; else null. */
export function uniquePolicyName(id: number, policies: readonly PolicyName[]): string | null {
  const name = policies.find((one) => one.id === id)?.name ?? '';
  const isShared = policies.some((one) => one.id !== id && fold(one.name) === fold(name));
  return name.trim() === '' || isShared || numberOf(fold(name)) !== null ? null : name;
}

/** With the names of its groups as the snapshot has them; null for a group that it does not know. */
export function policyWithGroups(policy: Policy, snapshot: Snapshot): PolicyLine {
  return { policy, groups: policy.groupIds.map((id) => ({ id, name: groupNameIn(snapshot, id) })) };
}
