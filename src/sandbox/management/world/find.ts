/** Which device an order means. What is not found comes back as a sentence. */
import type { Device } from './model.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** The device with this id or name. */
export function findDevice(world: World, nameOrId: string): Device | string {
  const byId = /^\d+$/.test(nameOrId) ? world.devices.get(Number(nameOrId)) : undefined;
  if (byId !== undefined) return byId;
  const [first, ...others] = world.devices.values().filter(({ name }) => name === nameOrId);
  if (first === undefined) return `no device is named ${JSON.stringify(nameOrId)}`;
  if (others.length === 0) return first;
  const ids = [first, ...others].map(({ id }) => id).join(', ');
  return `several devices are named ${JSON.stringify(nameOrId)}: use an id (${ids})`;
}

/** So many devices are tried before all of them are looked at. */
const TRIES = 40;

/** One that suits, by chance, which leaves the devices alone that people know by name while there are others. */
export function anyDevice(
  world: World,
  suits: (device: Device) => boolean,
  chance: Random = world.chance,
): Device | string {
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
