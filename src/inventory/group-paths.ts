/** Where groups stand in their tree. Pure. */
import type { Group } from '../fleet/model.ts';
import type { GroupId } from '../ids.ts';
import { fold } from '../text.ts';
import { groupLabel } from './names.ts';

/** The group that stands above all others, whose name is blank (§2.1). */
export function isDefault(group: Group): boolean {
  return group.parentId === group.id || fold(group.name) === '';
}

/** Names of the groups above this one, the outermost first; without the Default group, and each once. */
export function namesAbove(group: Group, groups: ReadonlyMap<GroupId, Group>): readonly string[] {
  const met = new Set([group.id]);
  const names: string[] = [];
  let { parentId } = group;
  while (parentId !== null && !met.has(parentId)) {
    const parent = groups.get(parentId);
    if (parent === undefined || isDefault(parent)) break;
    names.push(groupLabel(parent));
    met.add(parent.id);
    ({ parentId } = parent);
  }
  return names.toReversed();
}
