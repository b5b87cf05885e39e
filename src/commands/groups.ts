/** `groups`: the tree of groups, a page at a time. `group`: the facts of one, read fresh. */

import { z } from 'zod';
import { groupLabel, isDefaultGroup, withSubgroups } from '../fleet/model/derived-fields.ts';
import type { Group } from '../fleet/model/resources.ts';
import { collectRows, nullIfMissing } from '../fleet/reads/read-helpers.ts';
import { ancestorNames, memoizePerSnapshot, type Snapshot } from '../inventory/inventory.ts';
import type { GroupId } from '../lib/ids.ts';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import { compareNames } from '../lib/text.ts';
import type { GroupListView } from '../views/fleet/details.ts';
import type { View } from '../views/views.ts';
import type { ReadPorts } from './core/command.ts';
import { defineReadCommand, parseNoInput } from './core/define-command.ts';
import { readOnlyNotice } from './core/reader-rights.ts';
import { groupOrPolicyForm } from './forms/subject-forms.ts';
import {
  cachedOrRead,
  listState,
  type RefreshableInput,
  refreshableInput,
  viewPage,
  wholePaging,
} from './lists/paging.ts';
import { defineResultList } from './lists/result-cache.ts';
import { type NameOrId, nameOrId, parseNameOrId } from './targets/name-lookup.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';
import { resolveGroup, unknownGroupView } from './targets/resolve-group-or-policy.ts';

const groupPages = defineResultList<GroupListView>(15);

export const groupsCommand = defineReadCommand<RefreshableInput>({
  name: 'groups',
  usage: 'groups',
  summary: 'Show the group tree with devices, scan intervals and policies.',
  examples: ['groups'],
  input: refreshableInput,
  parse: parseNoInput,
  run: listGroups,
});

async function listGroups(input: RefreshableInput, page: number, ports: ReadPorts): Promise<View> {
  const read = () => readTree(input.refresh === true, ports);
  return viewPage(await cachedOrRead(groupPages, input, ports, read), page);
}

async function readTree(refresh: boolean, { inventory }: ReadPorts): Promise<GroupListView> {
  const snapshot = await inventory.snapshot({ ...PERSON_PRIORITY, refresh });
  const counts = devicesByGroup(snapshot);
  const nodes = groupTree(snapshot.groups.values());
  const row = (group: Group, depth: number) => ({
    id: group.id,
    name: groupLabel(group),
    depth,
    devices: counts.get(group.id) ?? 0,
    refreshIntervalMinutes: group.refreshIntervalMinutes,
    policies: group.policyIds.length,
  });
  return {
    kind: 'groups',
    root: ROOT_COMMAND,
    rows: nodes.map(({ group, depth }) => row(group, depth)),
    devices: snapshot.devices.length,
    ...listState(snapshot),
    paging: wholePaging('groups', {}, '', { total: nodes.length, asOf: snapshot.asOf }),
  };
}

/** How many devices are in each group itself. */
const devicesByGroup = memoizePerSnapshot(({ devices }) => {
  const counts = new Map<GroupId | null, number>();
  for (const { groupId } of devices) counts.set(groupId, (counts.get(groupId) ?? 0) + 1);
  return counts;
});

const input = z.object({ group: nameOrId });

export const groupCommand = defineReadCommand<z.infer<typeof input>>({
  name: 'group',
  usage: 'group NAME|#ID',
  summary: 'Show one group: its parents, settings, policies and devices.',
  examples: ['group "Linux servers"', 'group default', 'group #3111'],
  input,
  form: groupOrPolicyForm('group'),
  parse: (words) => {
    const read = parseNameOrId(words, 'Which group?');
    return read.kind === 'fault' ? read : { kind: 'input', input: { group: read.input } };
  },
  run: ({ group: ref }, _page, ports) => findGroup(ref, ports),
});

async function findGroup(ref: NameOrId, ports: ReadPorts): Promise<View> {
  const again = (id: number) => ({ command: 'group', input: { group: id } });
  const found = await resolveGroup(ref, again, ports);
  if (found.kind === 'view') return found.view;
  const { id } = found;
  const snapshot = await ports.inventory.snapshot(PERSON_PRIORITY);
  return (await showGroup(id, snapshot, ports)) ?? unknownGroupView(`#${id}`);
}

/** Null when the service does not know the group. */
async function showGroup(id: GroupId, snapshot: Snapshot, ports: ReadPorts): Promise<View | null> {
  const { fleet, clock } = ports;
  const asOf = clock.now();
  // Each apart: a service without a list of policies still knows the group.
  const [fresh, policies] = await Promise.all([
    nullIfMissing(() => fleet.group(id, PERSON_PRIORITY)),
    nullIfMissing(() => collectRows(fleet.policies(PERSON_PRIORITY))),
  ]);
  if (fresh === null) return null;
  const names = new Map((policies ?? []).map((policy) => [policy.id, policy.name]));
  const name = groupLabel(fresh);
  const groups = new Map(snapshot.groups).set(id, fresh);
  const below = withSubgroups(fresh, groups.values());
  const devicesIn = (ids: ReadonlySet<GroupId>) =>
    snapshot.devices.filter((device) => device.groupId !== null && ids.has(device.groupId)).length;
  return {
    kind: 'group',
    ...(await readOnlyNotice(ports)),
    group: fresh,
    name,
    above: ancestorsOf(fresh, groups),
    policies: fresh.policyIds.map((policy) => ({ id: policy, name: names.get(policy) ?? null })),
    devices: devicesIn(new Set([id])),
    devicesBelow: devicesIn(below),
    list: devicesOf(name),
    asOf,
  };
}

/** The groups above it; the Default group only where it is the parent. */
function ancestorsOf(group: Group, groups: ReadonlyMap<GroupId, Group>): readonly string[] {
  const above = ancestorNames(group, groups);
  const parent = group.parentId === null ? undefined : groups.get(group.parentId);
  return above.length > 0 || parent === undefined || parent.id === group.id ? above : [groupLabel(parent)];
}

function devicesOf(name: string) {
  const filters = [{ key: 'group', value: name, negated: false }];
  return { command: 'devices', input: { words: [], filters } };
}

type TreeNode = { readonly group: Group; readonly depth: number };

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
