/** Edits of a simulated fleet, with the same outcomes as commands; it knows only names, tags, groups and notes. */

import { applyTagChange } from '../../src/fleet/editor/device-fields.ts';
import { type EditOutcome, type FleetEditor, FleetFailure, type Removed } from '../../src/fleet/fleet.ts';
import type { DeviceChange, GroupChange, PolicyChange } from '../../src/fleet/model/changes.ts';
import type { Device, Group, Policy } from '../../src/fleet/model/resources.ts';
import { type DeviceId, groupId, policyId } from '../../src/lib/ids.ts';
import { aGroup, aPolicy } from '../harness/builders.ts';
import { aFleetEditor } from '../harness/fleet-editor.ts';
import { anError, DECLINED, DEVICE } from './fleet-builders.ts';
import type { World } from './simulated-fleet.ts';

const FINE = { notApplied: [], unconfirmed: [], alsoChanged: [] } as const;

export function createSimulatedEditor(world: World): FleetEditor {
  const edit = async <T>(what: string, apply: () => T): Promise<EditOutcome<T>> => {
    world.edits = [...world.edits, what];
    await world.holdEdit();
    return fateOf(world, apply);
  };
  const readable = (): void => {
    if (world.readError !== null) throw new FleetFailure(world.readError);
  };

  return aFleetEditor({
    updateDevice: (id, change) => edit(`updateDevice ${id}`, () => changeDevice(world, id, change)),
    tagDevices: async (ids, retag) => {
      const made = await edit(`tagDevices ${ids.length}`, () => null);
      return ids.map((id) => {
        const outcome =
          made.kind === 'done' ? { kind: 'done' as const, result: changeDevice(world, id, { retag }) } : made;
        return { deviceId: id, outcome };
      });
    },
    checkDevice: async (id, change) => {
      readable();
      const device = deviceOf(world, id);
      const same = JSON.stringify(deviceWith(device, change)) === JSON.stringify(device);
      return { ...FINE, notApplied: same ? [] : ['tags'], after: device };
    },
    createGroup: (group) =>
      edit(`createGroup ${group.name}`, () => {
        const made = groupWith(aGroup({ id: groupId(100 + world.groups.length) }), group);
        world.groups = [...world.groups, made];
        return { ...FINE, group: made };
      }),
    updateGroup: (id, change) =>
      edit(`updateGroup ${id}`, () => {
        const group = groupWith(present(world.groups.find((one) => one.id === id)), change);
        world.groups = world.groups.map((one) => (one.id === id ? group : one));
        return { ...FINE, after: group };
      }),
    deleteDevice: (id) =>
      edit(`deleteDevice ${id}`, () =>
        removeFrom(world, () => {
          if (id === DEVICE) world.device = null;
          world.others = world.others.filter((one) => one.id !== id);
        }),
      ),
    deleteGroup: (id) =>
      edit(`deleteGroup ${id}`, () =>
        removeFrom(world, () => {
          world.groups = world.groups.filter((one) => one.id !== id);
        }),
      ),
    createPolicy: (policy) =>
      edit(`createPolicy ${policy.name}`, () => {
        const made = policyWith(aPolicy({ id: policyId(100 + world.policies.length) }), policy);
        world.policies = [...world.policies, made];
        return { ...FINE, after: made };
      }),
    updatePolicy: (id, change) =>
      edit(`updatePolicy ${id}`, () => {
        const policy = policyWith(present(world.policies.find((one) => one.id === id)), change);
        world.policies = world.policies.map((one) => (one.id === id ? policy : one));
        return { ...FINE, after: policy };
      }),
    checkPolicy: async (id, change) => {
      readable();
      const policy = present(world.policies.find((one) => one.id === id));
      const same = JSON.stringify(policyWith(policy, change)) === JSON.stringify(policy);
      return { ...FINE, notApplied: same ? [] : ['notes'], after: policy };
    },
    checkGroup: async (id, change) => {
      readable();
      const group = present(world.groups.find((one) => one.id === id));
      const same = JSON.stringify(groupWith(group, change)) === JSON.stringify(group);
      return { ...FINE, notApplied: same ? [] : ['notes'], after: group };
    },
  });
}

/** At once, or when the test lets the service catch up. */
function removeFrom(world: World, remove: () => void): Removed {
  if (!world.removesLate) remove();
  else world.lateRemovals = [...world.lateRemovals, remove];
  return { gone: !world.removesLate };
}

/** What the world makes of a call; `apply` is its effect. */
export function fateOf<T>(world: World, apply: () => T): EditOutcome<T> {
  switch (world.fate) {
    case 'refuse':
      return { kind: 'refused', error: anError('forbidden', 403) };
    case 'unsent':
      return { kind: 'unsent', error: world.unsentError, retryAfterMs: world.retryAfterMs };
    case 'declined-before':
      return { kind: 'unknown', error: DECLINED };
    case 'declined-after':
      apply();
      return { kind: 'unknown', error: DECLINED };
    case 'lost-before':
      return { kind: 'unknown', error: anError('timeout', null) };
    case 'lost-after':
      apply();
      return { kind: 'unknown', error: anError('timeout', null) };
    case 'accept':
    case 'accept-unlisted':
      return { kind: 'done', result: apply() };
  }
}

function present<T>(thing: T | null | undefined): T {
  if (thing === null || thing === undefined) throw new FleetFailure(anError('missing', 404));
  return thing;
}

function deviceOf(world: World, id: DeviceId): Device {
  return present(id === DEVICE ? world.device : world.others.find((one) => one.id === id));
}

function changeDevice(world: World, id: DeviceId, change: DeviceChange) {
  const device = deviceWith(deviceOf(world, id), change);
  if (id === DEVICE) world.device = device;
  else world.others = world.others.map((one) => (one.id === id ? device : one));
  return { ...FINE, after: device };
}

function deviceWith(device: Device, { customName = device.customName, retag }: DeviceChange): Device {
  return {
    ...device,
    customName,
    tags: retag === undefined ? device.tags : applyTagChange(device.tags ?? [], retag),
  };
}

function groupWith(group: Group, change: GroupChange): Group {
  const { name = group.name, parentId = group.parentId } = change;
  return { ...group, name, parentId, notes: change.notes ?? group.notes };
}

function policyWith(policy: Policy, change: PolicyChange): Policy {
  return { ...policy, name: change.name ?? policy.name, notes: change.notes ?? policy.notes };
}
