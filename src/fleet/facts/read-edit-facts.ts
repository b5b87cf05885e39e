/** Reads what an edit is about: before it is requested, and again before it is carried out. */

import type { Instant } from '../../lib/clock.ts';
import type { DeviceId, GroupId, OrganizationId, PolicyId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { FleetReader, Lane } from '../fleet.ts';
import type { DeviceEdit, GroupEdit } from '../model/actions.ts';
import { groupLabel } from '../model/derived-fields.ts';
import type { Device, Group } from '../model/resources.ts';
import { collectRows, nullIfMissing } from '../reads/read-helpers.ts';
import { type SealedDeviceFacts, toDeviceFacts } from './device-facts.ts';
import type { GroupFacts, GroupSnapshot } from './edit-facts.ts';
import { type NamedPolicy, newPoliciesIn, policyNamesIn } from './named-policy.ts';

export type ReadContext = { readonly asOf: Instant; readonly lane: Lane };
type DeviceContext = ReadContext & {
  readonly deviceId: DeviceId;
  readonly organizationId: OrganizationId;
  /** The device, if the caller has just read it. */
  readonly read?: Device;
  /** The name of its group, so that the list of groups need not be read where the device stays in it. */
  readonly groupName?: (id: GroupId | null) => Promise<string | null>;
};
type Reader = Pick<FleetReader, 'device' | 'groups' | 'policies'>;

/** The device with the fields that can be edited; null: unknown, or in another organization. Throws FleetFailure. */
export async function readDeviceForEdit(
  reader: Reader,
  { change }: DeviceEdit,
  { deviceId, asOf, lane, organizationId, read, groupName }: DeviceContext,
): Promise<SealedDeviceFacts | null> {
  const device = read ?? (await nullIfMissing(() => reader.device(deviceId, { lane })));
  if (device === null || device.organizationId !== organizationId) return null;
  const { customName, exception, tags, addresses } = device;
  const { groupId = device.groupId } = change;
  const changesTags = change.tags !== undefined || change.retag !== undefined;
  const isMoved = groupId !== device.groupId;
  const namesGroup = change.groupId !== undefined;
  const groups = namesGroup || groupName === undefined ? await collectRows(reader.groups({ lane })) : null;
  const nameOf = async (id: GroupId | null) =>
    groups === null ? ((await groupName?.(id)) ?? null) : groupNameOf(groups, id);
  const all = isMoved || changesTags ? await collectRows(reader.policies({ lane })) : [];
  const linked = groups?.find(({ id }) => id === groupId)?.policyIds ?? [];
  const applied = all.filter(
    ({ id, groupIds, selectsByTag }) =>
      (isMoved || selectsByTag) && (linked.includes(id) || (groupId !== null && groupIds.includes(groupId))),
  );
  return toDeviceFacts(device, {
    groupName: await nameOf(device.groupId),
    missing: [],
    editable: {
      customName,
      exception,
      tags,
      addresses,
      intoGroup: namesGroup ? await nameOf(groupId) : null,
      ...((isMoved || changesTags) && { policies: applied.map(({ id }) => newPoliciesIn(applied)(id)) }),
    },
    asOf,
  });
}

/** The group with what the edit names; null: it no longer exists. Throws FleetFailure. */
export async function readGroupForEdit(
  reader: Reader,
  edit: GroupEdit,
  { asOf, lane }: ReadContext,
): Promise<GroupFacts | null> {
  const groups = await collectRows(reader.groups({ lane }));
  const wanted = edit.kind === 'group-create' ? edit.group : edit.change;
  const groupId = edit.kind === 'group-create' ? null : edit.groupId;
  const group = groups.find(({ id }) => id === groupId) ?? null;
  if (groupId !== null && group === null) return null;
  const known = wanted.policyIds === undefined ? [] : await collectRows(reader.policies({ lane }));
  const [named, added] = [policyNamesIn(known), newPoliciesIn(known)];
  return {
    deviceId: null,
    groupId,
    displayName: group === null ? (wanted.name ?? '') : groupLabel(group),
    group: group === null ? null : toGroupSnapshot(group, groups, named),
    parentName: wanted.parentId === undefined ? null : groupNameOf(groups, wanted.parentId),
    policies: (wanted.policyIds ?? []).map((id) =>
      group?.policyIds.includes(id) === true ? named(id) : added(id),
    ),
    twin: findTwin(groups, { groupId, name: wanted.name, parentId: wanted.parentId ?? group?.parentId }),
    asOf,
  };
}

/** The group as it is, with the names of its parent and policies. */
export function toGroupSnapshot(
  group: Group,
  groups: readonly Group[],
  named: (id: PolicyId) => NamedPolicy,
): GroupSnapshot {
  const { name, parentId, refreshIntervalMinutes, color, notes, osAutoUpdate, wsus, deviceCount } = group;
  return {
    name,
    parentId,
    parentName: groupNameOf(groups, parentId),
    refreshIntervalMinutes,
    color,
    notes,
    osAutoUpdate,
    wsus,
    deviceCount,
    policies: group.policyIds.map(named),
  };
}

type WantedGroup = {
  readonly groupId: GroupId | null;
  readonly name: string | undefined;
  readonly parentId: GroupId | null | undefined;
};

function findTwin(groups: readonly Group[], { groupId, name, parentId }: WantedGroup): GroupId | null {
  if (name === undefined) return null;
  const duplicate = groups.find(
    (group) => group.id !== groupId && group.parentId === parentId && fold(group.name) === fold(name),
  );
  return duplicate?.id ?? null;
}

function groupNameOf(groups: readonly Group[], id: GroupId | null): string | null {
  const group = groups.find((one) => one.id === id);
  return group === undefined ? null : groupLabel(group);
}
