/** Reads what an edit of a policy is about: before it is requested, and again before it is carried out. */
import type { GroupId, PolicyId } from '../../lib/ids.ts';
import type { FleetReader } from '../fleet.ts';
import type { PolicyEdit } from '../model/actions.ts';
import { groupLabel } from '../model/derived-fields.ts';
import type { Policy } from '../model/policy.ts';
import type { Group } from '../model/resources.ts';
import { collectRows, nullIfMissing } from '../reads/read-helpers.ts';
import type { NamedGroup, PolicyEditFacts, PolicySnapshot } from './policy-edit-facts.ts';
import type { ReadContext } from './read-edit-facts.ts';

type Reader = Pick<FleetReader, 'groups' | 'policies' | 'policy'>;

/** The policy with what the edit names; null: it no longer exists. Throws FleetFailure. */
export async function readPolicyForEdit(
  reader: Reader,
  edit: PolicyEdit,
  { asOf, lane }: ReadContext,
): Promise<PolicyEditFacts | null> {
  const wanted = edit.kind === 'policy-create' ? edit.policy : edit.change;
  const policyId = edit.kind === 'policy-create' ? null : edit.policyId;
  const { name } = wanted;
  const [policy, groups, others] = await Promise.all([
    policyId === null ? null : nullIfMissing(() => reader.policy(policyId, { lane })),
    collectRows(reader.groups({ lane })),
    name === undefined ? [] : collectRows(reader.policies({ lane })),
  ]);
  if (policyId !== null && policy === null) return null;
  const named = (id: GroupId): NamedGroup => {
    const group = groups.find((one) => one.id === id);
    return group === undefined
      ? { id, name: null, devices: null }
      : { id, name: groupLabel(group), devices: group.deviceCount };
  };
  return {
    deviceId: null,
    policyId,
    displayName: policy === null ? (name ?? '') : policyLabel(policy),
    current: policy === null ? null : toPolicySnapshot(policy, named),
    groups: (wanted.groupIds ?? []).map(named),
    devices: devicesIn(groups, wanted.groupIds ?? policy?.groupIds ?? []),
    // The service takes no two policies of one name (management API in practice, 9).
    twin: others.find((one) => one.id !== policyId && one.name === name)?.id ?? null,
    asOf,
  };
}

/** Its name; a policy without one is known by its number. */
function policyLabel({ id, name }: { readonly id: PolicyId; readonly name: string }): string {
  return name === '' ? `policy ${id}` : name;
}

function toPolicySnapshot(policy: Policy, named: (id: GroupId) => NamedGroup): PolicySnapshot {
  const { name, type, notes, schedule, settings, digest, groupIds } = policy;
  return { name, type, notes, schedule, settings, digest, groups: groupIds.map(named) };
}

/** A group's own devices, without those of its subgroups, which have links of their own. */
function devicesIn(groups: readonly Group[], ids: readonly GroupId[]): number | null {
  const counts = groups.filter(({ id }) => ids.includes(id)).map(({ deviceCount }) => deviceCount);
  return counts.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}
