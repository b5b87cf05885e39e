/** The world and what changes it: commands, requests and, in live mode, small events at random. */
import { type Clock, type Instant, later, SECOND, type Timer } from '../../../lib/clock.ts';
import type { WorldRequest, WorldResult } from '../../contracts/services.ts';
import { randomUser } from '../seed/fleet.ts';
import {
  noticeEventData,
  notificationId,
  organizationEventData,
  type SimulatedEventName,
} from '../seed/history.ts';
import { CONSOLE_USERS } from '../seed/organization.ts';
import { updatesFor } from '../seed/software.ts';
import { createWorldActions, type EventRequest } from './actions.ts';
import {
  applyPolicy,
  applyScan,
  createDeviceCommands,
  createWorldTimers,
  type DeviceCommands,
  installPatches,
  pendingNames,
  type WorldTimers,
} from './commands.ts';
import {
  hasPending,
  isConnected,
  NO_NOTICE,
  type NoticeSubject,
  policiesFor,
  recordRun,
  setMissing,
  setNotice,
} from './devices.ts';
import { deviceDetails, namesText } from './event-log.ts';
import type { WorldDevice } from './model.ts';
import { createRandom, type SeededRandom } from './random.ts';
import { randomDevice, seedWorld, type World, type WorldSize } from './world.ts';

export type RunningWorld = {
  readonly state: World;
  readonly commands: DeviceCommands;
  readonly timers: WorldTimers;
  readonly perform: (request: WorldRequest) => WorldResult;
  readonly isLive: () => boolean;
  /** Cancels everything that is scheduled. */
  readonly end: () => void;
};

/** Between two events of live mode. */
const PAUSE_S = { least: 30, most: 120 };

/** A world at its seed. To reset, end it and make another. */
export function createRunningWorld(clock: Clock, size: WorldSize): RunningWorld {
  const timers = createWorldTimers(clock);
  const world = seedWorld(size, clock.now());
  const commands = createDeviceCommands(world, clock, timers);
  const perform = createWorldActions(world, clock, commands);
  const random = createRandom('life');
  let next: Timer | undefined;
  const live = (): void => {
    random.pick(HAPPENINGS)({ world, commands, perform, random, now: clock.now() });
    plan();
  };
  const plan = (): void => {
    next = timers.at(later(clock.now(), random.int(PAUSE_S.least, PAUSE_S.most) * SECOND), live);
  };
  return {
    state: world,
    commands,
    timers,
    perform(request) {
      const { do: event } = request;
      if (event !== 'live' && event !== 'quiet') return perform({ ...request, do: event });
      if (event === 'quiet') {
        next?.cancel();
        next = undefined;
      } else if (next === undefined) plan();
      return { ok: true, events: [] };
    },
    isLive: () => next !== undefined,
    end: timers.cancelAll,
  };
}

type Moment = {
  readonly world: World;
  readonly commands: DeviceCommands;
  readonly perform: (request: EventRequest) => WorldResult;
  readonly random: SeededRandom;
  readonly now: Instant;
};
type Happening = (moment: Moment) => void;
type Test = (device: WorldDevice, moment: Moment) => boolean;

/** Each with its relative frequency. Nothing happens where no device fits. */
const HAPPENINGS: readonly Happening[] = [
  ...times(4, onRequest('patch-fails', lacksPatches)),
  ...times(4, onRequest('patch-applies', lacksPatches)),
  ...times(2, onRequest('device-offline', isConnected)),
  ...times(
    2,
    onRequest('device-online', (device) => !isConnected(device)),
  ),
  ...times(1, ({ perform }: Moment) => perform({ do: 'device-added' })),
  ...times(
    1,
    onRequest('device-removed', () => true),
  ),
  ...times(4, onDevice(isScannedNext, scan)),
  ...times(4, onDevice(runsPolicies, runPolicy)),
  ...times(2, onDevice(hasUser, logOn)),
  ...times(3, onDevice(isNotified, notify)),
  ...times(2, onDevice(waitsForAnswer, answerNotice)),
  ...times(1, onDevice(isConnected, uninstall)),
  ...times(4, inOrganization('user.login', 'user.login', 'user.logout', 'system.group.action')),
  ...times(
    1,
    inOrganization(
      'user.create',
      'user.removed',
      'saml.user.create',
      'slack.app.added',
      'slack.app.reinstalled',
      'org.exceeded_endpoint_limit',
    ),
  ),
];

function times(count: number, happening: Happening): readonly Happening[] {
  return Array.from({ length: count }, () => happening);
}

/** Named devices are left alone. */
function onDevice(suits: Test, act: (device: WorldDevice, moment: Moment) => void): Happening {
  return (moment) => {
    const isFit = (device: WorldDevice) => !device.reserved && suits(device, moment);
    const device = randomDevice(moment.world, isFit, moment.random);
    if (typeof device !== 'string') act(device, moment);
  };
}

