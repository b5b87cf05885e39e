/** What rules about alerts ask of devices: their groups, tags and system, from the index or read anew. */
import type { FleetReader } from '../fleet/fleet.ts';
import type { DeviceId, GroupId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Inventory, Snapshot } from './inventory.ts';

/** What filters of subscriptions and silences ask of a device. */
export type DeviceTraits = {
  /** Its group and those above. */
  readonly groups: readonly GroupId[];
  readonly tags: readonly string[];
  /** Operating system in all its names. */
  readonly system: string;
};

/** Devices that the index does not have are read one by one: so many at the most, the others stay unknown. */
const MOST_READ = 20;

export type TraitsOptions = {
  readonly inventory: Pick<Inventory, 'snapshot'>;
  readonly fleet: Pick<FleetReader, 'device'>;
  readonly log: Log;
};

/** Never rejects: a device of which nothing can be read is left out. */
export function createTraits({ inventory, fleet, log }: TraitsOptions) {
  const read = async (id: DeviceId) => {
    try {
      return await fleet.device(id, { lane: 'background' });
    } catch {
      return null;
    }
  };

  return async (ids: ReadonlySet<DeviceId>): Promise<ReadonlyMap<DeviceId, DeviceTraits>> => {
    const found = new Map<DeviceId, DeviceTraits>();
    let groups: Snapshot['groups'] = new Map();
    try {
      const snapshot = await inventory.snapshot();
      groups = snapshot.groups;
      for (const device of snapshot.devices)
        if (ids.has(device.id)) found.set(device.id, traitsOf(device, groups));
    } catch (error) {
      log.warn({ event: 'traits.unread', err: error }, 'could not read device groups and tags');
    }
    const unknown = [...ids].filter((id) => !found.has(id)).slice(0, MOST_READ);
    for (const id of unknown) {
      const device = await read(id);
      if (device !== null) found.set(id, traitsOf(device, groups));
    }
    return found;
  };
}

type Asked = {
  readonly groupId: GroupId | null;
  readonly tags: readonly string[];
  readonly osFamily: string | null;
  readonly osName: string | null;
  readonly osVersion: string | null;
};

function traitsOf(
  { groupId, tags, osFamily, osName, osVersion }: Asked,
  groups: Snapshot['groups'],
): DeviceTraits {
  return {
    groups: above(groupId, groups),
    tags,
    system: [osFamily, osName, osVersion].filter((part) => part !== null).join(' '),
  };
}

/** The tree is the service's to keep; a ring in it must not hold us up. The default group is its own parent (§2.1). */
function above(id: GroupId | null, groups: Snapshot['groups']): readonly GroupId[] {
  const met = new Set<GroupId>();
  for (let at = id; at !== null && !met.has(at); ) {
    met.add(at);
    const parent = groups.get(at)?.parentId ?? null;
    // What stands below the default group alone is not meant by its name.
    at = parent === null || groups.get(parent)?.parentId === parent ? null : parent;
  }
  return [...met];
}
