/** Names of groups and their position in the tree. Pure. */

import { groupLabel, isDefaultGroup } from '../fleet/model/derived-fields.ts';
import type { Group } from '../fleet/model/resources.ts';
import type { GroupId } from '../lib/ids.ts';
import type { Snapshot } from './inventory.ts';

/** Names of the groups above this one, outermost first, each once; without the default group. */
export function ancestorNames(group: Group, groups: ReadonlyMap<GroupId, Group>): readonly string[] {
  const visited = new Set([group.id]);
  const names: string[] = [];
  let { parentId } = group;
  while (parentId !== null && !visited.has(parentId)) {
    const parent = groups.get(parentId);
    if (parent === undefined || isDefaultGroup(parent)) break;
    names.push(groupLabel(parent));
    visited.add(parent.id);
    ({ parentId } = parent);
  }
  return names.toReversed();
}

/** The group's name in this snapshot; null when it is unknown. */
export function groupNameIn({ groups }: Pick<Snapshot, 'groups'>, id: GroupId | null): string | null {
  const group = id === null ? undefined : groups.get(id);
  return group === undefined ? null : groupLabel(group);
}
