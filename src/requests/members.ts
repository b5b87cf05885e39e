/** Which devices a request about a group or a policy reaches, from the index: sealed beside their number. */
import { createHash } from 'node:crypto';
import { isPolicyFacts, type TargetFacts } from '../fleet/facts/facts.ts';
import { incompleteList } from '../fleet/reads/read-helpers.ts';
import type { Inventory } from '../inventory/inventory.ts';

/** Absent: which devices are in groups is not known. */
export type ReadIndex = Inventory['snapshot'] | undefined;

/** The same facts where they are about no group. Throws FleetFailure. */
export async function withMembers(facts: TargetFacts, readIndex: ReadIndex): Promise<TargetFacts> {
  if (facts.deviceId !== null || readIndex === undefined) return facts;
  const linked = isPolicyFacts(facts) ? [...facts.groups, ...(facts.current?.groups ?? [])] : [];
  const groups = new Set(isPolicyFacts(facts) ? linked.map(({ id }) => id) : [facts.groupId]);
  const { devices, partial } = await readIndex({ lane: 'write' });
  if (partial !== null)
    throw incompleteList('not all devices are read yet, so those of a group are not known');
  const ids = devices.filter(({ groupId }) => groupId !== null && groups.has(groupId)).map(({ id }) => id);
  const members = createHash('sha256').update(ids.toSorted((a, b) => a - b).join());
  return { ...facts, members: members.digest('hex') };
}
