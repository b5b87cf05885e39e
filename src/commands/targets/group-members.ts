/** Which groups a name stands for: the named one and those below it. Pure. */
import type { Group } from '../../fleet/model.ts';
import type { GroupId } from '../../ids.ts';
import { groupLabel } from '../../inventory/directory.ts';
import { isDefault } from '../../inventory/group-paths.ts';
import { fold } from '../../text.ts';

/**
 * Ids of the groups of this name with their subgroups; empty when there is none. The default group stands
 * above all others (§2.1) and means only itself; `default` is short for its label.
 */
export function groupsNamed(value: string, groups: Iterable<Group>): ReadonlySet<GroupId> {
  const all = [...groups];
  const wanted = fold(value);
  const exact = all.filter((group) => fold(groupLabel(group)) === wanted);
  const named = exact.length > 0 ? exact : all.filter((group) => isDefault(group) && wanted === 'default');
  const below = descendants(
    named.filter((group) => !isDefault(group)).map((group) => group.id),
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
