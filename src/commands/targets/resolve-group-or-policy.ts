/** From what somebody typed, or what a button or a menu carries, to one group or policy; and to what a subscription or a silence is about. */
import { groupLabel, isDefaultGroup, withSubgroups } from '../../fleet/model/derived-fields.ts';
import { displayName, type Group, type Policy } from '../../fleet/model/resources.ts';
import { collectRows } from '../../fleet/reads/read-helpers.ts';
import type { PolicyName } from '../../inventory/device-index/index-state.ts';
import { ancestorNames, groupNameIn, type Snapshot } from '../../inventory/inventory.ts';
import { deviceId, type GroupId, groupId, type PolicyId, policyId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { RuleGroup } from '../../rules/rules.ts';
import type { AlertFilter, SilenceScope } from '../../store/port/alert-records.ts';
import type { CommandChoice, PolicyLine } from '../../views/models/list-model.ts';
import type { Problem, View } from '../../views/views.ts';
import type { ReadPorts } from '../core/command.ts';
import { problemView } from '../parser/usage-errors.ts';
import { type ChoiceNaming, type NameOrId, numberOf, type ResolvedName, resolveName } from './name-lookup.ts';
import { PERSON_PRIORITY, withDevice } from './resolve-device.ts';

/** The group of this name or number, or what to show instead; `again` runs the command with one of several. */
export async function resolveGroup(
  ref: NameOrId,
  again: (id: number) => CommandChoice,
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<ResolvedName<GroupId>> {
  const { groups } = await inventory.snapshot(PERSON_PRIORITY);
  const all = [...groups.values()];
  return resolveName(fullPathMatch(ref, all), all, groupChoiceNames(groups, again), groupId);
}

export function unknownGroupView(query: string): View {
  return problemView({ kind: 'no-such-group', query, nearest: [] });
}

/** Groups of one name differ in those above them. */
export function groupChoiceNames(
  groups: Snapshot['groups'],
  again: (id: number) => CommandChoice,
): ChoiceNaming<Group> {
  const detailOf = (group: Group) => {
    const above = ancestorNames(group, groups);
    return above.length === 0 ? null : above.join(' / ');
  };
  return { what: 'group', nameOf: groupLabel, detailOf, again };
}

/** `default` is short for the label of the one group without a name, where no group is so named. */
function fullPathMatch(path: NameOrId, all: readonly Group[]): NameOrId {
  if (typeof path === 'number') return path;
  const [only, ...others] = groupsMatching(path, all);
  const named = all.find(({ id }) => id === only);
  return named !== undefined && others.length === 0 && isDefaultGroup(named) ? named.id : path;
}

/**
 * By name or number (`#12`), with their subgroups. The default group, which stands above all (§2.1), means only itself;
 * `default` is its label.
 */
export function groupsMatching(value: string, groups: Iterable<RuleGroup>): ReadonlySet<GroupId> {
  const all = [...groups];
  const foldedValue = fold(value);
  const numbered = all.filter(({ id }) => value === `#${id}`);
  const exact =
    numbered.length > 0 ? numbered : all.filter((group) => fold(groupLabel(group)) === foldedValue);
  const named =
    exact.length > 0 ? exact : all.filter((group) => isDefaultGroup(group) && foldedValue === 'default');
  return new Set(named.flatMap((group) => [...withSubgroups(group, all)]));
}

/** The policy of this name or number, or what to show instead; `again` runs the command with one of several. */
export async function resolvePolicy(
  ref: NameOrId,
  again: (id: number) => CommandChoice,
  { fleet }: Pick<ReadPorts, 'fleet'>,
): Promise<ResolvedName<PolicyId>> {
  const all = typeof ref === 'number' ? [] : await collectRows(fleet.policies(PERSON_PRIORITY));
  return resolveName(ref, all, policyChoiceNames(again), policyId);
}

export function unknownPolicyProblem(id: PolicyId): Problem {
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

type ResolvedScope<T> =
  | { readonly kind: 'named'; readonly value: T }
  /** A choice among several, or what was not found. */
  | { readonly kind: 'view'; readonly view: View };

type RetryWithId = (id: number) => CommandChoice;

const NONE = { kind: 'named', value: null } as const;

/** Null where no group was named. Throws FleetFailure. */
export async function groupForScope(
  ref: NameOrId | null,
  again: RetryWithId,
  ports: ReadPorts,
): Promise<ResolvedScope<AlertFilter['group']>> {
  if (ref === null) return NONE;
  const found = await resolveGroup(ref, again, ports);
  if (found.kind === 'view') return found;
  const { groups } = await ports.inventory.snapshot(PERSON_PRIORITY);
  const group = groups.get(found.id);
  if (group === undefined) return { kind: 'view', view: unknownGroupView(`#${found.id}`) };
  return { kind: 'named', value: { id: group.id, name: groupLabel(group) } };
}

/** Null where no policy was named. Throws FleetFailure. */
export async function policyForScope(
  ref: NameOrId | null,
  again: RetryWithId,
  ports: ReadPorts,
): Promise<ResolvedScope<AlertFilter['policy']>> {
  if (ref === null) return NONE;
  const found = await resolvePolicy(ref, again, ports);
  if (found.kind === 'view') return found;
  const all = await collectRows(ports.fleet.policies(PERSON_PRIORITY));
  const policy = all.find(({ id }) => id === found.id);
  if (policy === undefined) return { kind: 'view', view: problemView(unknownPolicyProblem(found.id)) };
  return { kind: 'named', value: { id: policy.id, name: policy.name } };
}

/** Null where no device was named. Throws FleetFailure. */
export async function deviceForScope(
  ref: NameOrId | null,
  again: (device: NameOrId) => CommandChoice,
  ports: ReadPorts,
): Promise<ResolvedScope<SilenceScope['device']>> {
  if (ref === null) return NONE;
  const read = await withDevice({ device: ref, again }, ports, async (id) => {
    const device = await ports.fleet.device(id, PERSON_PRIORITY);
    return { id: deviceId(device.id), name: displayName(device) };
  });
  switch (read.kind) {
    case 'done':
      return { kind: 'named', value: read.value };
    case 'view':
      return read;
    case 'problem':
      return { kind: 'view', view: problemView(read.problem) };
  }
}
