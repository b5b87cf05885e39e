/** Live mode: while it is on, small events happen to the fleet at random. */
import { type Clock, later, SECOND, type Timer } from '../../../lib/clock.ts';
import { randomUser } from '../seed/fleet.ts';
import {
  noticeEventData,
  notificationId,
  organizationEventData,
  type SimulatedEventName,
} from '../seed/history.ts';
import { CONSOLE_USERS } from '../seed/organization.ts';
import { updatesFor } from '../seed/software.ts';
import { applyPolicy, applyScan, type DeviceCommands, installPatches, pendingNames } from './commands.ts';
import {
  hasPending,
  isConnected,
  type NoticeSubject,
  policiesFor,
  recordReply,
  recordRun,
  sendNotice,
  setMissing,
} from './devices.ts';
import { deviceDetails, namesText } from './event-log.ts';
import type { WorldDevice } from './model.ts';
import { randomDevice } from './queries.ts';
import { createRandom, type SeededRandom } from './random.ts';
import type { EventRequest, WorldTimers } from './running-world.ts';
import type { World } from './world.ts';

type LiveMode = {
  readonly start: () => void;
  readonly stop: () => void;
  readonly isOn: () => boolean;
};

const MIN_PAUSE_S = 30;
const MAX_PAUSE_S = 120;

export function createLiveMode(surroundings: WorldContext, timers: WorldTimers): LiveMode {
  const { clock } = surroundings;
  const random = createRandom('life');
  let next: Timer | undefined;

  const live = (): void => {
    random.pick(SPONTANEOUS_EVENTS)(surroundings, random);
    plan();
  };
  const plan = (): void => {
    next = timers.at(later(clock.now(), random.int(MIN_PAUSE_S, MAX_PAUSE_S) * SECOND), live);
  };

  return {
    start() {
      if (next === undefined) plan();
    },
    stop() {
      next?.cancel();
      next = undefined;
    },
    isOn: () => next !== undefined,
  };
}

/** Which spontaneous events happen how often: to a random device, or to the organization. */

type SpontaneousEvent = (context: WorldContext, random: SeededRandom) => void;

const EVENTS_BY_PEOPLE: readonly SimulatedEventName[] = [
  'user.login',
  'user.login',
  'user.logout',
  'system.group.action',
];
const RARE_EVENTS: readonly SimulatedEventName[] = [
  'user.create',
  'user.removed',
  'saml.user.create',
  'slack.app.added',
  'slack.app.reinstalled',
  'org.exceeded_endpoint_limit',
];

/** Each with its relative frequency. Nothing happens where no device fits. */
const FREQUENT_EVENTS: readonly (readonly [number, SpontaneousEvent])[] = [
  [4, patchEvent('patch-fails')],
  [4, patchEvent('patch-applies')],
  [2, (context, random) => randomEvent(context, random, 'device-offline', isConnected)],
  [2, (context, random) => randomEvent(context, random, 'device-online', (device) => !isConnected(device))],
  [1, ({ carryOut }) => carryOut({ do: 'device-added' })],
  [1, (context, random) => randomEvent(context, random, 'device-removed', () => true)],
  [4, scanRandomDevice],
  [4, runPolicyOnRandomDevice],
  [2, logOnSomewhere],
  [3, sendRandomNotice],
  [2, answerRandomNotice],
  [1, uninstallSomething],
  [4, (context, random) => organizationEvent(context, random, random.pick(EVENTS_BY_PEOPLE))],
  [1, (context, random) => organizationEvent(context, random, random.pick(RARE_EVENTS))],
];

const SPONTANEOUS_EVENTS: readonly SpontaneousEvent[] = FREQUENT_EVENTS.flatMap(([times, happening]) =>
  Array.from({ length: times }, () => happening),
);

function patchEvent(apply: 'patch-fails' | 'patch-applies'): SpontaneousEvent {
  return (context, random) =>
    randomEvent(context, random, apply, (device) => hasPending(device, context.clock.now()));
}

function organizationEvent(
  { world, clock }: WorldContext,
  random: SeededRandom,
  name: SimulatedEventName,
): void {
  const { id } = random.pick(CONSOLE_USERS);
  world.events.append({ name, at: clock.now(), userId: id, data: organizationEventData(name, random) });
}

/** Spontaneous events of one device. Named devices are left alone. */

type WorldContext = {
  readonly world: World;
  readonly clock: Clock;
  readonly commands: DeviceCommands;
  readonly carryOut: (request: EventRequest) => unknown;
};

type Test = (device: WorldDevice) => boolean;

const NEW_PATCH_CHANCE = 0.5;
const POLICY_FAILS_CHANCE = 0.2;
const SILENT_POLICY_CHANCE = 0.1;
const DEFER_CHANCE = 0.6;

