/** The tree of groups in the order of reading. Pure. */

import { isDefaultGroup } from '../../fleet/model/derived-fields.ts';
import type { Group } from '../../fleet/model/resources.ts';
import type { GroupId } from '../../lib/ids.ts';
import { compareNames } from '../../lib/text.ts';

export type TreeNode = { readonly group: Group; readonly depth: number };

/**
 * Every group once, each after its parent, the Default group first. The tree is the service's to keep: a group whose
 * parent is not there stands at the top, and a ring begins at one of its groups.
 */
export function groupTree(groups: Iterable<Group>): readonly TreeNode[] {
  const all = [...groups].toSorted(byName);
  const known = new Map(all.map((group) => [group.id, group]));
  const parentOf = ({ parentId }: Group): GroupId | null => {
    const parent = parentId === null ? undefined : known.get(parentId);
    return parent === undefined || isDefaultGroup(parent) ? null : parent.id;
  };
  const children = Map.groupBy(all, parentOf);
  const met = new Set<GroupId>();
  const nodes: TreeNode[] = [];
  const walk = (start: Group): void => {
    const waiting: TreeNode[] = [{ group: start, depth: 0 }];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      const { group, depth } = node;
      if (met.has(group.id)) continue;
      met.add(group.id);
      nodes.push(node);
      const below = isDefaultGroup(group) ? [] : (children.get(group.id) ?? []);
      waiting.push(...below.toReversed().map((child) => ({ group: child, depth: depth + 1 })));
    }
  };
  for (const group of children.get(null) ?? []) walk(group);
  for (const group of all) walk(group);
  return nodes;
}

function byName(a: Group, b: Group): number {
  return Number(isDefaultGroup(b)) - Number(isDefaultGroup(a)) || compareNames(a.name, b.name) || a.id - b.id;
}
