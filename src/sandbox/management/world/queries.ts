/** The devices of a list (§4.5). Checks only the requested filters and allocates nothing per device. */
import type { Instant } from '../../../lib/clock.ts';
import type { DeviceOption } from '../../contracts/services.ts';
import { covers, hasPending, needsAttention, policiesOf, type WithPolicies } from './devices.ts';
import type { WorldDevice } from './model.ts';
import type { SeededRandom } from './random.ts';
import type { DeviceTable, World } from './world.ts';

export type WorldDeviceQuery = {
  readonly groupId?: number | undefined;
  /** A PowerShell version: whole, or its first parts. */
  readonly shell?: string | undefined;
  readonly pending?: boolean | undefined;
  /** Any patch that is not installed, including ignored and deferred ones. */
  readonly missing?: boolean | undefined;
  readonly policyId?: number | undefined;
  readonly exception?: boolean | undefined;
  readonly managed?: boolean | undefined;
  readonly needsAttention?: boolean | undefined;
};

type Test = (device: WorldDevice) => boolean;

/** The devices that match all of `filter`, ids ascending. Do not store the result: it may be the fleet itself. */
export function listDevices(world: World, filter: WorldDeviceQuery, now: Instant): readonly WorldDevice[] {
  return deviceTests(world, filter, now).reduce(
    (remaining, test) => remaining.filter(test),
    world.devices.values(),
  );
}

function deviceTests(world: WithPolicies, filter: WorldDeviceQuery, now: Instant): readonly Test[] {
  const {
    groupId,
    shell,
    pending,
    missing,
    policyId,
    exception,
    managed,
    needsAttention: attention,
  } = filter;
  const under = policyId === undefined ? undefined : groupsWith(world, (linked) => linked.includes(policyId));
  const policy = policyId === undefined ? undefined : world.policies.get(policyId);
  const ruled = managed === undefined ? undefined : groupsWith(world, (linked) => linked.length > 0);
  return [
    groupId === undefined ? [] : [(device: WorldDevice) => device.groupId === groupId],
    under === undefined ? [] : [(device: WorldDevice) => under.has(device.groupId)],
    policy === undefined ? [] : [(device: WorldDevice) => covers(policy, device)],
    ruled === undefined ? [] : [(device: WorldDevice) => ruled.has(device.groupId) === managed],
    exception === undefined ? [] : [(device: WorldDevice) => device.exception === exception],
    missing === undefined ? [] : [(device: WorldDevice) => device.missing.size > 0 === missing],
    attention === undefined ? [] : [(device: WorldDevice) => needsAttention(device, now) === attention],
    shell === undefined ? [] : [(device: WorldDevice) => hasShell(device, shell)],
    pending === undefined ? [] : [(device: WorldDevice) => hasPending(device, now) === pending],
  ].flat();
}

/** Ids of the groups whose policies match. */
function groupsWith(world: WithPolicies, suits: (linked: readonly number[]) => boolean): ReadonlySet<number> {
  const ids = [...world.groups.keys()];
  return new Set(ids.filter((groupId) => suits(policiesOf(world, { groupId }).map(({ id }) => id))));
}

/** The whole version or its first parts: §4.5 has it as text, §4.6 as an integer. */
function hasShell({ platform }: WorldDevice, version: string): boolean {
  return platform.shell === version || (platform.shell?.startsWith(`${version}.`) ?? false);
}

/** Finds the device that a request names. If there is none, a sentence is returned. */

/** The device with this id or name. */
export function resolveDevice(world: World, nameOrId: string): WorldDevice | string {
  const byId = /^\d+$/.test(nameOrId) ? world.devices.get(Number(nameOrId)) : undefined;
  if (byId !== undefined) return byId;
  const [first, ...others] = world.devices.values().filter(({ name }) => name === nameOrId);
  if (first === undefined) return `no device is named ${JSON.stringify(nameOrId)}`;
  if (others.length === 0) return first;
  const ids = [first, ...others].map(({ id }) => id).join(', ');
  return `several devices are named ${JSON.stringify(nameOrId)}: use an id (${ids})`;
}

/** Random tries before all devices are searched. */
const TRIES = 40;

/** A random device that fits; a named one only if no other fits. */
export function randomDevice(
  world: World,
  suits: (device: WorldDevice) => boolean,
  chance: SeededRandom = world.chance,
): WorldDevice | string {
  const devices = world.devices.values();
  if (devices.length === 0) return 'no matching device';
  for (let tries = 0; tries < TRIES; tries++) {
    const device = chance.pick(devices);
    if (!device.reserved && suits(device)) return device;
  }
  const suitable = devices.filter(suits);
  const ordinary = suitable.filter(({ reserved }) => !reserved);
  if (suitable.length === 0) return 'no matching device';
  return chance.pick(ordinary.length > 0 ? ordinary : suitable);
}

/** Device suggestions for a person who types a name. */

/** Devices whose names contain the text, ignoring case; at most `most`. Devices with the same name are listed by id. */
export function searchDevicesByName(fleet: DeviceTable, part: string, most: number): readonly DeviceOption[] {
  const typed = part.toLowerCase();
  const found = fleet.values().filter(({ name }) => name.toLowerCase().includes(typed));
  const listed = found.slice(0, most);
  const isAlone = (name: string) => fleet.values().filter((each) => each.name === name).length === 1;
  return listed.map(({ id, name }) => ({
    value: isAlone(name) ? name : String(id),
    label: `${name} · #${id}`,
  }));
}
