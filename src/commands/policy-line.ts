/** A policy with the names of its groups. Pure. */
import type { Policy } from '../fleet/policy.ts';
import { groupNameIn } from '../inventory/directory.ts';
import type { Snapshot } from '../inventory/inventory.ts';
import type { PolicyLine } from '../views/models/report-model.ts';

/** Names as the snapshot has them; null for a group that it does not know. */
export function policyLine(policy: Policy, snapshot: Snapshot): PolicyLine {
  return { policy, groups: policy.groupIds.map((id) => ({ id, name: groupNameIn(snapshot, id) })) };
}
