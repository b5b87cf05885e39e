/** Spontaneous events of one device. Named devices are left alone. */
import type { Clock } from '../../../../lib/clock.ts';
import { noticeEventData, notificationId } from '../../seed/event-data.ts';
import { randomUser } from '../../seed/seed-fleet.ts';
import { updatesFor } from '../../seed/software.ts';
import type { WorldDevice } from '../model.ts';
import { policiesFor } from '../queries/device-filters.ts';
import { randomDevice } from '../queries/find-device.ts';
import type { SeededRandom } from '../random.ts';
import { isConnected, type NoticeSubject, recordReply, sendNotice } from '../state/device-facts.ts';
import { deviceDetails, namesText } from '../state/event-log.ts';
import { hasPending, setMissing } from '../state/patches.ts';
import { recordRun } from '../state/policy-status.ts';
import type { World } from '../world.ts';
import { applyPolicy, applyScan, installPatches, pendingNames } from './command-effects.ts';
import type { DeviceCommands } from './device-commands.ts';
import type { EventRequest } from './world-actions.ts';

export type WorldContext = {
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

export function randomEvent(
  context: WorldContext,
  random: SeededRandom,
  apply: EventRequest['do'],
  suits: Test,
): void {
  onRandomDevice(context, random, suits, ({ id }) => context.carryOut({ do: apply, device: String(id) }));
}

/** New devices are scanned first. Every other scan finds a newly released patch. */
export function scanRandomDevice(context: WorldContext, random: SeededRandom): void {
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
export function runPolicyOnRandomDevice({ world, ...rest }: WorldContext, random: SeededRandom): void {
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
export function logOnSomewhere(context: WorldContext, random: SeededRandom): void {
  const suits: Test = (device) => isConnected(device) && device.lastUser !== '';
  onRandomDevice(context, random, suits, (device) => {
    device.lastUser = randomUser(random);
    device.lastLogon = context.clock.now();
  });
}

/** The user of a device is notified of a reboot or patches. */
export function sendRandomNotice(context: WorldContext, random: SeededRandom): void {
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
export function answerRandomNotice({ world, clock, ...rest }: WorldContext, random: SeededRandom): void {
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
export function uninstallSomething(context: WorldContext, random: SeededRandom): void {
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
