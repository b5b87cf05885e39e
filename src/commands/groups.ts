/** `groups`: the tree of groups, a page at a time. */
import type { Group } from '../fleet/model.ts';
import type { GroupId } from '../ids.ts';
import { groupLabel } from '../inventory/directory.ts';
import { remembered } from '../inventory/remembered.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { treeOf } from './group-tree.ts';
import { parseNothing } from './line/nothing.ts';
import { type RefreshableInput, refreshableInput } from './lists/input.ts';
import { FIRST, frozen, pageOf } from './lists/paging.ts';
import type { Whole } from './lists/results.ts';
import { ROOT } from './root.ts';
import { PERSON } from './targets/resolve.ts';

const PAGE_SIZE = 15;

export const groups = defineRead<RefreshableInput>({
  name: 'groups',
  usage: 'groups',
  summary: 'Show the group tree with devices, scan intervals and policies.',
  examples: ['groups'],
  input: refreshableInput,
  parse: parseNothing,
  run: list,
});

async function list(asked: RefreshableInput, page: number, ports: ReadPorts): Promise<View> {
  const { results, pageSize: size = PAGE_SIZE } = ports;
  const read = () => tree(asked.refresh === true, ports);
  return pageOf(await frozen(results.groups, size, asked, ports, read), page, size);
}

async function tree(refresh: boolean, { inventory }: ReadPorts): Promise<Whole<'groups'>> {
  const snapshot = await inventory.snapshot({ ...PERSON, refresh });
  const counts = devicesByGroup(snapshot);
  const nodes = treeOf(snapshot.groups.values());
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
    root: ROOT,
    rows: nodes.map(({ group, depth }) => row(group, depth)),
    devices: snapshot.devices.length,
    unlisted: snapshot.unlisted,
    partial: snapshot.partial,
    overdue: snapshot.overdue,
    paging: {
      command: 'groups',
      input: {},
      ...FIRST,
      total: nodes.length,
      asOf: snapshot.asOf,
    },
  };
}

/** How many devices are in each group itself. */
const devicesByGroup = remembered(({ devices }) => {
  const counts = new Map<GroupId | null, number>();
  for (const { groupId } of devices) counts.set(groupId, (counts.get(groupId) ?? 0) + 1);
  return counts;
});
