/** Reads what an edit is about: before it is asked for, and again before it is carried out. */

import type { Instant } from '../clock.ts';
import type { DeviceId, GroupId, OrganizationId, PolicyId } from '../ids.ts';
import { fold } from '../text.ts';
import { collectRows } from './collect-rows.ts';
import type { GroupFacts, NamedPolicy } from './edit-facts.ts';
import { deviceFacts, type Facts } from './facts.ts';
import type { FleetReader, Lane } from './fleet.ts';
import { groupLabel } from './group-label.ts';
import type { Device, Group } from './model.ts';
import type { DeviceEdit, GroupEdit } from './orders.ts';
import { unlessMissing } from './unless-missing.ts';

type Read = { readonly asOf: Instant; readonly lane: Lane; readonly organizationId: OrganizationId };
type OfDevice = {
  readonly deviceId: DeviceId;
  /** Where it was read this very moment. */
  readonly read?: Device;
};
type Reader = Pick<FleetReader, 'device' | 'groups' | 'policies'>;

/** The device with the fields that can be edited; null: unknown, or another organization's. Throws FleetFailure. */
export async function deviceForEdit(
  reader: Reader,
  { change }: DeviceEdit,
  { deviceId, asOf, lane, organizationId, read }: Read & OfDevice,
): Promise<Facts | null> {
  const device = read ?? (await unlessMissing(() => reader.device(deviceId, { lane })));
  if (device === null || device.organizationId !== organizationId) return null;
  const groups = await collectRows(reader.groups({ lane }));
  const { customName, exception, tags, addresses } = device;
  const intoGroup = change.groupId === undefined ? null : nameOf(groups, change.groupId);
  return deviceFacts(device, {
    groupName: nameOf(groups, device.groupId),
    missing: [],
    editable: { customName, exception, tags, addresses, intoGroup },
    asOf,
  });
}

/** The group with what the edit names; null: it is not there any more. Throws FleetFailure. */
export async function groupForEdit(
  reader: Reader,
  edit: GroupEdit,
  { asOf, lane }: Read,
): Promise<GroupFacts | null> {
  const groups = await collectRows(reader.groups({ lane }));
  const wanted = edit.kind === 'group-create' ? edit.group : edit.change;
  const groupId = edit.kind === 'group-create' ? null : edit.groupId;
  const group = groups.find(({ id }) => id === groupId) ?? null;
  if (groupId !== null && group === null) return null;
  const known = wanted.policyIds === undefined ? [] : await collectRows(reader.policies({ lane }));
  const named = (id: PolicyId): NamedPolicy => ({
    id,
    name: known.find((policy) => policy.id === id)?.name ?? null,
  });
  const digestOf = (id: PolicyId) => known.find((policy) => policy.id === id)?.digest ?? null;
  return {
    deviceId: null,
    groupId,
    displayName: group === null ? (wanted.name ?? '') : groupLabel(group),
    group: group === null ? null : stateOf(group, groups, named),
    parentName: wanted.parentId === undefined ? null : nameOf(groups, wanted.parentId),
    policies: (wanted.policyIds ?? []).map((id) =>
      group?.policyIds.includes(id) === true ? named(id) : { ...named(id), digest: digestOf(id) },
    ),
    twin: twinOf(groups, { groupId, name: wanted.name, parentId: wanted.parentId ?? group?.parentId }),
    asOf,
  };
}

function stateOf(group: Group, groups: readonly Group[], named: (id: PolicyId) => NamedPolicy) {
  const { name, parentId, refreshIntervalMinutes, color, notes, osAutoUpdate, wsus, deviceCount } = group;
  return {
    name,
    parentId,
    parentName: nameOf(groups, parentId),
    refreshIntervalMinutes,
    color,
    notes,
    osAutoUpdate,
    wsus,
    deviceCount,
    policies: group.policyIds.map(named),
  };
}

type Wanted = {
  readonly groupId: GroupId | null;
  readonly name: string | undefined;
  readonly parentId: GroupId | null | undefined;
};

function twinOf(groups: readonly Group[], { groupId, name, parentId }: Wanted): GroupId | null {
  if (name === undefined) return null;
  const twin = groups.find(
    (group) => group.id !== groupId && group.parentId === parentId && fold(group.name) === fold(name),
  );
  return twin?.id ?? null;
}

function nameOf(groups: readonly Group[], id: GroupId | null): string | null {
  const group = groups.find((one) => one.id === id);
  return group === undefined ? null : groupLabel(group);
}
