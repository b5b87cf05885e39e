/** Which device an order means. What is not found comes back as a sentence. */
import type { Device } from './model.ts';
import type { World } from './world.ts';

/** The device with this id or name. */
export function findDevice(world: World, nameOrId: string): Device | string {
  const byId = /^\d+$/.test(nameOrId) ? world.devices.get(Number(nameOrId)) : undefined;
  if (byId !== undefined) return byId;
  const [first, ...others] = [...world.devices.values()].filter(({ name }) => name === nameOrId);
  if (first === undefined) return `no device is called ${JSON.stringify(nameOrId)}`;
  if (others.length === 0) return first;
  const ids = [first, ...others].map(({ id }) => id).join(', ');
  return `several devices are called ${JSON.stringify(nameOrId)}: take an id (${ids})`;
}

/** One that suits, by chance, which leaves the devices alone that people know by name while there are others. */
export function anyDevice(world: World, suits: (device: Device) => boolean): Device | string {
  const suitable = [...world.devices.values()].filter(suits);
  const ordinary = suitable.filter(({ reserved }) => !reserved);
  if (suitable.length === 0) return 'no device suits this order';
  return world.chance.pick(ordinary.length > 0 ? ordinary : suitable);
}
