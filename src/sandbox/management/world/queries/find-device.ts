/** Finds the device that a request names. If there is none, a sentence is returned. */

import type { DeviceOption } from '../../../contracts/services.ts';
import type { WorldDevice } from '../model.ts';
import type { SeededRandom } from '../random.ts';
import type { DeviceTable } from '../state/device-table.ts';
import type { World } from '../world.ts';

/** The device with this id or name. */
export function resolveDevice(world: World, nameOrId: string): WorldDevice | string {
  const byId = /^\d+$/.test(nameOrId) ? world.devices.get(Number(nameOrId)) : undefined;
  if (byId !== undefined) return byId;
  const [first, ...others] = world.devices.values().filter(({ name }) => name === nameOrId);
  if (first === undefined) return `no device is named ${JSON.stringify(nameOrId)}`;
  if (others.length === 0) return first;
  const ids = [first, ...others].map(({ id }) => id).join(', ');
  return `several devices are named ${JSON.stringify(nameOrId)}: use an id (${ids})`;
}

/** Random tries before all devices are searched. */
const TRIES = 40;

/** A random device that fits; a named one only if no other fits. */
export function randomDevice(
  world: World,
  suits: (device: WorldDevice) => boolean,
  chance: SeededRandom = world.chance,
): WorldDevice | string {
  const devices = world.devices.values();
  if (devices.length === 0) return 'no matching device';
  for (let tries = 0; tries < TRIES; tries++) {
    const device = chance.pick(devices);
    if (!device.reserved && suits(device)) return device;
  }
  const suitable = devices.filter(suits);
  const ordinary = suitable.filter(({ reserved }) => !reserved);
  if (suitable.length === 0) return 'no matching device';
  return chance.pick(ordinary.length > 0 ? ordinary : suitable);
}

/** Device suggestions for a person who types a name. */

/** Devices whose names contain the text, ignoring case; at most `most`. Devices with the same name are listed by id. */
export function searchDevicesByName(fleet: DeviceTable, part: string, most: number): readonly DeviceOption[] {
  const typed = part.toLowerCase();
  const found = fleet.values().filter(({ name }) => name.toLowerCase().includes(typed));
  const listed = found.slice(0, most);
  const isAlone = (name: string) => fleet.values().filter((each) => each.name === name).length === 1;
  return listed.map(({ id, name }) => ({
    value: isAlone(name) ? name : String(id),
    label: `${name} · #${id}`,
  }));
}