function onRequest(what: EventRequest['do'], suits: Test): Happening {
  return onDevice(suits, ({ id }, { perform }) => void perform({ do: what, device: String(id) }));
}

function inOrganization(...names: readonly SimulatedEventName[]): Happening {
  return ({ world, random, now }) => {
    const name = random.pick(names);
    const { id } = random.pick(CONSOLE_USERS);
    world.events.append({ name, at: now, userId: id, data: organizationEventData(name, random) });
  };
}

function lacksPatches(device: WorldDevice, { now }: Moment): boolean {
  return hasPending(device, now);
}

/** A new device before all others. */
function isScannedNext(device: WorldDevice, { world }: Moment): boolean {
  const newest = world.devices.values().at(-1);
  const isNew = newest !== undefined && newest.lastRefresh === null && isConnected(newest);
  return isNew ? device === newest : isConnected(device);
}

/** Every other scan finds a newly released patch. */
function scan(device: WorldDevice, { random, now }: Moment): void {
  applyScan(device, now);
  const update = random.pick(updatesFor(device.platform.family));
  if (random.chance(0.5) && !device.missing.has(update.name)) setMissing(device, update);
}

function runsPolicies(device: WorldDevice, { world }: Moment): boolean {
  return isConnected(device) && device.lastRefresh !== null && policiesFor(world, device).length > 0;
}

/** Sometimes it fails, or sends no data. */
function runPolicy(device: WorldDevice, { world, random, now }: Moment): void {
  const policy = random.pick(policiesFor(world, device));
  const failed = random.chance(0.2);
  const silent = random.chance(0.1);
  if (!failed && !silent) {
    applyPolicy(world, device, policy, random.pick(['test', 'remediate']), now);
    return;
  }
  recordRun(device, policy, now);
  const text = `Error: ${policy.name} could not be carried out.\nThe process ended with a failure.`;
  const data = silent ? null : { text, status: random.pick([1, '1', -1_073_741_502, '1603']) };
  world.events.append({ name: 'system.policy.action', at: now, device, policy, data });
}

function hasUser(device: WorldDevice): boolean {
  return isConnected(device) && device.lastUser !== '';
}

function logOn(device: WorldDevice, { random, now }: Moment): void {
  device.lastUser = randomUser(random);
  device.lastLogon = now;
}

function isNotified(device: WorldDevice, { now }: Moment): boolean {
  return hasUser(device) && (device.needsReboot || hasPending(device, now));
}

function notify(device: WorldDevice, { world, random, now }: Moment): void {
  const about = device.needsReboot ? 'reboot' : 'patch';
  const { sent, deferrals } = device.notices[about];
  setNotice(device, about, { sent: sent + 1, deferrals, waitsFor: 'answer' });
  const data = noticeEventData(notificationId(random), now);
  world.events.append({ name: 'system.notification.sent', at: now, device, data });
}

function waitsForAnswer(device: WorldDevice): boolean {
  return isConnected(device) && openNotice(device) !== undefined;
}

/** The user defers it, or lets it happen. */
function answerNotice(device: WorldDevice, { world, commands, random, now }: Moment): void {
  const about = openNotice(device);
  if (about === undefined) return;
  const response = random.chance(0.6) ? 'defer' : 'install';
  // A deferral is counted, any other answer resets the count.
  const { sent, deferrals } = device.notices[about];
  const deferred = { sent, deferrals: deferrals + 1, waitsFor: 'user' } as const;
  setNotice(device, about, response === 'defer' ? deferred : NO_NOTICE);
  const data = { notification_id: notificationId(random), response };
  world.events.append({ name: 'system.notification.response', at: now, device, data });
  if (response === 'defer') return;
  if (about === 'patch') installPatches(world, device, pendingNames(device, now), now);
  else commands.enqueue(device, { kind: 'reboot' });
}

function openNotice({ notices }: WorldDevice): NoticeSubject | undefined {
  if (notices.reboot.waitsFor === 'answer') return 'reboot';
  return notices.patch.waitsFor === 'answer' ? 'patch' : undefined;
}

/** A title is uninstalled and counts as missing from now on. */
function uninstall(device: WorldDevice, { world, random, now }: Moment): void {
  const titles = updatesFor(device.platform.family).filter(({ name }) => !device.missing.has(name));
  if (titles.length === 0) return;
  const title = random.pick(titles);
  setMissing(device, title);
  const data = { ...deviceDetails(device), patches: namesText([title.name]) };
  world.events.append({ name: 'system.patch.uninstall', at: now, device, data });
}
