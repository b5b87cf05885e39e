/** Names of groups as people say them. Pure. */
import type { Group } from '../fleet/model.ts';
import type { GroupId } from '../ids.ts';
import { fold } from '../text.ts';
import type { Snapshot } from './inventory.ts';

/** The group's name in this snapshot; null where it is not known. */
export function groupNameIn({ groups }: Pick<Snapshot, 'groups'>, id: GroupId | null): string | null {
  const group = id === null ? undefined : groups.get(id);
  return group === undefined ? null : groupLabel(group);
}

/** What people call a group: the organization's default group has a blank name (§2.1). */
export function groupLabel(group: Group): string {
  return fold(group.name) === '' ? 'Default group' : group.name;
}
