/** From what somebody typed, or what a button or a menu carries, to one group. */
import { groupLabel, isDefaultGroup } from '../../fleet/model/derived-fields.ts';
import type { Group } from '../../fleet/model/resources.ts';
import { ancestorNames, type Snapshot } from '../../inventory/inventory.ts';
import { type GroupId, groupId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { View } from '../../views/model.ts';
import type { CommandChoice } from '../../views/models/list-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { problemView } from '../parser/usage-errors.ts';
import { type ChoiceNaming, type ResolvedName, resolveName } from './name-choices.ts';
import type { NameOrId } from './name-lookup.ts';
import { PERSON_PRIORITY } from './resolve-device.ts';

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
 * Ids of the groups of this name with their subgroups; empty when there is none. The default group stands
 * above all others (§2.1) and means only itself; `default` is short for its label.
 */
export function groupsMatching(value: string, groups: Iterable<Group>): ReadonlySet<GroupId> {
  const all = [...groups];
  const foldedValue = fold(value);
  const exact = all.filter((group) => fold(groupLabel(group)) === foldedValue);
  const named =
    exact.length > 0 ? exact : all.filter((group) => isDefaultGroup(group) && foldedValue === 'default');
  const below = descendants(
    named.filter((group) => !isDefaultGroup(group)).map((group) => group.id),
    all,
  );
  return new Set([...named.map((group) => group.id), ...below]);
}

/** These groups and those below them. The tree is the service's to keep; a ring in it must not hold us up. */
export function descendants(roots: readonly GroupId[], all: readonly Group[]): ReadonlySet<GroupId> {
  const children = Map.groupBy(all, (group) => group.parentId);
  const met = new Set(roots);
  for (const id of met) for (const child of children.get(id) ?? []) met.add(child.id);
  return met;
}
