/** `group`: the facts of one group, read fresh. */

import { z } from 'zod';
import { collectRows } from '../fleet/collect-rows.ts';
import type { Group } from '../fleet/model.ts';
import { unlessMissing } from '../fleet/unless-missing.ts';
import type { GroupId } from '../ids.ts';
import { groupLabel } from '../inventory/directory.ts';
import { isDefault, namesAbove } from '../inventory/group-paths.ts';
import type { Snapshot } from '../inventory/inventory.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { namedForm } from './forms/named-form.ts';
import { lookOnly } from './look-only.ts';
import { groupMeant, noSuchGroup } from './targets/group-meant.ts';
import { descendants } from './targets/group-members.ts';
import { parseRef, type Ref, ref } from './targets/named.ts';
import { PERSON } from './targets/resolve.ts';

const input = z.object({ group: ref });

export const group = defineRead<z.infer<typeof input>>({
  name: 'group',
  usage: 'group NAME|#ID',
  summary: 'Show one group: its parents, settings, policies and devices.',
  examples: ['group "Linux servers"', 'group default', 'group #3111'],
  input,
  form: namedForm({ command: 'group', of: 'group', title: 'Show a group', label: 'Group' }),
  parse: (words) => {
    const read = parseRef(words, 'Which group?');
    return read.kind === 'fault' ? read : { kind: 'input', input: { group: read.input } };
  },
  run: ({ group: given }, _page, ports) => find(given, ports),
});

async function find(given: Ref, ports: ReadPorts): Promise<View> {
  const again = (id: number) => ({ command: 'group', input: { group: id } });
  const found = await groupMeant(given, again, ports);
  if (found.kind === 'view') return found.view;
  const { id } = found;
  const snapshot = await ports.inventory.snapshot(PERSON);
  return (await unlessMissing(() => show(id, snapshot, ports))) ?? noSuchGroup(`#${id}`);
}

async function show(id: GroupId, snapshot: Snapshot, ports: ReadPorts): Promise<View> {
  const { fleet, clock } = ports;
  const asOf = clock.now();
  const [fresh, policies] = await Promise.all([fleet.group(id, PERSON), collectRows(fleet.policies(PERSON))]);
  const names = new Map(policies.map((policy) => [policy.id, policy.name]));
  const name = groupLabel(fresh);
  const groups = new Map(snapshot.groups).set(id, fresh);
  const below = isDefault(fresh) ? new Set([id]) : descendants([id], [...groups.values()]);
  const devicesIn = (ids: ReadonlySet<GroupId>) =>
    snapshot.devices.filter((device) => device.groupId !== null && ids.has(device.groupId)).length;
  return {
    kind: 'group',
    ...(await lookOnly(ports)),
    group: fresh,
    name,
    above: placeOf(fresh, groups),
    policies: fresh.policyIds.map((policy) => ({ id: policy, name: names.get(policy) ?? null })),
    devices: devicesIn(new Set([id])),
    devicesBelow: devicesIn(below),
    list: devicesOf(name),
    asOf,
  };
}

/** The groups above it; the Default group only where it is the parent. */
function placeOf(group: Group, groups: ReadonlyMap<GroupId, Group>): readonly string[] {
  const above = namesAbove(group, groups);
  const parent = group.parentId === null ? undefined : groups.get(group.parentId);
  return above.length > 0 || parent === undefined || parent.id === group.id ? above : [groupLabel(parent)];
}

/** The list of devices of the groups of this name and below. */
function devicesOf(name: string) {
  const filters = [{ key: 'group', value: name, negated: false }];
  return { command: 'devices', input: { words: [], filters } };
}
