/** `groups`: the tree of groups, a page at a time. */
import { groupLabel } from '../fleet/model/derived-fields.ts';
import type { Group } from '../fleet/model/resources.ts';
import { memoizePerSnapshot } from '../inventory/inventory.ts';
import type { GroupId } from '../lib/ids.ts';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import type { GroupListView } from '../views/fleet/details.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './core/command.ts';
import { defineReadCommand, parseNoInput } from './core/define-command.ts';
import {
  cachedOrRead,
  type RefreshableInput,
  refreshableInput,
  SINGLE_PAGE,
  viewPage,
} from './lists/paging.ts';
import { defineResultList } from './lists/result-cache.ts';
import { groupTree } from './queries/group-tree.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';

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
    unlisted: snapshot.unlisted,
    partial: snapshot.partial,
    overdue: snapshot.overdue,
    doubts: snapshot.doubts,
    paging: {
      command: 'groups',
      input: {},
      ...SINGLE_PAGE,
      total: nodes.length,
      asOf: snapshot.asOf,
    },
  };
}

/** How many devices are in each group itself. */
const devicesByGroup = memoizePerSnapshot(({ devices }) => {
  const counts = new Map<GroupId | null, number>();
  for (const { groupId } of devices) counts.set(groupId, (counts.get(groupId) ?? 0) + 1);
  return counts;
});
