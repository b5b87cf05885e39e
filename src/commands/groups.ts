/** `groups`: the tree of groups, a page at a time. */
import type { Group } from '../fleet/model.ts';
import { groupLabel } from '../inventory/directory.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { treeOf } from './group-tree.ts';
import { type Nothing, nothing, parseNothing } from './nothing.ts';
import { slice } from './paging.ts';
import { PERSON } from './resolve.ts';

const PAGE_SIZE = 15;

export const groups = defineRead<Nothing>({
  name: 'groups',
  usage: 'groups',
  summary: 'Show the tree of groups, with their devices, how often these are scanned, and policies.',
  examples: ['groups'],
  input: nothing,
  parse: parseNothing,
  run: list,
});

async function list(
  _asked: Nothing,
  page: number,
  { inventory, pageSize = PAGE_SIZE }: ReadPorts,
): Promise<View> {
  const snapshot = await inventory.snapshot(PERSON);
  const inGroup = Map.groupBy(snapshot.devices, ({ groupId }) => groupId);
  const nodes = treeOf(snapshot.groups.values());
  const shown = slice(nodes, page, pageSize);
  const row = (group: Group, depth: number) => ({
    id: group.id,
    name: groupLabel(group),
    depth,
    devices: inGroup.get(group.id)?.length ?? 0,
    refreshIntervalMinutes: group.refreshIntervalMinutes,
    policies: group.policyIds.length,
  });
  return {
    kind: 'groups',
    rows: shown.rows.map(({ group, depth }) => row(group, depth)),
    devices: snapshot.devices.length,
    unlisted: snapshot.unlisted,
    partial: snapshot.partial,
    overdue: snapshot.overdue,
    paging: {
      command: 'groups',
      input: {},
      page: shown.page,
      pages: shown.pages,
      total: nodes.length,
      asOf: snapshot.asOf,
    },
  };
}
