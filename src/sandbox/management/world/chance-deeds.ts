/** What happens by itself to one device. Those that people know by name are left alone. */
import type { Clock } from '../../../clock.ts';
import { userOf } from '../seed/fleet.ts';
import { notificationId, sentNotice } from '../seed/happenings.ts';
import { updatesFor } from '../seed/software-of.ts';
import type { Commands } from './commands.ts';
import { installPatches, pendingNames, runPolicy, scan } from './effects.ts';
import { aboutDevice, quotedNames } from './event-log.ts';
import { isConnected } from './facts.ts';
import { anyDevice } from './find.ts';
import type { Device } from './model.ts';
import { type NoticeSubject, sendNotice, takeReply } from './notices.ts';
import type { DeedOrder } from './orders.ts';
import { hasPending, setMissing } from './patches.ts';
import { policiesOf, recordRun } from './policies.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

export type Surroundings = {
  readonly world: World;
  readonly clock: Clock;
  readonly commands: Commands;
  readonly carryOut: (order: DeedOrder) => unknown;
};

type Test = (device: Device) => boolean;

const NEW_PATCH_CHANCE = 0.5;
const POLICY_FAILS_CHANCE = 0.2;
const SILENT_POLICY_CHANCE = 0.1;
const DEFER_CHANCE = 0.6;

export function order(around: Surroundings, random: Random, deed: DeedOrder['do'], suits: Test): void {
  onOne(around, random, suits, ({ id }) => around.carryOut({ do: deed, device: String(id) }));
}

/** A device that is new is scanned first. Every other scan finds that a patch has come out. */
export function scanOne(around: Surroundings, random: Random): void {
  const now = around.clock.now();
  const newest = around.world.devices.values().at(-1);
  const isNew = newest !== undefined && newest.lastRefresh === null && isConnected(newest);
  const suits: Test = isNew ? (device) => device === newest : isConnected;
  onOne(around, random, suits, (device) => {
    scan(device, now);
    const update = random.pick(updatesFor(device.platform.family));
    if (random.chance(NEW_PATCH_CHANCE) && !device.missing.has(update.name)) setMissing(device, update);
  });
}

/** A policy runs on a device that has been scanned; now and then it ends badly, or without a word. */
export function runPolicyOnOne({ world, ...around }: Surroundings, random: Random): void {
  const now = around.clock.now();
  const suits: Test = (device) =>
    isConnected(device) && device.lastRefresh !== null && policiesOf(world, device).length > 0;
  onOne({ world, ...around }, random, suits, (device) => {
    const policy = random.pick(policiesOf(world, device));
    const failed = random.chance(POLICY_FAILS_CHANCE);
    const silent = random.chance(SILENT_POLICY_CHANCE);
    if (!failed && !silent) {
      runPolicy(world, device, policy, random.pick(['test', 'remediate']), now);
      return;
    }
    recordRun(device, policy, now);
    const text = `Error: ${policy.name} could not be carried out.\nThe process ended with a failure.`;
    const data = silent ? null : { text, status: random.pick([1, '1', -1_073_741_502, '1603']) };
    world.events.append({ name: 'system.policy.action', at: now, device, policy, data });
  });
}

/** Somebody logs in on a device at which people sit. */
export function logOn(around: Surroundings, random: Random): void {
  const suits: Test = (device) => isConnected(device) && device.lastUser !== '';
  onOne(around, random, suits, (device) => {
    device.lastUser = userOf(random);
    device.lastLogon = around.clock.now();
  });
}

/** Whoever sits at a device is told what is due: a reboot, or patches. */
export function notify(around: Surroundings, random: Random): void {
  const at = around.clock.now();
  const suits: Test = (device) =>
    isConnected(device) && device.lastUser !== '' && (device.needsReboot || hasPending(device, at));
  onOne(around, random, suits, (device) => {
    sendNotice(device, device.needsReboot ? 'reboot' : 'patch');
    const data = sentNotice(notificationId(random), at);
    around.world.events.append({ name: 'system.notification.sent', at, device, data });
  });
}

/** Whoever was told puts it off, or lets it happen. */
export function reply({ world, clock, ...around }: Surroundings, random: Random): void {
  const at = clock.now();
  const suits: Test = (device) => isConnected(device) && openNotice(device) !== undefined;
  onOne({ world, clock, ...around }, random, suits, (device) => {
    const about = openNotice(device);
    if (about === undefined) return;
    const response = random.chance(DEFER_CHANCE) ? 'defer' : 'install';
    takeReply(device, about, response);
    const data = { notification_id: notificationId(random), response };
    world.events.append({ name: 'system.notification.response', at, device, data });
    if (response === 'defer') return;
    if (about === 'patch') installPatches(world, device, pendingNames(device, at), at);
    else around.commands.enqueue(device, { kind: 'reboot' });
  });
}

/** A title is taken back and misses from now on. */
export function uninstall(around: Surroundings, random: Random): void {
  const at = around.clock.now();
  onOne(around, random, isConnected, (device) => {
    const titles = updatesFor(device.platform.family).filter(({ name }) => !device.missing.has(name));
    if (titles.length === 0) return;
    const title = random.pick(titles);
    setMissing(device, title);
    const data = { ...aboutDevice(device), patches: quotedNames([title.name]) };
    around.world.events.append({ name: 'system.patch.uninstall', at, device, data });
  });
}

function openNotice({ notices }: Device): NoticeSubject | undefined {
  if (notices.reboot.waitsFor === 'answer') return 'reboot';
  return notices.patch.waitsFor === 'answer' ? 'patch' : undefined;
}

function onOne(around: Surroundings, random: Random, suits: Test, deed: (device: Device) => void): void {
  const device = anyDevice(around.world, (one) => !one.reserved && suits(one), random);
  if (typeof device !== 'string') deed(device);
}
