/** `group`: the facts of one group, read fresh. */
import { z } from 'zod';
import { groupLabel, isDefaultGroup } from '../fleet/model/derived-fields.ts';
import type { Group } from '../fleet/model/resources.ts';
import { collectRows, nullIfMissing } from '../fleet/reads/read-helpers.ts';
import { ancestorNames, type Snapshot } from '../inventory/inventory.ts';
import type { GroupId } from '../lib/ids.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import { readOnlyNotice } from './core/reader-rights.ts';
import { groupOrPolicyForm } from './forms/subject-forms.ts';
import { type NameOrId, nameOrId, parseNameOrId } from './targets/name-lookup.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';
import { descendants, resolveGroup, unknownGroupView } from './targets/resolve-group.ts';

const input = z.object({ group: nameOrId });

export const groupCommand = defineReadCommand<z.infer<typeof input>>({
  name: 'group',
  usage: 'group NAME|#ID',
  summary: 'Show one group: its parents, settings, policies and devices.',
  examples: ['group "Linux servers"', 'group default', 'group #3111'],
  input,
  form: groupOrPolicyForm({ command: 'group', searchedKind: 'group', title: 'Show a group', label: 'Group' }),
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
  const below = isDefaultGroup(fresh) ? new Set([id]) : descendants([id], [...groups.values()]);
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

/** The list of devices of the groups of this name and below. */
function devicesOf(name: string) {
  const filters = [{ key: 'group', value: name, negated: false }];
  return { command: 'devices', input: { words: [], filters } };
}
