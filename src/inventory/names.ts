/** Names of groups as people say them. Pure. */
import { groupLabel } from '../fleet/group-label.ts';
import type { GroupId } from '../ids.ts';
import type { Snapshot } from './inventory.ts';

export { groupLabel };

/** The group's name in this snapshot; null where it is not known. */
export function groupNameIn({ groups }: Pick<Snapshot, 'groups'>, id: GroupId | null): string | null {
  const group = id === null ? undefined : groups.get(id);
  return group === undefined ? null : groupLabel(group);
}
