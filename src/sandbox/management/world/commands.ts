/**
 * Commands and the agents that run them. While its device is online, an agent runs one command of the queue after the
 * other, each some time after it was due; the answer stays readable for a while, then the entry is removed.
 */
import { type Clock, type Instant, instant, later, SECOND, type Timer } from '../../../lib/clock.ts';
import {
  install,
  lastProcessTime,
  NO_NOTICE,
  pendingPatches,
  policyStatusOn,
  recordRun,
  setNotice,
} from './devices.ts';
import { deviceDetails, namesText } from './event-log.ts';
import type { Connectivity, WorldCommand, WorldDevice, WorldPolicy, WorldQueueEntry } from './model.ts';
import { createRandom } from './random.ts';
import type { World } from './world.ts';

/** All timers of the world, so that a reset or a stop leaves none behind. */
export type WorldTimers = {
  readonly at: (due: Instant, task: () => void) => Timer;
  readonly cancelAll: () => void;
};

export function createWorldTimers(clock: Clock): WorldTimers {
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

/** Part of a reboot's offline time that the boot itself takes. */
const BOOT_MS = 20 * SECOND;

export function createDeviceCommands(world: World, clock: Clock, timers: WorldTimers): DeviceCommands {
  /** The current activity of each device: at most one. */
  const busy = new Map<number, Timer>();

  const plan = (device: WorldDevice, due: Instant, task: () => void): void => {
    const done = () => {
      busy.delete(device.id);
      task();
    };
    busy.set(device.id, timers.at(due, done));
  };

  /** The next command of the queue, unless the device is offline or busy or the queue is empty. */
  const runNext = (device: WorldDevice): void => {
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
      goOffline(device, { kind: 'rebooting', since: now });
      plan(device, later(now, rebootMs), () => startAgain(device));
    } else runNext(device);
  };

  /** A device scans itself after it started. */
  const startAgain = (device: WorldDevice): void => {
    const now = clock.now();
    device.bootedAt = later(now, -BOOT_MS);
    device.lastRefresh = now;
    device.needsReboot = false;
    setNotice(device, 'reboot', NO_NOTICE);
    device.link = { kind: 'online', since: now };
    runNext(device);
  };

  /** The running command stays in the queue if it was not answered. */
  const interrupt = (device: WorldDevice): void => {
    busy.get(device.id)?.cancel();
    busy.delete(device.id);
  };

  return {
    enqueue(device, command, requested) {
      const now = clock.now();
      const execTime = requested !== undefined && requested > now ? requested : now;
      const id = world.nextEntryId++;
      const entry: WorldQueueEntry = { id, deviceId: device.id, command, execTime, answer: null };
      world.queues.set(device.id, [...(world.queues.get(device.id) ?? []), entry]);
      if (execTime > now) timers.at(execTime, () => runNext(device));
      else runNext(device);
      return entry;
    },
    disconnect(device) {
      const { kind } = device.link;
      if (kind === 'offline') return;
      interrupt(device);
      goOffline(device, { kind: 'offline', since: clock.now(), midReboot: kind === 'rebooting' });
    },
    connect(device) {
      if (device.link.kind === 'online') return;
      interrupt(device);
      if (device.link.kind === 'rebooting' || device.link.midReboot) return startAgain(device);
      device.link = { kind: 'online', since: clock.now() };
      runNext(device);
    },
    forget(device) {
      interrupt(device);
      world.queues.delete(device.id);
    },
  };
}

function goOffline(device: WorldDevice, link: Exclude<Connectivity, { kind: 'online' }>): void {
  device.lastSeen = lastProcessTime(device, link.since);
  device.lastDisconnect = link.since;
  device.link = link;
}

/**
 * Duration of each step of a command: derived from its id alone, so it repeats at every run. The design promises at
 * least 10 s in the queue, and proof within 10 minutes.
 */
function commandDelays(entry: WorldQueueEntry) {
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

type CommandAnswer = { readonly text: string; readonly exitCode: number };

/** What the command changes, and what the agent answers; a reboot only starts here. */
function executeCommand(
  world: World,
  device: WorldDevice,
  command: WorldCommand,
  now: Instant,
): CommandAnswer {
  switch (command.kind) {
    case 'scan':
      applyScan(device, now);
      return succeeded('Scan completed');
    case 'reboot':
      return succeeded('Rebooting');
    case 'install':
      // §4.3: names separated by spaces. A sample quotes the whole text; the quotes belong to no name.
      return installPatches(world, device, command.args.split(/[\s"]+/).filter(Boolean), now);
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

export function applyScan(device: WorldDevice, now: Instant): void {
  device.lastRefresh = now;
  device.lastScanFailed = false;
}

export function pendingNames(device: WorldDevice, now: Instant): readonly string[] {
  return pendingPatches(device, now).map(({ software }) => software.name);
}

/** The exit code of installs that were told to fail. */
const INSTALLER_FAILED = 1_603;

/** Installs the named packages that are missing, with an event for those that succeed and one for those that fail. */
export function installPatches(
  world: World,
  device: WorldDevice,
  names: readonly string[],
  now: Instant,
  policy?: WorldPolicy,
): CommandAnswer {
  const willFail = (patch: string) => world.installs.fails({ deviceId: device.id, patch });
  const append = (name: string, data: object) => {
    const about = { at: now, device, ...(policy === undefined ? {} : { policy }) };
    world.events.append({ name, ...about, data: { ...deviceDetails(device), ...data } });
  };
  const sentences: string[] = [];
  const failed = names.filter((name) => willFail(name) && device.missing.has(name));
  if (failed.length > 0) {
    const failure = `The installer ended with exit code ${INSTALLER_FAILED}`;
    append('system.patch.failed', { failure, patches: namesText(failed) });
    sentences.push(`Failed to install patches: ${namesText(failed)}`);
  }
  const wanted = names.filter((name) => !willFail(name));
  const installed = install(device, wanted, now).map(({ name }) => name);
  if (installed.length > 0) {
    append('system.patch.applied', { patches: namesText(installed) });
    sentences.unshift(`Installed patches: ${namesText(installed)}`);
  }
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
  const answer = action === 'test' ? evaluate(device, policy, now) : remediate(world, device, policy, now);
  recordRun(device, policy, now);
  // A patch that failed has its own event; the policy itself ran.
  const data = { text: answer.text, status: action === 'test' ? answer.exitCode : 0 };
  world.events.append({ name: 'system.policy.action', at: now, device, policy, data });
  return answer;
}

function evaluate(device: WorldDevice, policy: WorldPolicy, now: Instant): CommandAnswer {
  return policyStatusOn(device, policy, now) === 1
    ? succeeded('Evaluation finished: compliant')
    : { text: 'Evaluation finished: remediation needed', exitCode: 1 };
}

function remediate(world: World, device: WorldDevice, policy: WorldPolicy, now: Instant): CommandAnswer {
  if (policy.type === 'patch') return installPatches(world, device, pendingNames(device, now), now, policy);
  device.unmetPolicies = new Set([...device.unmetPolicies].filter((id) => id !== policy.id));
  return succeeded('Remediation finished');
}
