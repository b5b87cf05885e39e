/** The devices by id and in order of their ids, so that a page is a slice. */
import type { WorldDevice } from '../model.ts';

export type DeviceTable = {
  readonly size: number;
  readonly get: (id: number) => WorldDevice | undefined;
  /** Ids ascending. A live view of the fleet; do not store it. */
  readonly values: () => readonly WorldDevice[];
  /** Adds the newest device: its id is above all others. */
  readonly add: (device: WorldDevice) => void;
  readonly delete: (id: number) => void;
  /** Moves a device to another group. The only way to do it, because devices are counted per group. */
  readonly move: (device: WorldDevice, groupId: number) => void;
  /** Number of devices per group; a group without devices may have no entry. */
  readonly counts: () => ReadonlyMap<number, number>;
};

/** A table of `seeded`, whose ids ascend. */
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