function randomEvent(
  context: WorldContext,
  random: SeededRandom,
  apply: EventRequest['do'],
  suits: Test,
): void {
  onRandomDevice(context, random, suits, ({ id }) => context.carryOut({ do: apply, device: String(id) }));
}

/** New devices are scanned first. Every other scan finds a newly released patch. */
function scanRandomDevice(context: WorldContext, random: SeededRandom): void {
  const now = context.clock.now();
  const newest = context.world.devices.values().at(-1);
  const isNew = newest !== undefined && newest.lastRefresh === null && isConnected(newest);
  const suits: Test = isNew ? (device) => device === newest : isConnected;
  onRandomDevice(context, random, suits, (device) => {
    applyScan(device, now);
    const update = random.pick(updatesFor(device.platform.family));
    if (random.chance(NEW_PATCH_CHANCE) && !device.missing.has(update.name)) setMissing(device, update);
  });
}

/** A policy runs on a scanned device; sometimes it fails, or sends no data. */
function runPolicyOnRandomDevice({ world, ...rest }: WorldContext, random: SeededRandom): void {
  const now = rest.clock.now();
  const suits: Test = (device) =>
    isConnected(device) && device.lastRefresh !== null && policiesFor(world, device).length > 0;
  onRandomDevice({ world, ...rest }, random, suits, (device) => {
    const policy = random.pick(policiesFor(world, device));
    const failed = random.chance(POLICY_FAILS_CHANCE);
    const silent = random.chance(SILENT_POLICY_CHANCE);
    if (!failed && !silent) {
      applyPolicy(world, device, policy, random.pick(['test', 'remediate']), now);
      return;
    }
    recordRun(device, policy, now);
    const text = `Error: ${policy.name} could not be carried out.\nThe process ended with a failure.`;
    const data = silent ? null : { text, status: random.pick([1, '1', -1_073_741_502, '1603']) };
    world.events.append({ name: 'system.policy.action', at: now, device, policy, data });
  });
}

/** Somebody logs in on a device that people use. */
function logOnSomewhere(context: WorldContext, random: SeededRandom): void {
  const suits: Test = (device) => isConnected(device) && device.lastUser !== '';
  onRandomDevice(context, random, suits, (device) => {
    device.lastUser = randomUser(random);
    device.lastLogon = context.clock.now();
  });
}

/** The user of a device is notified of a reboot or patches. */
function sendRandomNotice(context: WorldContext, random: SeededRandom): void {
  const at = context.clock.now();
  const suits: Test = (device) =>
    isConnected(device) && device.lastUser !== '' && (device.needsReboot || hasPending(device, at));
  onRandomDevice(context, random, suits, (device) => {
    sendNotice(device, device.needsReboot ? 'reboot' : 'patch');
    const data = noticeEventData(notificationId(random), at);
    context.world.events.append({ name: 'system.notification.sent', at, device, data });
  });
}

/** A notified user defers it, or lets it happen. */
function answerRandomNotice({ world, clock, ...rest }: WorldContext, random: SeededRandom): void {
  const at = clock.now();
  const suits: Test = (device) => isConnected(device) && openNotice(device) !== undefined;
  onRandomDevice({ world, clock, ...rest }, random, suits, (device) => {
    const about = openNotice(device);
    if (about === undefined) return;
    const response = random.chance(DEFER_CHANCE) ? 'defer' : 'install';
    recordReply(device, about, response);
    const data = { notification_id: notificationId(random), response };
    world.events.append({ name: 'system.notification.response', at, device, data });
    if (response === 'defer') return;
    if (about === 'patch') installPatches(world, device, pendingNames(device, at), at);
    else rest.commands.enqueue(device, { kind: 'reboot' });
  });
}

/** A title is uninstalled and counts as missing from now on. */
function uninstallSomething(context: WorldContext, random: SeededRandom): void {
  const at = context.clock.now();
  onRandomDevice(context, random, isConnected, (device) => {
    const titles = updatesFor(device.platform.family).filter(({ name }) => !device.missing.has(name));
    if (titles.length === 0) return;
    const title = random.pick(titles);
    setMissing(device, title);
    const data = { ...deviceDetails(device), patches: namesText([title.name]) };
    context.world.events.append({ name: 'system.patch.uninstall', at, device, data });
  });
}

function openNotice({ notices }: WorldDevice): NoticeSubject | undefined {
  if (notices.reboot.waitsFor === 'answer') return 'reboot';
  return notices.patch.waitsFor === 'answer' ? 'patch' : undefined;
}

function onRandomDevice(
  context: WorldContext,
  random: SeededRandom,
  suits: Test,
  apply: (device: WorldDevice) => void,
): void {
  const device = randomDevice(context.world, (one) => !one.reserved && suits(one), random);
  if (typeof device !== 'string') apply(device);
}
