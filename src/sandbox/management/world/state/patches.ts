/** Missing patches of a device, and how they become installed and missing again. */
import type { Instant } from '../../../../lib/clock.ts';
import { installedAtSeed } from '../../seed/software.ts';
import type { MissingPatch, Software, WorldDevice } from '../model.ts';
import { clearNotices } from './device-facts.ts';

/** Neither ignored nor deferred beyond `now`. */
export function isWanted(patch: MissingPatch, now: Instant): boolean {
  if (patch.hold.kind === 'none') return true;
  return patch.hold.kind === 'deferred' && patch.hold.until <= now;
}

/** Patches that active policies want and the device lacks. */
export function pendingPatches(device: WorldDevice, now: Instant): readonly MissingPatch[] {
  return [...device.missing.values()].filter((patch) => isWanted(patch, now));
}

/** Whether there is any, without building the list. */
export function hasPending(device: WorldDevice, now: Instant): boolean {
  for (const patch of device.missing.values()) if (isWanted(patch, now)) return true;
  return false;
}

/** The seed's titles and later installs, minus what is missing again. */
export function installedOn(device: WorldDevice): readonly Software[] {
  const seeded = installedAtSeed(device).filter(({ name }) => !device.applied.has(name));
  return [...seeded, ...device.applied.values()].filter(({ name }) => !device.missing.has(name));
}

export function setMissing(device: WorldDevice, software: Software): void {
  device.missing.set(software.name, { software, hold: { kind: 'none' } });
}

/** Installs the named patches that are missing; returns what was installed. A patch may leave a reboot required. */
export function install(device: WorldDevice, names: readonly string[], now: Instant): readonly Software[] {
  const installed = names.flatMap((name) => device.missing.get(name)?.software ?? []);
  for (const { name } of installed) device.missing.delete(name);
  device.applied = new Map([
    ...device.applied,
    ...installed.map((software) => [software.name, software] as const),
  ]);
  if (installed.some(({ requiresReboot }) => requiresReboot)) device.needsReboot = true;
  if (installed.length > 0) device.lastUpdate = now;
  if (!hasPending(device, now)) clearNotices(device, 'patch');
  return installed;
}
