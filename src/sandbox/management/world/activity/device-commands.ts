/** Acts on a device from outside: queues commands, takes it offline and online. */
import type { Clock, Instant } from '../../../../lib/clock.ts';
import type { WorldCommand, WorldDevice, WorldQueueEntry } from '../model.ts';
import type { World } from '../world.ts';
import { createAgents, disconnect } from './agents.ts';
import type { WorldTimers } from './timers.ts';

export type DeviceCommands = {
  /** Waits in the queue until `execTime` if that is in the future. */
  readonly enqueue: (device: WorldDevice, command: WorldCommand, execTime?: Instant) => WorldQueueEntry;
  /** Takes the device offline; its queue stays. No effect if it is offline already. */
  readonly disconnect: (device: WorldDevice) => void;
  /** Brings the device online to run its queue; no effect if it is online already. */
  readonly connect: (device: WorldDevice) => void;
  /** The device was removed, and its queue with it. */
  readonly forget: (device: WorldDevice) => void;
};

export function createDeviceCommands(world: World, clock: Clock, timers: WorldTimers): DeviceCommands {
  const agents = createAgents(world, clock, timers);
  return {
    enqueue(device, command, requested) {
      const id = world.nextEntryId++;
      const now = clock.now();
      const execTime = requested !== undefined && requested > now ? requested : now;
      const entry: WorldQueueEntry = { id, deviceId: device.id, command, execTime, answer: null };
      world.queues.set(device.id, [...(world.queues.get(device.id) ?? []), entry]);
      if (execTime > now) timers.at(execTime, () => agents.runNextCommand(device));
      else agents.runNextCommand(device);
      return entry;
    },
    disconnect(device) {
      if (device.link.kind === 'offline') return;
      agents.onDisconnected(device);
      disconnect(device, {
        kind: 'offline',
        since: clock.now(),
        midReboot: device.link.kind === 'rebooting',
      });
    },
    connect(device) {
      if (device.link.kind === 'online') return;
      agents.onDisconnected(device);
      if (device.link.kind === 'rebooting' || device.link.midReboot) agents.onConnected(device);
      else {
        device.link = { kind: 'online', since: clock.now() };
        agents.runNextCommand(device);
      }
    },
    forget(device) {
      agents.onDisconnected(device);
      world.queues.delete(device.id);
    },
  };
}
