/**
 * The agents on the devices. While its device is online an agent takes one command after the other from the
 * queue, in order, each a while after it was due; the answer stays readable for a while and then the entry
 * leaves.
 */
import { type Clock, type Instant, instant, later, SECOND, type Timer } from '../../../clock.ts';
import { carryOut } from './effects.ts';
import { lastProcessTime } from './facts.ts';
import type { Device, Link, QueueEntry } from './model.ts';
import { settleNotices } from './notices.ts';
import { createRandom } from './random.ts';
import type { Timers } from './timers.ts';
import type { World } from './world.ts';

export type Agents = {
  /** Takes the next command of the queue, unless the device is away or busy or nothing waits. */
  readonly takeNext: (device: Device) => void;
  /** The device's system has started again. */
  readonly comeUp: (device: Device) => void;
  /** Drops what the device was doing; what it had not answered stays in the queue. */
  readonly interrupt: (device: Device) => void;
};

/** A boot takes this much of the time between leaving and being back. */
const BOOT_MS = 20 * SECOND;

export function createAgents(world: World, clock: Clock, timers: Timers): Agents {
  /** What each device is doing: at most one thing. */
  const busy = new Map<number, Timer>();

  const plan = (device: Device, due: Instant, task: () => void): void => {
    const done = () => {
      busy.delete(device.id);
      task();
    };
    busy.set(device.id, timers.at(due, done));
  };

  const takeNext = (device: Device): void => {
    const now = clock.now();
    const isDue = ({ answer, execTime }: QueueEntry): boolean => answer === null && execTime <= now;
    const entry = world.queues.get(device.id)?.find(isDue);
    if (entry === undefined || device.link.kind !== 'online' || busy.has(device.id)) return;
    const reachedAt = Math.max(device.link.since, entry.execTime);
    const due = Math.max(reachedAt + delays(entry).answerMs, now + SECOND);
    plan(device, instant(due), () => answer(device, entry));
  };

  const answer = (device: Device, entry: QueueEntry): void => {
    const now = clock.now();
    const { leaveMs, rebootMs } = delays(entry);
    entry.answer = { text: carryOut(world, device, entry.command, now), at: now };
    timers.at(later(now, leaveMs), () => leaveQueue(world, entry));
    if (entry.command.kind === 'reboot') {
      disconnect(device, { kind: 'rebooting', since: now });
      plan(device, later(now, rebootMs), () => comeUp(device));
    } else takeNext(device);
  };

  /** A device scans itself when its system has started. */
  const comeUp = (device: Device): void => {
    const now = clock.now();
    device.bootedAt = later(now, -BOOT_MS);
    device.lastRefresh = now;
    device.needsReboot = false;
    settleNotices(device, 'reboot');
    device.link = { kind: 'online', since: now };
    takeNext(device);
  };

  const interrupt = (device: Device): void => {
    busy.get(device.id)?.cancel();
    busy.delete(device.id);
  };

  return { takeNext, comeUp, interrupt };
}

/** The device is away from `link.since` on, for the reason that `link` says. */
export function disconnect(device: Device, link: Exclude<Link, { kind: 'online' }>): void {
  device.lastSeen = lastProcessTime(device, link.since);
  device.lastDisconnect = link.since;
  device.link = link;
}

/**
 * How long a command takes at each step: known from its id alone, so it is the same at every run.
 * The design promises at least 10 s in the queue, and proof within 10 minutes.
 */
function delays(entry: QueueEntry): { answerMs: number; leaveMs: number; rebootMs: number } {
  const random = createRandom(`command ${entry.id} of ${entry.deviceId}`);
  return {
    answerMs: random.int(15, 40) * SECOND,
    leaveMs: random.int(20, 45) * SECOND,
    rebootMs: random.int(40, 90) * SECOND,
  };
}

function leaveQueue(world: World, entry: QueueEntry): void {
  const left = (world.queues.get(entry.deviceId) ?? []).filter(({ id }) => id !== entry.id);
  if (left.length === 0) world.queues.delete(entry.deviceId);
  else world.queues.set(entry.deviceId, left);
}
