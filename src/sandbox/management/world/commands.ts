/** Acts on a device from outside: queues commands, takes it offline and online. */
import { type Clock, type Instant, instant, later, SECOND, type Timer } from '../../../lib/clock.ts';
import {
  clearNotices,
  install,
  lastProcessTime,
  pendingPatches,
  policyStatusOn,
  recordRun,
} from './devices.ts';
import { deviceDetails, namesText } from './event-log.ts';
import type { Connectivity, WorldCommand, WorldDevice, WorldPolicy, WorldQueueEntry } from './model.ts';
import { createRandom } from './random.ts';
import type { WorldTimers } from './running-world.ts';
import type { World } from './world.ts';

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

/**
 * The agents on the devices. While its device is online, an agent runs one command of the queue after the other, each
 * some time after it was due; the answer stays readable for a while, then the entry is removed.
 */

type Agents = {
  /** Starts the next command of the queue, unless the device is offline or busy or the queue is empty. */
  readonly runNextCommand: (device: WorldDevice) => void;
  /** The device has started again. */
  readonly onConnected: (device: WorldDevice) => void;
  /** Drops the running command; it stays in the queue if it was not answered. */
  readonly onDisconnected: (device: WorldDevice) => void;
};

/** Part of a reboot's offline time that the boot itself takes. */
const BOOT_MS = 20 * SECOND;

function createAgents(world: World, clock: Clock, timers: WorldTimers): Agents {
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
function disconnect(device: WorldDevice, link: Exclude<Connectivity, { kind: 'online' }>): void {
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

/** What a command changes on a device when its agent runs it, and what the agent answers. */

/** What the agent answers to a command. */
type CommandAnswer = { readonly text: string; readonly exitCode: number };

/** The exit code and the reason of installs that were told to fail. */
const INSTALLER_FAILED = 1_603;
const INSTALL_FAILURE = `The installer ended with exit code ${INSTALLER_FAILED}`;

/** Runs `command` on `device` at `now`; a reboot only starts here. */
function executeCommand(
  world: World,
  device: WorldDevice,
  command: WorldCommand,
  now: Instant,
): CommandAnswer {
  switch (command.kind) {
    case 'scan':
      return succeeded(applyScan(device, now));
    case 'reboot':
      return succeeded('Rebooting');
    case 'install':
      return installPatches(world, device, packageNamesIn(command.args), now);
    case 'install-all':
      return installPatches(world, device, pendingNames(device, now), now);
    case 'policy': {
      const policy = world.policies.get(command.policyId);
      if (policy === undefined) return { text: 'There is no such policy', exitCode: 1 };
      return applyPolicy(world, device, policy, command.action, now);
    }
    default:
      return command satisfies never;
  }
}

function succeeded(text: string): CommandAnswer {
  return { text, exitCode: 0 };
}

/** §4.3: names separated by spaces. A sample quotes the whole text; the quotes belong to no name. */
function packageNamesIn(args: string): readonly string[] {
  return args.replaceAll('"', ' ').split(/\s+/).filter(Boolean);
}

export function applyScan(device: WorldDevice, now: Instant): string {
  device.lastRefresh = now;
  device.lastScanFailed = false;
  return 'Scan completed';
}

export function pendingNames(device: WorldDevice, now: Instant): readonly string[] {
  return pendingPatches(device, now).map(({ software }) => software.name);
}

/** Installs the named packages that are missing, with an event per success and failure; returns a description. */
export function installPatches(
  world: World,
  device: WorldDevice,
  names: readonly string[],
  now: Instant,
  policy?: WorldPolicy,
): CommandAnswer {
  const willFail = (patch: string) => world.installs.fails({ deviceId: device.id, patch });
  const failed = names.filter((name) => willFail(name) && device.missing.has(name));
  const about = { at: now, device, ...(policy === undefined ? {} : { policy }) };
  if (failed.length > 0) {
    const data = { ...deviceDetails(device), failure: INSTALL_FAILURE, patches: namesText(failed) };
    world.events.append({ name: 'system.patch.failed', ...about, data });
  }
  const installed = install(
    device,
    names.filter((name) => !willFail(name)),
    now,
  ).map(({ name }) => name);
  if (installed.length > 0) {
    const data = { ...deviceDetails(device), patches: namesText(installed) };
    world.events.append({ name: 'system.patch.applied', ...about, data });
  }
  const sentences = [
    ...(installed.length > 0 ? [`Installed patches: ${namesText(installed)}`] : []),
    ...(failed.length > 0 ? [`Failed to install patches: ${namesText(failed)}`] : []),
  ];
  const text = sentences.length > 0 ? sentences.join('\n') : 'No applicable patches';
  return { text, exitCode: failed.length > 0 ? INSTALLER_FAILED : 0 };
}

/** An evaluation with an exit code other than 0 means "needs remediation", not failure. */
export function applyPolicy(
  world: World,
  device: WorldDevice,
  policy: WorldPolicy,
  action: 'test' | 'remediate',
  now: Instant,
): CommandAnswer {
  const met = policyStatusOn(device, policy, now) === 1;
  const answer = action === 'test' ? evaluation(met) : applyRemediation(world, device, policy, now);
  recordRun(device, policy, now);
  // A patch that failed has its own event; the policy itself ran.
  const data = { text: answer.text, status: action === 'test' ? answer.exitCode : 0 };
  world.events.append({ name: 'system.policy.action', at: now, device, policy, data });
  return answer;
}

function evaluation(met: boolean): CommandAnswer {
  return met
    ? succeeded('Evaluation finished: compliant')
    : { text: 'Evaluation finished: remediation needed', exitCode: 1 };
}

function applyRemediation(
  world: World,
  device: WorldDevice,
  policy: WorldPolicy,
  now: Instant,
): CommandAnswer {
  if (policy.type === 'patch') return installPatches(world, device, pendingNames(device, now), now, policy);
  device.unmetPolicies = new Set([...device.unmetPolicies].filter((id) => id !== policy.id));
  return succeeded('Remediation finished');
}
