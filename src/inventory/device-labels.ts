/** The facts about devices that alert rules use: groups, tags and system, from the index or read fresh. */
import type { FleetReader } from '../fleet/fleet.ts';
import type { DeviceId, GroupId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { Inventory, Snapshot } from './inventory.ts';

/** The labels of a device that subscriptions and silences filter by. */
export type DeviceLabels = {
  /** Its group and the groups above it. */
  readonly groups: readonly GroupId[];
  readonly tags: readonly string[];
  /** All names of its operating system in one text. */
  readonly system: string;
};

/** Maximum devices that are read one by one because the index lacks them; the others stay unknown. */
const MAX_SINGLE_READS = 20;

export type DeviceLabelsOptions = {
  readonly inventory: Pick<Inventory, 'snapshot'>;
  readonly fleet: Pick<FleetReader, 'device'>;
  readonly log: Log;
};

/** Never rejects: a device that can't be read is left out. */
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
  readonly tags: readonly string[] | null;
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
    tags: tags ?? [],
    system: [osFamily, osName, osVersion].filter((part) => part !== null).join(' '),
  };
}

/** The service maintains the tree; a cycle in it must not loop forever. The default group is its own parent (§2.1). */
function groupWithAncestors(id: GroupId | null, groups: Snapshot['groups']): readonly GroupId[] {
  const visited = new Set<GroupId>();
  for (let at = id; at !== null && !visited.has(at); ) {
    visited.add(at);
    const parent = groups.get(at)?.parentId ?? null;
    // A group directly below the default group does not count as part of it.
    at = parent === null || groups.get(parent)?.parentId === parent ? null : parent;
  }
  return [...visited];
}
