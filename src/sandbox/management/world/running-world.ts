/** The world and what changes it: commands, requests and, in live mode, spontaneous events. */
import type { Clock, Instant, Timer } from '../../../lib/clock.ts';
import type { WorldRequest, WorldResult } from '../../contracts/services.ts';
import { seedDevice, UBUNTU, WINDOWS_11 } from '../seed/fleet.ts';
import { commonFailureReason, failureReason } from '../seed/history.ts';
import { GROUP_IDS } from '../seed/organization.ts';
import { softwareNamed, updatesFor } from '../seed/software.ts';
import { createDeviceCommands, type DeviceCommands } from './commands.ts';
import { hasPending, install, isConnected, pendingPatches, setMissing } from './devices.ts';
import { deviceDetails, namesText } from './event-log.ts';
import { createLiveMode } from './live-mode.ts';
import type { WorldDevice } from './model.ts';
import { randomDevice, resolveDevice } from './queries.ts';
import { seedWorld, type World, type WorldSize } from './world.ts';

export type RunningWorld = {
  readonly state: World;
  readonly commands: DeviceCommands;
  readonly timers: WorldTimers;
  readonly perform: (request: WorldRequest) => WorldResult;
  readonly isLive: () => boolean;
  /** Cancels everything that is scheduled. */
  readonly end: () => void;
};

/** A world at its seed. To reset, end it and make another. */
export function createRunningWorld(clock: Clock, size: WorldSize): RunningWorld {
  const timers = createWorldTimers(clock);
  const state = seedWorld(size, clock.now());
  const commands = createDeviceCommands(state, clock, timers);
  const carryOut = createWorldActions(state, clock, commands);
  const life = createLiveMode({ world: state, clock, commands, carryOut }, timers);
  return {
    state,
    commands,
    timers,
    perform(request) {
      const { do: event } = request;
      if (event === 'live') life.start();
      else if (event === 'quiet') life.stop();
      else return carryOut({ ...request, do: event });
      return { ok: true, events: [] };
    },
    isLive: life.isOn,
    end: timers.cancelAll,
  };
}

/** All timers of the world, so that a reset or a stop leaves none behind. */

export type WorldTimers = {
  readonly at: (due: Instant, task: () => void) => Timer;
  readonly cancelAll: () => void;
};

function createWorldTimers(clock: Clock): WorldTimers {
  const planned = new Set<Timer>();
  return {
    at(due, task) {
      const timer = clock.at(due, () => {
        planned.delete(handle);
        task();
      });
      const handle: Timer = {
        cancel: () => {
          planned.delete(handle);
          timer.cancel();
        },
      };
      planned.add(handle);
      return handle;
    },
    cancelAll() {
      for (const timer of [...planned]) timer.cancel();
    },
  };
}

/** Requests that the sandbox makes of the world. Seeded chance fills in what a request leaves open. */

/** Every request except those that switch live mode. */
export type EventRequest = Omit<WorldRequest, 'do'> & {
  readonly do: Exclude<WorldRequest['do'], 'live' | 'quiet'>;
};

const DEFAULT_STORM_DEVICES = 200;
const DEFAULT_STORM_PATCH = 'acme-agent';

function createWorldActions(
  world: World,
  clock: Clock,
  commands: DeviceCommands,
): (request: EventRequest) => WorldResult {
  return (request) => {
    const now = clock.now();
    const on = (
      suits: (device: WorldDevice) => boolean,
      event: (device: WorldDevice) => number | null,
    ): WorldResult => actOnDevice(world, request, suits, event);
    const lacksPatches = (device: WorldDevice): boolean => hasPending(device, now);
    switch (request.do) {
      case 'patch-fails':
        return on(lacksPatches, (device) => failPatch(world, device, request, now));
      case 'patch-applies':
        return on(lacksPatches, (device) => applyPatch(world, device, request, now));
      case 'device-added':
        return { ok: true, events: [addDevice(world, request.name, now)] };
      case 'device-removed':
        return on(
          () => true,
          (device) => {
            commands.forget(device);
            return removeDevice(world, device, now);
          },
        );
      case 'event': {
        const { name } = request;
        if (name === undefined) return { ok: false, error: 'name must be the name of the event' };
        return on(
          () => true,
          (device) => world.events.append({ name, at: now, device, data: deviceDetails(device) }).id,
        );
      }
      case 'device-offline':
        return on(isConnected, (device) => withoutEvents(() => commands.disconnect(device)));
      case 'device-online':
        return on(
          (device) => !isConnected(device),
          (device) => withoutEvents(() => commands.connect(device)),
        );
      case 'storm':
        return patchFailureStorm(world, request, now);
      case 'installs-fail':
      case 'installs-work':
        return setInstallOutcome(world, request);
      default:
        return request.do satisfies never;
    }
  };
}

/** Going offline or online makes no event (§6 has none). */
function withoutEvents(apply: () => void): null {
  apply();
  return null;
}

function actOnDevice(
  world: World,
  request: EventRequest,
  suits: (device: WorldDevice) => boolean,
  apply: (device: WorldDevice) => number | null,
): WorldResult {
  const found =
    request.device === undefined ? randomDevice(world, suits) : resolveDevice(world, request.device);
  if (typeof found === 'string') return { ok: false, error: found };
  const event = apply(found);
  return { ok: true, events: event === null ? [] : [event] };
}

/** Sets the result of future installs: of one patch or all, on one device or all. */
function setInstallOutcome(world: World, { do: what, device: requested, patch }: EventRequest): WorldResult {
  const device = requested === undefined ? undefined : resolveDevice(world, requested);
  if (typeof device === 'string') return { ok: false, error: device };
  world.installs.decide({ deviceId: device?.id, patch }, what === 'installs-fail');
  return { ok: true, events: [] };
}

/** One patch, one reason, many devices. */
function patchFailureStorm(world: World, request: EventRequest, now: ReturnType<Clock['now']>): WorldResult {
  const count = request.count ?? DEFAULT_STORM_DEVICES;
  if (!Number.isInteger(count) || count < 1)
    return { ok: false, error: 'count must be a whole number above 0' };
  if (count > world.devices.size) return { ok: false, error: `there are only ${world.devices.size} devices` };
  const same = {
    patch: request.patch ?? DEFAULT_STORM_PATCH,
    reason: request.reason ?? commonFailureReason(world.chance),
  };
  const devices = world.chance.sample(world.devices.values(), count);
  return { ok: true, events: devices.map((device) => failPatch(world, device, same, now)) };
}

/** Events that a request causes on one device. Each function returns the id of the event. */

type PatchEventOptions = { readonly patch?: string | undefined; readonly reason?: string | undefined };

const NEW_DEVICE_PATCHES = 2;

/** A patch fails and stays missing. */
function failPatch(world: World, device: WorldDevice, event: PatchEventOptions, at: Instant): number {
  const patches = namesText([missingPatch(world, device, event.patch, at)]);
  const failure = event.reason ?? failureReason(world.chance, device.platform.family);
  const data = { ...deviceDetails(device), failure, patches };
  return world.events.append({ name: 'system.patch.failed', at, device, data }).id;
}

/** A missing patch is installed. */
function applyPatch(world: World, device: WorldDevice, event: PatchEventOptions, at: Instant): number {
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
