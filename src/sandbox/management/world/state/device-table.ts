/** The devices by id and in the order of their ids, so that a page is cut out without a walk over all of them. */
import type { WorldDevice } from '../model.ts';

export type DeviceTable = {
  readonly size: number;
  readonly get: (id: number) => WorldDevice | undefined;
  /** Ids ascending. Reads as the fleet stands; not to be kept. */
  readonly values: () => readonly WorldDevice[];
  /** The newest device: its id is above all others. */
  readonly add: (device: WorldDevice) => void;
  readonly delete: (id: number) => void;
  /** The only way into another group, because the groups are counted. */
  readonly move: (device: WorldDevice, groupId: number) => void;
  /** How many devices stand in each group; one without devices may have no entry. */
  readonly counts: () => ReadonlyMap<number, number>;
};

/** A fleet of `seeded`, whose ids ascend. */
export function createDeviceTable(seeded: readonly WorldDevice[]): DeviceTable {
  const byId = new Map(seeded.map((device) => [device.id, device]));
  const ordered = [...seeded];
  const counts = new Map<number, number>();
  const count = (groupId: number, change: number): void => {
    counts.set(groupId, (counts.get(groupId) ?? 0) + change);
  };
  for (const { groupId } of seeded) count(groupId, 1);
  return {
    get size() {
      return ordered.length;
    },
    get: (id) => byId.get(id),
    values: () => ordered,
    add(device) {
      byId.set(device.id, device);
      ordered.push(device);
      count(device.groupId, 1);
    },
    delete(id) {
      const device = byId.get(id);
      if (device === undefined) return;
      byId.delete(id);
      ordered.splice(ordered.indexOf(device), 1);
      count(device.groupId, -1);
    },
    move(device, groupId) {
      count(device.groupId, -1);
      device.groupId = groupId;
      count(groupId, 1);
    },
    counts: () => counts,
  };
}
