/** Reads what an edit or a removal is about: before it is requested, and again before it is carried out. */
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId, GroupId, OrganizationId, PolicyId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { FleetReader, Lane } from '../fleet.ts';
import type { DeviceEdit, GroupEdit, PolicyEdit } from '../model/actions.ts';
import { groupLabel, isDefaultGroup } from '../model/derived-fields.ts';
import { type Device, displayName, type Group, type Policy } from '../model/resources.ts';
import { isUnanswered } from '../queue-entries.ts';
import { collectRows, nullIfMissing } from '../reads/read-helpers.ts';
import {
  type DeviceFacts,
  type GroupFacts,
  type GroupRemovalFacts,
  type GroupSnapshot,
  type NamedGroup,
  type NamedPolicy,
  type PolicyEditFacts,
  type PolicySnapshot,
  toDeviceFacts,
} from './facts.ts';

type ReadContext = { readonly asOf: Instant; readonly lane: Lane };
type DeviceContext = ReadContext & {
  readonly deviceId: DeviceId;
  readonly organizationId: OrganizationId;
  /** The device, if the caller has just read it. */
  readonly read?: Device;
  /** The name of its group, so that the list of groups need not be read where the device stays in it. */
  readonly groupName: (id: GroupId | null) => Promise<string | null>;
};
type Reader = Pick<FleetReader, 'device' | 'groups' | 'policies'>;

