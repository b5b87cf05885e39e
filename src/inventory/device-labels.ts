/** What rules about alerts ask of devices: their groups, tags and system, from the index or read anew. */
import type { FleetReader } from '../fleet/fleet.ts';
import type { DeviceId, GroupId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { Inventory, Snapshot } from './inventory.ts';

/** What filters of subscriptions and silences ask of a device. */
export type DeviceLabels = {
  /** Its group and those above. */
  readonly groups: readonly GroupId[];
  readonly tags: readonly string[];
  /** Operating system in all its names. */
  readonly system: string;
};

/** Devices that the index does not have are read one by one: so many at the most, the others stay unknown. */
const MAX_SINGLE_READS = 20;

export type DeviceLabelsOptions = {
  readonly inventory: Pick<Inventory, 'snapshot'>;
  readonly fleet: Pick<FleetReader, 'device'>;
  readonly log: Log;
};

/** Never rejects: a device of which nothing can be read is left out. */
export function createDeviceLabelReader({ inventory, fleet, log }: DeviceLabelsOptions) {
  const read = async (id: DeviceId) => {
    try {
      return await fleet.device(id, { lane: 'background' });
    } catch {
      return null;
    }
  };

  return async (ids: ReadonlySet<DeviceId>): Promise<ReadonlyMap<DeviceId, DeviceLabels>> => {
    const found = new Map<DeviceId, DeviceLabels>();
    let groups: Snapshot['groups'] = new Map();
    try {
      const snapshot = await inventory.snapshot();
      groups = snapshot.groups;
      for (const device of snapshot.devices)
        if (ids.has(device.id)) found.set(device.id, labelsOf(device, groups));
    } catch (error) {
      log.warn({ event: 'traits.unread', err: error }, 'could not read device groups and tags');
    }
    const unknown = [...ids].filter((id) => !found.has(id)).slice(0, MAX_SINGLE_READS);
    for (const id of unknown) {
      const device = await read(id);
      if (device !== null) found.set(id, labelsOf(device, groups));
    }
    return found;
  };
}

type LabelSource = {
  readonly groupId: GroupId | null;
  readonly tags: readonly string[];
  readonly osFamily: string | null;
  readonly osName: string | null;
  readonly osVersion: string | null;
};

function labelsOf(
  { groupId, tags, osFamily, osName, osVersion }: LabelSource,
  groups: Snapshot['groups'],
): DeviceLabels {
  return {
    groups: groupWithAncestors(groupId, groups),
    tags,
    system: [osFamily, osName, osVersion].filter((part) => part !== null).join(' '),
  };
}

/** The tree is the service's to keep; a ring in it must not hold us up. The default group is its own parent (§2.1). */
function groupWithAncestors(id: GroupId | null, groups: Snapshot['groups']): readonly GroupId[] {
  const visited = new Set<GroupId>();
  for (let at = id; at !== null && !visited.has(at); ) {
    visited.add(at);
    const parent = groups.get(at)?.parentId ?? null;
    // What stands below the default group alone is not meant by its name.
    at = parent === null || groups.get(parent)?.parentId === parent ? null : parent;
  }
  return [...visited];
}
