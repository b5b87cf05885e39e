/** What the sandbox makes happen in the world. Seeded chance fills in what a request leaves open. */
import { type Clock, type Instant, later } from '../../../lib/clock.ts';
import type { WorldRequest, WorldResult } from '../../contracts/services.ts';
import { seedDevice, UBUNTU, WINDOWS_11 } from '../seed/fleet.ts';
import { commonFailureReason, failureReason } from '../seed/history.ts';
import { GROUP_IDS } from '../seed/organization.ts';
import { softwareNamed, updatesFor } from '../seed/software.ts';
import type { DeviceCommands } from './commands.ts';
import { hasPending, install, isConnected, pendingPatches, setMissing } from './devices.ts';
import { deviceDetails, namesText } from './event-log.ts';
import type { WorldDevice } from './model.ts';
import { randomDevice, resolveDevice, type World } from './world.ts';

/** Every request except those that switch live mode. */
export type EventRequest = Omit<WorldRequest, 'do'> & {
  readonly do: Exclude<WorldRequest['do'], 'live' | 'quiet'>;
};

export function createWorldActions(
  world: World,
  clock: Clock,
  commands: DeviceCommands,
): (request: EventRequest) => WorldResult {
  return (request) => {
    const now = clock.now();
    const { name } = request;
    /** `act` returns the id of its event; going offline or online makes none (§6 has none). */
    const on = (
      suits: (device: WorldDevice) => boolean,
      act: (device: WorldDevice) => unknown,
    ): WorldResult => {
      const { device } = request;
      const found = device === undefined ? randomDevice(world, suits) : resolveDevice(world, device);
      if (typeof found === 'string') return { ok: false, error: found };
      const event = act(found);
      return { ok: true, events: typeof event === 'number' ? [event] : [] };
    };
    const lacksPatches = (device: WorldDevice): boolean => hasPending(device, now);
    const any = () => true;
    switch (request.do) {
      case 'patch-fails':
        return on(lacksPatches, (device) => failPatch(world, device, request, now));
      case 'patch-applies':
        return on(lacksPatches, (device) => applyPatch(world, device, request, now));
      case 'device-added':
        return { ok: true, events: [addDevice(world, name, now)] };
      case 'device-removed':
        return on(any, (device) => {
          commands.forget(device);
          return removeDevice(world, device, now);
        });
      case 'event':
        if (name === undefined) return { ok: false, error: 'name must be the name of the event' };
        return on(any, (device) => appendEvent(world, device, name, now));
      case 'device-offline':
        return on(isConnected, commands.disconnect);
      case 'device-online':
        return on((device) => !isConnected(device), commands.connect);
      case 'storm':
        return patchFailureStorm(world, request, now);
      case 'storm-fixed':
        return fixStorm(world, request, now);
      case 'installs-fail':
      case 'installs-work':
        return setInstallOutcome(world, request);
      default:
        return request.do satisfies never;
    }
  };
}

/** Sets the result of future installs: of one patch or all, on one device or all. */
function setInstallOutcome(world: World, { do: what, device: requested, patch }: EventRequest): WorldResult {
  const device = requested === undefined ? undefined : resolveDevice(world, requested);
  if (typeof device === 'string') return { ok: false, error: device };
  world.installs.decide({ deviceId: device?.id, patch }, what === 'installs-fail');
  return { ok: true, events: [] };
}

const STORM_PATCH = 'acme-agent';

/** One patch, one reason, many devices. */
function patchFailureStorm(world: World, request: EventRequest, now: Instant): WorldResult {
  const { count = 200, patch = STORM_PATCH } = request;
  if (!Number.isInteger(count) || count < 1)
    return { ok: false, error: 'count must be a whole number above 0' };
  if (count > world.devices.size) return { ok: false, error: `there are only ${world.devices.size} devices` };
  const same = { patch, reason: request.reason ?? commonFailureReason(world.chance) };
  const devices = world.chance.sample(world.devices.values(), count);
  return { ok: true, events: devices.map((device) => failPatch(world, device, same, now)) };
}

/** One patch is installed where it is missing, on one device after the other. */
function fixStorm(world: World, { count, patch = STORM_PATCH }: EventRequest, now: Instant): WorldResult {
  const failing = world.devices.values().filter(({ missing }) => missing.has(patch));
  if (failing.length === 0) return { ok: false, error: `no device misses ${patch}` };
  const devices = failing.slice(0, count ?? failing.length);
  return { ok: true, events: devices.map((device) => applyPatch(world, device, { patch }, now)) };
}

/** A patch fails and stays missing. */
function failPatch(
  world: World,
  device: WorldDevice,
  { patch, reason, ...listing }: Pick<EventRequest, 'patch' | 'reason'> & Listing,
  at: Instant,
): number {
  const patches = namesText([missingPatch(world, device, patch, at)]);
  const failure = reason ?? failureReason(world.chance, device.platform.family);
  return appendEvent(world, device, 'system.patch.failed', at, { failure, patches }, listing);
}

/** A missing patch is installed. */
function applyPatch(
  world: World,
  device: WorldDevice,
  { patch, ...listing }: Pick<EventRequest, 'patch'> & Listing,
  at: Instant,
): number {
  const name = missingPatch(world, device, patch, at);
  install(device, [name], at);
  return appendEvent(world, device, 'system.patch.applied', at, { patches: namesText([name]) }, listing);
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
    missing: 2,
  };
  const device = seedDevice(id, options, at);
  world.devices.add(device);
  return appendEvent(world, device, 'system.add', at);
}

export function removeDevice(world: World, device: WorldDevice, at: Instant): number {
  world.devices.delete(device.id);
  return appendEvent(world, device, 'system.delete', at);
}

type Listing = Pick<EventRequest, 'listed' | 'time'>;

function appendEvent(
  world: World,
  device: WorldDevice,
  name: string,
  at: Instant,
  data: object = {},
  { listed, time }: Listing = {},
): number {
  const { id } = world.events.append({
    ...{ name, at, device, data: { ...deviceDetails(device), ...data } },
    ...(listed === undefined ? {} : { listedAt: later(at, listed) }),
    ...(time === null ? { timeless: true } : {}),
  });
  return id;
}

/** The named patch, else one that the device lacks, else any; it counts as missing from now on. */
function missingPatch(world: World, device: WorldDevice, requested: string | undefined, at: Instant): string {
  const pending = pendingPatches(device, at).map(({ software }) => software);
  const { family } = device.platform;
  const name = requested ?? world.chance.pick(pending.length > 0 ? pending : updatesFor(family)).name;
  if (!pending.some((software) => software.name === name)) setMissing(device, softwareNamed(family, name));
  return name;
}
