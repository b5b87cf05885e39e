/** Requests that the sandbox makes of the world. Seeded chance fills in what a request leaves open. */
import type { Clock } from '../../../../lib/clock.ts';
import type { WorldRequest, WorldResult } from '../../../contracts/services.ts';
import { commonFailureReason } from '../../seed/failure-reasons.ts';
import type { WorldDevice } from '../model.ts';
import { randomDevice, resolveDevice } from '../queries/find-device.ts';
import { isConnected } from '../state/device-facts.ts';
import { deviceDetails } from '../state/event-log.ts';
import { hasPending } from '../state/patches.ts';
import type { World } from '../world.ts';
import type { DeviceCommands } from './device-commands.ts';
import { addDevice, applyPatch, failPatch, removeDevice } from './ordered-events.ts';

/** Every request except those that switch live mode. */
export type EventRequest = Omit<WorldRequest, 'do'> & {
  readonly do: Exclude<WorldRequest['do'], 'live' | 'quiet'>;
};

const DEFAULT_STORM_DEVICES = 200;
const DEFAULT_STORM_PATCH = 'acme-agent';

export function createWorldActions(
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
