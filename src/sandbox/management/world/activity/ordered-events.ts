/** Events that a request causes on one device. Each function returns the id of the event. */
import type { Instant } from '../../../../lib/clock.ts';
import { failureReason } from '../../seed/failure-reasons.ts';
import { UBUNTU, WINDOWS_11 } from '../../seed/platforms.ts';
import { seedDevice } from '../../seed/seed-device.ts';
import { GROUP_IDS } from '../../seed/seed-groups.ts';
import { softwareNamed, updatesFor } from '../../seed/software.ts';
import type { WorldDevice } from '../model.ts';
import { deviceDetails, namesText } from '../state/event-log.ts';
import { install, pendingPatches, setMissing } from '../state/patches.ts';
import type { World } from '../world.ts';

export type PatchEventOptions = { readonly patch?: string | undefined; readonly reason?: string | undefined };

const NEW_DEVICE_PATCHES = 2;

/** A patch fails and stays missing. */
export function failPatch(world: World, device: WorldDevice, event: PatchEventOptions, at: Instant): number {
  const patches = namesText([missingPatch(world, device, event.patch, at)]);
  const failure = event.reason ?? failureReason(world.chance, device.platform.family);
  const data = { ...deviceDetails(device), failure, patches };
  return world.events.append({ name: 'system.patch.failed', at, device, data }).id;
}

/** A missing patch is installed. */
export function applyPatch(world: World, device: WorldDevice, event: PatchEventOptions, at: Instant): number {
  const name = missingPatch(world, device, event.patch, at);
  install(device, [name], at);
  const data = { ...deviceDetails(device), patches: namesText([name]) };
  return world.events.append({ name: 'system.patch.applied', at, device, data }).id;
}

/** A device registers; it has not been scanned. `platform` absent: any. */
export function addDevice(
  world: World,
  name: string | undefined,
  at: Instant,
  platform: WorldDevice['platform'] = world.chance.pick([UBUNTU, WINDOWS_11]),
): number {
  const id = world.nextDeviceId++;
  const options = {
    name: name ?? `new-${id}`,
    groupId: GROUP_IDS.default,
    platform,
    ageMs: 0,
    scanned: false,
    missing: NEW_DEVICE_PATCHES,
  };
  const device = seedDevice(id, options, at);
  world.devices.add(device);
  return world.events.append({ name: 'system.add', at, device, data: deviceDetails(device) }).id;
}

export function removeDevice(world: World, device: WorldDevice, at: Instant): number {
  world.devices.delete(device.id);
  return world.events.append({ name: 'system.delete', at, device, data: deviceDetails(device) }).id;
}

/** The named patch, else one that the device lacks, else any; it counts as missing from now on. */
function missingPatch(world: World, device: WorldDevice, requested: string | undefined, at: Instant): string {
  const pending = pendingPatches(device, at).map(({ software }) => software);
  const { family } = device.platform;
  const name = requested ?? world.chance.pick(pending.length > 0 ? pending : updatesFor(family)).name;
  if (!pending.some((software) => software.name === name)) setMissing(device, softwareNamed(family, name));
  return name;
}
