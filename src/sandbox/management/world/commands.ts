/** What can be done to a device from outside: give it a command, take its network away and give it back. */
import type { Clock, Instant } from '../../../clock.ts';
import { createAgents, disconnect } from './agents.ts';
import type { Command, Device, QueueEntry } from './model.ts';
import type { Timers } from './timers.ts';
import type { World } from './world.ts';

export type Commands = {
  /** Waits in the queue until `execTime` where that is still to come. */
  readonly enqueue: (device: Device, command: Command, execTime?: Instant) => QueueEntry;
  /** The device goes away and keeps its queue; without effect where it is offline already. */
  readonly disconnect: (device: Device) => void;
  /** The device is back and takes up its queue; without effect where it is online already. */
  readonly connect: (device: Device) => void;
  /** The device was removed: its queue goes with it. */
  readonly forget: (device: Device) => void;
};

export function createCommands(world: World, clock: Clock, timers: Timers): Commands {
  const agents = createAgents(world, clock, timers);
  return {
    enqueue(device, command, wanted) {
      const id = world.nextEntryId++;
      const now = clock.now();
      const execTime = wanted !== undefined && wanted > now ? wanted : now;
      const entry: QueueEntry = { id, deviceId: device.id, command, execTime, answer: null };
      world.queues.set(device.id, [...(world.queues.get(device.id) ?? []), entry]);
      if (execTime > now) timers.at(execTime, () => agents.takeNext(device));
      else agents.takeNext(device);
      return entry;
    },
    disconnect(device) {
      if (device.link.kind === 'offline') return;
      agents.interrupt(device);
      disconnect(device, {
        kind: 'offline',
        since: clock.now(),
        midReboot: device.link.kind === 'rebooting',
      });
    },
    connect(device) {
      if (device.link.kind === 'online') return;
      agents.interrupt(device);
      if (device.link.kind === 'rebooting' || device.link.midReboot) agents.comeUp(device);
      else {
        device.link = { kind: 'online', since: clock.now() };
        agents.takeNext(device);
      }
    },
    forget(device) {
      agents.interrupt(device);
      world.queues.delete(device.id);
    },
  };
}
