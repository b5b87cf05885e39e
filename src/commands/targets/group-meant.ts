/** From what somebody typed, or what a button or a menu carries, to one group. */
import type { Group } from '../../fleet/model.ts';
import { type GroupId, groupId } from '../../ids.ts';
import { groupLabel } from '../../inventory/directory.ts';
import { isDefault, namesAbove } from '../../inventory/group-paths.ts';
import type { Snapshot } from '../../inventory/inventory.ts';
import type { View } from '../../views/model.ts';
import type { Choice } from '../../views/models/report-model.ts';
import type { ReadPorts } from '../command.ts';
import { problemView } from '../line/faults.ts';
import { groupsNamed } from './group-members.ts';
import type { Ref } from './named.ts';
import { type Naming, oneMeant } from './one-meant.ts';
import { PERSON } from './resolve.ts';

export type GroupMeant =
  | { readonly kind: 'one'; readonly id: GroupId }
  | { readonly kind: 'view'; readonly view: View };

/** The group of this name or number, or what to show instead; `again` runs the command with one of several. */
export async function groupMeant(
  given: Ref,
  again: (id: number) => Choice,
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<GroupMeant> {
  const { groups } = await inventory.snapshot(PERSON);
  const all = [...groups.values()];
  const found = oneMeant(inFull(given, all), all, groupNaming(groups, again));
  return found.kind === 'one' ? { kind: 'one', id: groupId(found.id) } : found;
}

/** The group is not there. */
export function noSuchGroup(query: string): View {
  return problemView({ kind: 'no-such-group', query, nearest: [] });
}

/** Groups of one name differ in those above them. */
export function groupNaming(groups: Snapshot['groups'], again: (id: number) => Choice): Naming<Group> {
  const detailOf = (group: Group) => {
    const above = namesAbove(group, groups);
    return above.length === 0 ? null : above.join(' / ');
  };
  return { what: 'group', nameOf: groupLabel, detailOf, again };
}

/** `default` is short for the label of the one group without a name, where no group is so named. */
function inFull(given: Ref, all: readonly Group[]): Ref {
  if (typeof given === 'number') return given;
  const [only, ...others] = groupsNamed(given, all);
  const named = all.find(({ id }) => id === only);
  return named !== undefined && others.length === 0 && isDefault(named) ? named.id : given;
}