/** The device with the fields that can be edited; null: unknown, or in another organization. Throws FleetFailure. */
export async function readDeviceForEdit(
  reader: Reader,
  { change }: DeviceEdit,
  { deviceId, asOf, lane, organizationId, read, groupName }: DeviceContext,
): Promise<DeviceFacts | null> {
  const device = read ?? (await nullIfMissing(() => reader.device(deviceId, { lane })));
  if (device === null || device.organizationId !== organizationId) return null;
  const { customName, exception, tags, addresses } = device;
  const { groupId = device.groupId } = change;
  const changesTags = change.tags !== undefined || change.retag !== undefined;
  const isMoved = groupId !== device.groupId;
  const namesGroup = change.groupId !== undefined;
  const groups = namesGroup ? await collectRows(reader.groups({ lane })) : null;
  const nameOf = (id: GroupId | null) => (groups === null ? groupName(id) : groupNameOf(groups, id));
  const all = isMoved || changesTags ? await collectRows(reader.policies({ lane })) : [];
  const linked = groups?.find(({ id }) => id === groupId)?.policyIds ?? [];
  const applied = all.filter(
    ({ id, groupIds, selectsByTag }) =>
      (isMoved || selectsByTag) && (linked.includes(id) || (groupId !== null && groupIds.includes(groupId))),
  );
  return toDeviceFacts(device, {
    groupName: await nameOf(device.groupId),
    packages: [],
    editable: {
      customName,
      exception,
      tags: tags ?? [],
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

function toGroupSnapshot(
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

/** The policy with what the edit names; null: it no longer exists. Throws FleetFailure. */
export async function readPolicyForEdit(
  reader: Pick<FleetReader, 'groups' | 'policies' | 'policy'>,
  edit: PolicyEdit,
  { asOf, lane }: ReadContext,
): Promise<PolicyEditFacts | null> {
  const wanted = edit.kind === 'policy-create' ? edit.policy : edit.change;
  const policyId = edit.kind === 'policy-create' ? null : edit.policyId;
  const { name } = wanted;
  const [policy, groups, others] = await Promise.all([
    policyId === null ? null : nullIfMissing(() => reader.policy(policyId, { lane })),
    collectRows(reader.groups({ lane })),
    name === undefined ? [] : collectRows(reader.policies({ lane })),
  ]);
  if (policyId !== null && policy === null) return null;
  const named = (id: GroupId): NamedGroup => {
    const group = groups.find((one) => one.id === id);
    return group === undefined
      ? { id, name: null, devices: null }
      : { id, name: groupLabel(group), devices: group.deviceCount };
  };
  return {
    deviceId: null,
    policyId,
    displayName: policy === null ? (name ?? '') : policyLabel(policy),
    current: policy === null ? null : toPolicySnapshot(policy, named),
    groups: (wanted.groupIds ?? []).map(named),
    devices: devicesIn(groups, wanted.groupIds ?? policy?.groupIds ?? []),
    // The service takes no two policies of one name (management API in practice, 9).
    twin: others.find((one) => one.id !== policyId && one.name === name)?.id ?? null,
    asOf,
  };
}

/** Its name; a policy without one is known by its number. */
function policyLabel({ id, name }: { readonly id: PolicyId; readonly name: string }): string {
  return name === '' ? `policy ${id}` : name;
}

function toPolicySnapshot(policy: Policy, named: (id: GroupId) => NamedGroup): PolicySnapshot {
  const { name, type, notes, schedule, settings, digest, groupIds } = policy;
  return { name, type, notes, schedule, settings, digest, groups: groupIds.map(named) };
}

/** A group's own devices, without those of its subgroups, which have links of their own. */
function devicesIn(groups: readonly Group[], ids: readonly GroupId[]): number | null {
  const counts = groups.filter(({ id }) => ids.includes(id)).map(({ deviceCount }) => deviceCount);
  return counts.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}

type RemovalContext = ReadContext & {
  readonly deviceId: DeviceId;
  readonly organizationId: OrganizationId;
  readonly groupName: (id: GroupId | null) => Promise<string | null>;
};

/** Null: the device is unknown, or in another organization. Throws FleetFailure. */
export async function readDeviceForRemoval(
  reader: Pick<FleetReader, 'device' | 'queue'>,
  { deviceId, asOf, lane, organizationId, groupName }: RemovalContext,
): Promise<DeviceFacts | null> {
  const found = await nullIfMissing(async () => ({
    device: await reader.device(deviceId, { lane }),
    queue: await reader.queue(deviceId, { lane }),
  }));
  if (found === null) return null;
  const { device, queue } = found;
  if (device.organizationId !== organizationId) return null;
  return toDeviceFacts(device, {
    groupName: await groupName(device.groupId),
    packages: [],
    removal: {
      policies: policiesOf(device),
      queued: queue.filter(isUnanswered).map(({ id, type }) => ({ id, type })),
    },
    asOf,
  });
}

/** Each once: the live service shows them in two places. */
function policiesOf({ policyStatuses, policies }: Device): readonly NamedPolicy[] {
  const named = new Map<PolicyId, string | null>();
  for (const { policyId: id, policyName: name } of policyStatuses) if (id !== null) named.set(id, name);
  for (const { id, name } of policies) named.set(id, name);
  return [...named].map(([id, name]) => ({ id, name }));
}

/** Null: the group no longer exists. Throws FleetFailure. */
export async function readGroupForRemoval(
  reader: Pick<FleetReader, 'groups' | 'policies' | 'devices'>,
  { groupId, asOf, lane }: ReadContext & { readonly groupId: GroupId },
): Promise<GroupFacts | null> {
  const groups = await collectRows(reader.groups({ lane }));
  const group = groups.find(({ id }) => id === groupId);
  if (group === undefined) return null;
  const policies = await collectRows(reader.policies({ lane }));
  const named = policyNamesIn(policies);
  const subgroups = groups.filter(({ id, parentId }) => parentId === groupId && id !== groupId);
  const home = groups.find(isDefaultGroup);
  return {
    deviceId: null,
    groupId,
    displayName: groupLabel(group),
    group: toGroupSnapshot(group, groups, named),
    parentName: null,
    policies: [],
    twin: null,
    removal: {
      devices: await devicesOfGroup(reader, group, lane),
      subgroups: subgroups.map((one) => ({ id: one.id, name: groupLabel(one) })),
      policiesAfter: (home?.policyIds ?? []).map(newPoliciesIn(policies)),
    },
    asOf,
  };
}

/** Devices that are named one by one: a page of the service's list. Of larger groups only the number is known. */
const MAX_LISTED_DEVICES = 500;

async function devicesOfGroup(
  reader: Pick<FleetReader, 'devices'>,
  group: Group,
  lane: Lane,
): Promise<GroupRemovalFacts['devices']> {
  const listed: GroupRemovalFacts['devices']['listed'][number][] = [];
  let unlisted = 0;
  let total = 0;
  for await (const page of reader.devices({ groupId: group.id, withoutPolicyStatus: true }, { lane })) {
    const rows = page.rows.filter(({ groupId }) => groupId === group.id);
    listed.push(...rows.map((device) => ({ id: device.id, name: displayName(device) })));
    unlisted += page.unreadable + (page.shortfall ?? 0);
    total = page.total ?? total;
    if (listed.length > MAX_LISTED_DEVICES)
      return { count: Math.max(total, listed.length, group.deviceCount ?? 0), listed: [] };
  }
  return { count: listed.length + unlisted, listed };
}

function policyNamesIn(policies: readonly Pick<Policy, 'id' | 'name'>[]) {
  const names = new Map(policies.map(({ id, name }) => [id, name]));
  return (id: PolicyId): NamedPolicy => ({ id, name: names.get(id) ?? null });
}

/** The same for a policy that comes to apply, with the digest of what it runs; one that is not known runs nothing. */
function newPoliciesIn(policies: readonly Pick<Policy, 'id' | 'name' | 'digest'>[]) {
  const known = new Map(policies.map(({ id, name, digest }) => [id, { id, name, digest }]));
  return (id: PolicyId): NamedPolicy => known.get(id) ?? { id, name: null };
}
