/** What the sandbox can order of the world. What an order leaves open is chosen by the seeded chance. */
import type { Clock } from '../../../clock.ts';
import type { WorldOrder, WorldResult } from '../../contracts.ts';
import { commonReason } from '../seed/failures.ts';
import type { Commands } from './commands.ts';
import { addDevice, applyPatch, failPatch, removeDevice } from './deeds.ts';
import { isConnected } from './facts.ts';
import { anyDevice, findDevice } from './find.ts';
import type { Device } from './model.ts';
import { hasPending } from './patches.ts';
import type { World } from './world.ts';

/** Every order but those that turn the world's own life on and off. */
export type DeedOrder = Omit<WorldOrder, 'do'> & { readonly do: Exclude<WorldOrder['do'], 'live' | 'quiet'> };

const STORM_DEVICES = 200;
const STORM_PATCH = 'acme-agent';

export function createOrders(
  world: World,
  clock: Clock,
  commands: Commands,
): (order: DeedOrder) => WorldResult {
  return (order) => {
    const now = clock.now();
    const on = (suits: (device: Device) => boolean, deed: (device: Device) => number | null): WorldResult =>
      onDevice(world, order, suits, deed);
    const lacksPatches = (device: Device): boolean => hasPending(device, now);
    switch (order.do) {
      case 'patch-fails':
        return on(lacksPatches, (device) => failPatch(world, device, order, now));
      case 'patch-applies':
        return on(lacksPatches, (device) => applyPatch(world, device, order, now));
      case 'device-added':
        return { ok: true, events: [addDevice(world, order.name, now)] };
      case 'device-removed':
        return on(
          () => true,
          (device) => {
            commands.forget(device);
            return removeDevice(world, device, now);
          },
        );
      case 'device-offline':
        return on(isConnected, (device) => quietly(() => commands.disconnect(device)));
      case 'device-online':
        return on(
          (device) => !isConnected(device),
          (device) => quietly(() => commands.connect(device)),
        );
      case 'storm':
        return storm(world, order, now);
      case 'installs-fail':
      case 'installs-work':
        return decideInstalls(world, order);
      default:
        return order.do satisfies never;
    }
  };
}

/** Coming and going make no event (§6 has none for it). */
function quietly(deed: () => void): null {
  deed();
  return null;
}

function onDevice(
  world: World,
  order: DeedOrder,
  suits: (device: Device) => boolean,
  deed: (device: Device) => number | null,
): WorldResult {
  const found = order.device === undefined ? anyDevice(world, suits) : findDevice(world, order.device);
  if (typeof found === 'string') return { ok: false, error: found };
  const event = deed(found);
  return { ok: true, events: event === null ? [] : [event] };
}

/** What commanded installs will do, of all patches or one, on all devices or one. */
function decideInstalls(world: World, { do: what, device: wanted, patch }: DeedOrder): WorldResult {
  const device = wanted === undefined ? undefined : findDevice(world, wanted);
  if (typeof device === 'string') return { ok: false, error: device };
  world.installs.decide({ deviceId: device?.id, patch }, what === 'installs-fail');
  return { ok: true, events: [] };
}

/** One patch, one reason, many devices. */
function storm(world: World, order: DeedOrder, now: ReturnType<Clock['now']>): WorldResult {
  const count = order.count ?? STORM_DEVICES;
  if (!Number.isInteger(count) || count < 1)
    return { ok: false, error: 'count must be a whole number above 0' };
  if (count > world.devices.size) return { ok: false, error: `there are only ${world.devices.size} devices` };
  const same = {
    patch: order.patch ?? STORM_PATCH,
    reason: order.reason ?? commonReason(world.chance),
  };
  const devices = world.chance.sample(world.devices.values(), count);
  return { ok: true, events: devices.map((device) => failPatch(world, device, same, now)) };
}
