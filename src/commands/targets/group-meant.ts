/** From what somebody typed, or what a button or a menu carries, to one group. */
import type { Group } from '../../fleet/model.ts';
import { type GroupId, groupId } from '../../ids.ts';
import { groupLabel } from '../../inventory/directory.ts';
import { isDefault, namesAbove } from '../../inventory/group-paths.ts';
import type { Snapshot } from '../../inventory/inventory.ts';
import type { Problem, View } from '../../views/model.ts';
import type { Choice } from '../../views/models/report-model.ts';
import type { ReadPorts } from '../command.ts';
import { problemView } from '../line/faults.ts';
import { groupsNamed } from './group-members.ts';
import { CHOICES, meant, type Ref } from './named.ts';
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
  const snapshot = await inventory.snapshot(PERSON);
  const all = [...snapshot.groups.values()];
  const found = meant(inFull(given, all), all, groupLabel);
  switch (found.kind) {
    case 'one':
      return { kind: 'one', id: groupId(found.id) };
    case 'several':
      return { kind: 'view', view: choices(String(given), found.all, { snapshot, again }) };
    case 'none':
      return { kind: 'view', view: noSuchGroup(String(given), found.nearest, { snapshot, again }) };
  }
}

export function noSuchGroup(query: string, near?: readonly Group[], offered?: Offered): View {
  return problemView(groupProblem(query, near, offered));
}

export function groupProblem(query: string, near: readonly Group[] = [], offered?: Offered): Problem {
  const nearest = near.map(groupLabel);
  const offers =
    offered === undefined ? [] : near.map((group) => ({ kind: 'named', ...rowOf(group, offered) }) as const);
  return { kind: 'no-such-group', query, nearest, ...(offers.length === 0 ? {} : { offers }) };
}

/** `default` is short for the label of the one group without a name, where no group is so named. */
function inFull(given: Ref, all: readonly Group[]): Ref {
  if (typeof given === 'number') return given;
  const [only, ...others] = groupsNamed(given, all);
  const named = all.find(({ id }) => id === only);
  return named !== undefined && others.length === 0 && isDefault(named) ? named.id : given;
}

type Offered = { readonly snapshot: Snapshot; readonly again: (id: number) => Choice };

function choices(query: string, all: readonly Group[], { snapshot, again }: Offered): View {
  const rows = all.slice(0, CHOICES).map((one) => rowOf(one, { snapshot, again }));
  return { kind: 'choices', what: 'group', query, rows, total: all.length };
}

/** What tells it from others of its name: the groups above it. */
function rowOf(group: Group, { snapshot, again }: Offered) {
  const above = namesAbove(group, snapshot.groups);
  const detail = above.length === 0 ? null : above.join(' / ');
  return { id: group.id, name: groupLabel(group), detail, choice: again(group.id) };
}
