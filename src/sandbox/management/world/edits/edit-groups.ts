/** Edits of the group tree. Groups are replaced, never changed in place, so references keep the old values. */
import type { WorldGroup } from '../model.ts';
import type { World } from '../world.ts';

export type GroupDraft = Omit<WorldGroup, 'id'>;

export function addGroup(world: World, draft: GroupDraft): WorldGroup {
  const group = { ...draft, id: world.nextGroupId++ };
  world.groups.set(group.id, group);
  return group;
}

/** The Default group is its own parent (§2.1). */
export function isDefaultGroup(group: WorldGroup): boolean {
  return group.parentId === group.id;
}

/**
 * Moves its devices to the Default group.
 * Assumption (§4.10): the groups under it become top-level.
 */
export function removeGroup(world: World, group: WorldGroup): void {
  const home = defaultGroup(world);
  world.groups.delete(group.id);
  for (const child of world.groups.values())
    if (child.parentId === group.id) world.groups.set(child.id, { ...child, parentId: home.id });
  for (const device of world.devices.values())
    if (device.groupId === group.id) world.devices.move(device, home.id);
}

/** Whether this parent would make `id` its own ancestor. */
export function makesLoop(world: World, id: number, parentId: number): boolean {
  for (let above = world.groups.get(parentId); above !== undefined; above = parentOf(world, above))
    if (above.id === id) return true;
  return false;
}

/** Number of devices per group; a group without devices may have no entry. */
export function deviceCounts(world: World): ReadonlyMap<number, number> {
  return world.devices.counts();
}

function defaultGroup(world: World): WorldGroup {
  const found = [...world.groups.values()].find(isDefaultGroup);
  if (found === undefined) throw new Error('The organization has no Default group.');
  return found;
}

function parentOf(world: World, group: WorldGroup): WorldGroup | undefined {
  return isDefaultGroup(group) ? undefined : world.groups.get(group.parentId);
}
