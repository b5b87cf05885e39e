/** What happens to one device by order. Each says the id of the event that it made. */
import type { Instant } from '../../../clock.ts';
import { makeDevice } from '../seed/device.ts';
import { failureReason } from '../seed/failures.ts';
import { GROUP } from '../seed/groups.ts';
import { UBUNTU, WINDOWS_11 } from '../seed/platforms.ts';
import { softwareNamed, updatesFor } from '../seed/software-of.ts';
import { aboutDevice, quotedNames } from './event-log.ts';
import type { Device } from './model.ts';
import { install, pendingPatches, setMissing } from './patches.ts';
import type { World } from './world.ts';

export type PatchDeed = { readonly patch?: string | undefined; readonly reason?: string | undefined };

const NEW_DEVICE_PATCHES = 2;

/** A patch fails, and stays missing. */
export function failPatch(world: World, device: Device, deed: PatchDeed, at: Instant): number {
  const patches = quotedNames([missingPatch(world, device, deed.patch, at)]);
  const failure = deed.reason ?? failureReason(world.chance, device.platform.family);
  const data = { ...aboutDevice(device), failure, patches };
  return world.events.append({ name: 'system.patch.failed', at, device, data }).id;
}

/** A patch that was missing is installed. */
export function applyPatch(world: World, device: Device, deed: PatchDeed, at: Instant): number {
  const name = missingPatch(world, device, deed.patch, at);
  install(device, [name], at);
  const data = { ...aboutDevice(device), patches: quotedNames([name]) };
  return world.events.append({ name: 'system.patch.applied', at, device, data }).id;
}

/** A device registers itself; it has not been scanned. */
export function addDevice(world: World, name: string | undefined, at: Instant): number {
  const id = world.nextDeviceId++;
  const wish = {
    name: name ?? `new-${id}`,
    groupId: GROUP.default,
    platform: world.chance.pick([UBUNTU, WINDOWS_11]),
    ageMs: 0,
    scanned: false,
    missing: NEW_DEVICE_PATCHES,
  };
  const device = makeDevice(id, wish, at);
  world.devices.add(device);
  return world.events.append({ name: 'system.add', at, device, data: aboutDevice(device) }).id;
}

export function removeDevice(world: World, device: Device, at: Instant): number {
  world.devices.delete(device.id);
  return world.events.append({ name: 'system.delete', at, device, data: aboutDevice(device) }).id;
}

/** The named patch, else one that the device lacks, else any; it is missing from now on. */
function missingPatch(world: World, device: Device, wanted: string | undefined, at: Instant): string {
  const pending = pendingPatches(device, at).map(({ software }) => software);
  const { family } = device.platform;
  const name = wanted ?? world.chance.pick(pending.length > 0 ? pending : updatesFor(family)).name;
  if (!pending.some((software) => software.name === name)) setMissing(device, softwareNamed(family, name));
  return name;
}
