/** Reads what goes with a device or group that is to be removed: before it is requested, and again before it is sent. */

import type { DeviceId, GroupId, OrganizationId, PolicyId } from '../../lib/ids.ts';
import type { FleetReader, Lane } from '../fleet.ts';
import { groupLabel, isDefaultGroup } from '../model/derived-fields.ts';
import { type Device, displayName, type Group } from '../model/resources.ts';
import { isUnanswered } from '../queue-entries.ts';
import { collectRows, nullIfMissing } from '../reads/read-helpers.ts';
import { type SealedDeviceFacts, toDeviceFacts } from './device-facts.ts';
import type { GroupFacts } from './edit-facts.ts';
import { type NamedPolicy, newPoliciesIn, policyNamesIn } from './named-policy.ts';
import { type ReadContext, toGroupSnapshot } from './read-edit-facts.ts';
import type { GroupRemovalFacts } from './removal-facts.ts';

type DeviceContext = ReadContext & {
  readonly deviceId: DeviceId;
  readonly organizationId: OrganizationId;
  readonly groupName: (id: GroupId | null) => Promise<string | null>;
};

/** Null: the device is unknown, or in another organization. Throws FleetFailure. */
export async function readDeviceForRemoval(
  reader: Pick<FleetReader, 'device' | 'queue'>,
  { deviceId, asOf, lane, organizationId, groupName }: DeviceContext,
): Promise<SealedDeviceFacts | null> {
  const found = await nullIfMissing(async () => ({
    device: await reader.device(deviceId, { lane }),
    queue: await reader.queue(deviceId, { lane }),
  }));
  if (found === null) return null;
  const { device, queue } = found;
  if (device.organizationId !== organizationId) return null;
  return toDeviceFacts(device, {
    groupName: await groupName(device.groupId),
    missing: [],
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
      devices: await devicesIn(reader, group, lane),
      subgroups: subgroups.map((one) => ({ id: one.id, name: groupLabel(one) })),
      policiesAfter: (home?.policyIds ?? []).map(newPoliciesIn(policies)),
    },
    asOf,
  };
}

/** Devices that are named one by one: a page of the service's list. Of larger groups only the number is known. */
const MAX_LISTED_DEVICES = 500;

async function devicesIn(
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
