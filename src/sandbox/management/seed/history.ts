/** The last thirty days of the organization, as events; ids ascend with time. */
import { DAY, type Instant, instant, later, MINUTE } from '../../../clock.ts';
import { aboutDevice, type EventLog, type NewEvent, quotedNames } from '../world/event-log.ts';
import type { Device, Policy, Software } from '../world/model.ts';
import { byId, policiesOf } from '../world/policies.ts';
import { createRandom, type Random } from '../world/random.ts';
import { failureReason } from './failures.ts';
import { CONSOLE_USERS, GROUPS, POLICIES } from './organization.ts';
import { updatesFor } from './software-of.ts';

const HISTORY_MS = 30 * DAY;

const OTHER_EVENTS = 380;

const ORGANIZED = { groups: byId(GROUPS), policies: byId(POLICIES) };

type Kind = (random: Random, device: Device, at: Instant) => NewEvent;

const KINDS: readonly Kind[] = [
  applied,
  applied,
  applied,
  failed,
  policyAction,
  policyAction,
  notified,
  login,
];

/** Every device that people know by name has at least these; the rest fall on any that is in touch. */
const ON_NAMED_DEVICES: readonly Kind[] = [applied, applied, failed, policyAction, notified];

/** Fills `log` with what happened to `devices` before `now`. */
export function writeHistory(log: EventLog, devices: readonly Device[], now: Instant): void {
  const random = createRandom('history');
  const active = devices.filter(({ lastSeen }) => now - lastSeen < DAY);
  const some = Array.from({ length: OTHER_EVENTS }, () =>
    happened(random, random.pick(active), random.pick(KINDS)),
  );
  const named = devices.filter(({ reserved }) => reserved);
  const sure = named.flatMap((device) => ON_NAMED_DEVICES.map((kind) => happened(random, device, kind)));
  const added = devices
    .filter(({ createTime }) => now - createTime < HISTORY_MS)
    .map((device) => ({ name: 'system.add', at: device.createTime, device, data: aboutDevice(device) }));
  const removed = gone(devices, now);
  for (const event of [...some, ...sure, ...added, ...removed].sort((a, b) => a.at - b.at)) log.append(event);
}

/** Up to thirty days before its last contact, and never before it is known. */
function happened(random: Random, device: Device, kind: Kind): NewEvent {
  const newest = later(device.lastSeen, -10 * MINUTE);
  const oldest = Math.max(later(newest, -HISTORY_MS), device.createTime);
  return kind(random, device, instant(random.int(oldest, newest)));
}

function applied(random: Random, device: Device, at: Instant): NewEvent {
  const patches = random.sample(updatesFor(device.platform.family), random.int(1, 3));
  const names = patches.map(({ name }) => name);
  const form = random.chance(0.3) ? newerForm(patches) : quotedNames(names);
  return {
    name: 'system.patch.applied',
    at,
    device,
    data: { ...aboutDevice(device), patches: form },
    ...(random.chance(0.6) ? { policy: random.pick(patchPolicies()) } : {}),
  };
}

/** `data.patches` in the form of newer agents: `name|version|display name|repo|reboot`, with commas between. */
function newerForm(patches: readonly Software[]): string {
  return patches
    .map(({ name, version, displayName, repo, requiresReboot }) => {
      const cells = [
        name,
        version,
        (displayName ?? name).replaceAll(/[|",]/g, ' '),
        repo,
        requiresReboot ? 1 : 0,
      ];
      return `"${cells.join('|')}"`;
    })
    .join(',');
}

function failed(random: Random, device: Device, at: Instant): NewEvent {
  const { name } = random.pick(updatesFor(device.platform.family));
  const data = {
    ...aboutDevice(device),
    failure: failureReason(random, device.platform.family),
    patches: quotedNames([name]),
  };
  return { name: 'system.patch.failed', at, device, data };
}

/** The exit code is a text or a number (both are seen live); 0 is success. */
function policyAction(random: Random, device: Device, at: Instant): NewEvent {
  const linked = policiesOf(ORGANIZED, device);
  const policy = random.pick(linked.length > 0 ? linked : POLICIES);
  const status = random.pick([0, '0', '0', 1, '1', -1_073_741_502]);
  const text = random.pick([
    `Installed patches: ${quotedNames([random.pick(updatesFor(device.platform.family)).name])}`,
    'Evaluation finished.\nFeature: SMB1Protocol\nState : Disabled\n',
    null,
  ]);
  return { name: 'system.policy.action', at, device, policy, data: { text, status } };
}

function notified(random: Random, device: Device, at: Instant): NewEvent {
  const notification = { notification_id: random.int(50_000, 99_999) };
  const data = random.chance(0.5)
    ? {
        name: 'system.notification.sent',
        data: { ...notification, scheduled_time: null, last_process_time: null },
      }
    : {
        name: 'system.notification.response',
        data: { ...notification, response: random.pick(['install', 'defer']) },
      };
  return { ...data, at, device };
}

function login(random: Random, _device: Device, at: Instant): NewEvent {
  const user = random.pick(CONSOLE_USERS);
  return { name: random.pick(['user.login', 'user.logout']), at, userId: user.id, data: null };
}

/** Devices that left before today: known only from their events. */
function gone(devices: readonly Device[], now: Instant): readonly NewEvent[] {
  return devices.slice(-3).map((device, index) => ({
    name: 'system.delete',
    at: later(now, -(index * 9 + 2) * DAY),
    device: { id: 3_001 + index, name: `old-${device.name}` },
    data: { ...aboutDevice(device), systemname: `old-${device.name}` },
  }));
}

function patchPolicies(): readonly Policy[] {
  return POLICIES.filter(({ type }) => type === 'patch');
}
