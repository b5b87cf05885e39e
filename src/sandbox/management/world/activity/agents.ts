/**
 * The agents on the devices. While its device is online, an agent runs one command of the queue after the other, each
 * some time after it was due; the answer stays readable for a while, then the entry is removed.
 */
import { type Clock, type Instant, instant, later, SECOND, type Timer } from '../../../../lib/clock.ts';
import type { Connectivity, WorldDevice, WorldQueueEntry } from '../model.ts';
import { createRandom } from '../random.ts';
import { clearNotices, lastProcessTime } from '../state/device-facts.ts';
import type { World } from '../world.ts';
import { executeCommand } from './command-effects.ts';
import type { WorldTimers } from './timers.ts';

export type Agents = {
  /** Starts the next command of the queue, unless the device is offline or busy or the queue is empty. */
  readonly runNextCommand: (device: WorldDevice) => void;
  /** The device has started again. */
  readonly onConnected: (device: WorldDevice) => void;
  /** Drops the running command; it stays in the queue if it was not answered. */
  readonly onDisconnected: (device: WorldDevice) => void;
};

/** Part of a reboot's offline time that the boot itself takes. */
const BOOT_MS = 20 * SECOND;

export function createAgents(world: World, clock: Clock, timers: WorldTimers): Agents {
  /** The current activity of each device: at most one. */
  const busy = new Map<number, Timer>();

  const plan = (device: WorldDevice, due: Instant, task: () => void): void => {
    const done = () => {
      busy.delete(device.id);
      task();
    };
    busy.set(device.id, timers.at(due, done));
  };

  const runNextCommand = (device: WorldDevice): void => {
    const now = clock.now();
    const isDue = ({ answer, execTime }: WorldQueueEntry): boolean => answer === null && execTime <= now;
    const entry = world.queues.get(device.id)?.find(isDue);
    if (entry === undefined || device.link.kind !== 'online' || busy.has(device.id)) return;
    const reachedAt = Math.max(device.link.since, entry.execTime);
    const due = Math.max(reachedAt + commandDelays(entry).answerMs, now + SECOND);
    plan(device, instant(due), () => answer(device, entry));
  };

  const answer = (device: WorldDevice, entry: WorldQueueEntry): void => {
    const now = clock.now();
    const { leaveMs, rebootMs } = commandDelays(entry);
    entry.answer = { ...executeCommand(world, device, entry.command, now), at: now };
    timers.at(later(now, leaveMs), () => removeFromQueue(world, entry));
    if (entry.command.kind === 'reboot') {
      disconnect(device, { kind: 'rebooting', since: now });
      plan(device, later(now, rebootMs), () => onConnected(device));
    } else runNextCommand(device);
  };

  /** A device scans itself after it started. */
  const onConnected = (device: WorldDevice): void => {
    const now = clock.now();
    device.bootedAt = later(now, -BOOT_MS);
    device.lastRefresh = now;
    device.needsReboot = false;
    clearNotices(device, 'reboot');
    device.link = { kind: 'online', since: now };
    runNextCommand(device);
  };

  const onDisconnected = (device: WorldDevice): void => {
    busy.get(device.id)?.cancel();
    busy.delete(device.id);
  };

  return { runNextCommand, onConnected, onDisconnected };
}

/** Takes the device offline from `link.since` on, for the reason in `link`. */
export function disconnect(device: WorldDevice, link: Exclude<Connectivity, { kind: 'online' }>): void {
  device.lastSeen = lastProcessTime(device, link.since);
  device.lastDisconnect = link.since;
  device.link = link;
}

/**
 * Duration of each step of a command: derived from its id alone, so it repeats at every run. The design promises at
 * least 10 s in the queue, and proof within 10 minutes.
 */
function commandDelays(entry: WorldQueueEntry): { answerMs: number; leaveMs: number; rebootMs: number } {
  const random = createRandom(`command ${entry.id} of ${entry.deviceId}`);
  return {
    answerMs: random.int(15, 40) * SECOND,
    leaveMs: random.int(20, 45) * SECOND,
    rebootMs: random.int(40, 90) * SECOND,
  };
}

function removeFromQueue(world: World, entry: WorldQueueEntry): void {
  const remaining = (world.queues.get(entry.deviceId) ?? []).filter(({ id }) => id !== entry.id);
  if (remaining.length === 0) world.queues.delete(entry.deviceId);
  else world.queues.set(entry.deviceId, remaining);
}
