/** Fresh records of many devices, by whatever takes the fewest requests: one by one, or pages of lists. */
import type { Device } from '../../fleet/model/resources.ts';
import { incompleteList, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import type { Snapshot } from '../../inventory/inventory.ts';
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import { listPages } from '../../lib/list-pages.ts';
import type { ReadPorts } from '../core/command.ts';
import { PERSON_PRIORITY } from './resolve-device.ts';

/** Read at a time, so that other requests are not delayed. */
const AT_ONCE = 4;

export type ReadWay =
  | { readonly kind: 'each' }
  /** Null: the list of all devices. */
  | { readonly kind: 'lists'; readonly groups: readonly GroupId[] | null };

/** The cheapest way to read these devices, by the sizes that the index knows. Pure. */
function cheapestWay(ids: readonly DeviceId[], snapshot: Snapshot): ReadWay {
  const groups = new Set(ids.map((id) => snapshot.device(id)?.groupId ?? null));
  const sizes = new Map<GroupId | null, number>();
  for (const { groupId } of snapshot.devices) {
    if (groups.has(groupId)) sizes.set(groupId, (sizes.get(groupId) ?? 0) + 1);
  }
  const whole = listPages(snapshot.devices.length);
  const listed = [...groups].flatMap((group) => (group === null ? [] : [group]));
  const byGroup = groups.has(null)
    ? Number.POSITIVE_INFINITY
    : listed.reduce((sum, group) => sum + listPages(sizes.get(group) ?? 0), 0);
  if (ids.length <= Math.min(whole, byGroup)) return { kind: 'each' };
  return byGroup < whole ? { kind: 'lists', groups: listed } : { kind: 'lists', groups: null };
}

/** Those that the service still knows. `withPolicies`: with their status under each policy. Throws FleetFailure. */
export async function readDevices(
  ids: readonly DeviceId[],
  snapshot: Snapshot,
  { fleet, inventory }: Pick<ReadPorts, 'fleet' | 'inventory'>,
  { withPolicies = false }: { readonly withPolicies?: boolean } = {},
): Promise<ReadonlyMap<DeviceId, Device>> {
  const way = cheapestWay(ids, snapshot);
  const found = new Map<DeviceId, Device>();
  if (way.kind === 'each') {
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      const some = ids.slice(start, start + AT_ONCE);
      const read = some.map((id) => nullIfMissing(() => fleet.device(id, PERSON_PRIORITY)));
      for (const device of await Promise.all(read)) if (device !== null) found.set(device.id, device);
    }
  } else {
    const wanted = new Set(ids);
    const brief = withPolicies ? {} : { withoutPolicyStatus: true };
    for (const groupId of way.groups ?? [undefined]) {
      const query = { ...brief, ...(groupId === undefined ? {} : { groupId }) };
      for await (const { rows } of fleet.devices(query, PERSON_PRIORITY)) {
        for (const device of rows) {
          if (wanted.has(device.id)) found.set(device.id, device);
        }
        // The rest of the list is about other devices.
        if (found.size === wanted.size) break;
      }
    }
    await readMoved(ids, found, { fleet });
  }
  for (const device of found.values()) inventory.learnDevice(device);
  return found;
}

/** Maximum devices that are looked for one by one: where each of them is gone, so are the others. */
const MAX_LOOKED_FOR = 20;

/**
 * A device that was moved or added since its list was read is not gone. Throws FleetFailure where a list lacks more
 * devices than can be looked for, and one of them is there.
 */
async function readMoved(
  ids: readonly DeviceId[],
  found: Map<DeviceId, Device>,
  { fleet }: Pick<ReadPorts, 'fleet'>,
): Promise<void> {
  const absent = ids.filter((id) => !found.has(id));
  for (const id of absent.slice(0, MAX_LOOKED_FOR)) {
    const device = await nullIfMissing(() => fleet.device(id, PERSON_PRIORITY));
    if (device === null) continue;
    if (absent.length > MAX_LOOKED_FOR)
      throw incompleteList(`${absent.length} devices are missing in the list`);
    found.set(id, device);
  }
}
