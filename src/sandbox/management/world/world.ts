/**
 * The state of the organization at one moment, and its seed. What changes it over time is in the files beside it; this
 * file knows neither them nor HTTP.
 */
import type { Instant } from '../../../lib/clock.ts';
import type { DeviceOption } from '../../contracts/services.ts';
import { FIRST_DEVICE_ID, seedFleet } from '../seed/fleet.ts';
import { eventsFor, writeHistory } from '../seed/history.ts';
import { ORGANIZATION_ID, SEEDED_GROUPS, SEEDED_POLICIES } from '../seed/organization.ts';
import { mapById } from './devices.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import type { WorldDevice, WorldGroup, WorldPolicy, WorldQueueEntry } from './model.ts';
import { createRandom, type SeededRandom } from './random.ts';

const FIRST_EVENT_ID = 50_001;
const FIRST_ENTRY_ID = 900_001;

export type World = {
  readonly organizationId: number;
  /** By id, like the policies; edits replace entries. */
  readonly groups: Map<number, WorldGroup>;
  readonly policies: Map<number, WorldPolicy>;
  readonly devices: DeviceTable;
  readonly events: EventLog;
  /** By device; a device without commands has no entry. */
  readonly queues: Map<number, WorldQueueEntry[]>;
  /** The outcome of commanded installs. */
  readonly installs: ReturnType<typeof createInstallOutcomes>;
  /** Makes the choices that a request leaves open. */
  readonly chance: SeededRandom;
  nextDeviceId: number;
  nextGroupId: number;
  nextPolicyId: number;
  nextEntryId: number;
  nextJobId: number;
};

/** Size of the seed; absent `events`: a number that fits the number of devices. */
export type WorldSize = { readonly devices: number; readonly events?: number | undefined };

/** The seed, as it is at `now`. */
export function seedWorld(size: WorldSize, now: Instant): World {
  const devices = seedFleet(size.devices, now);
  const history = writeHistory(devices, now, size.events ?? eventsFor(devices.length));
  return {
    organizationId: ORGANIZATION_ID,
    groups: mapById(SEEDED_GROUPS),
    policies: mapById(SEEDED_POLICIES),
    devices: createDeviceTable(devices),
    events: createEventLog(FIRST_EVENT_ID, history),
    queues: new Map(),
    installs: createInstallOutcomes(),
    chance: createRandom('orders'),
    nextDeviceId: FIRST_DEVICE_ID + devices.length,
    nextGroupId: nextId(SEEDED_GROUPS),
    nextPolicyId: nextId(SEEDED_POLICIES),
    nextEntryId: FIRST_ENTRY_ID,
    nextJobId: 1,
  };
}

function nextId(things: readonly { readonly id: number }[]): number {
  return Math.max(...things.map(({ id }) => id)) + 1;
}

type DeviceTable = ReturnType<typeof createDeviceTable>;

/** The devices by id and in order of their ids, so that a page is a slice; the ids of `seeded` ascend. */
export function createDeviceTable(seeded: readonly WorldDevice[]) {
  const byId = new Map(seeded.map((device) => [device.id, device]));
  const ordered = [...seeded];
  const counts = new Map<number, number>();
  const count = (groupId: number, change: number): void => {
    counts.set(groupId, (counts.get(groupId) ?? 0) + change);
  };
  for (const { groupId } of seeded) count(groupId, 1);
  return {
    get size() {
      return ordered.length;
    },
    get: (id: number) => byId.get(id),
    /** Ids ascending. A live view of the fleet; do not store it. */
    values: (): readonly WorldDevice[] => ordered,
    /** Adds the newest device: its id is above all others. */
    add(device: WorldDevice): void {
      byId.set(device.id, device);
      ordered.push(device);
      count(device.groupId, 1);
    },
    delete(id: number): void {
      const device = byId.get(id);
      if (device === undefined) return;
      byId.delete(id);
      ordered.splice(ordered.indexOf(device), 1);
      count(device.groupId, -1);
    },
    /** The only way to move a device to another group, because devices are counted per group. */
    move(device: WorldDevice, groupId: number): void {
      count(device.groupId, -1);
      device.groupId = groupId;
      count(groupId, 1);
    },
    /** Number of devices per group; a group without devices may have no entry. */
    counts: (): ReadonlyMap<number, number> => counts,
  };
}

/** Absent means any. */
type InstallScope = { readonly deviceId?: number | undefined; readonly patch?: string | undefined };

/** Which commanded installs fail, on one device or all, of one patch or all; initially none. */
export function createInstallOutcomes() {
  let decisions: readonly { readonly scope: InstallScope; readonly fail: boolean }[] = [];
  return {
    /** From now on installs in this scope fail, or succeed; the newest decision about an install counts. */
    decide(scope: InstallScope, fail: boolean): void {
      decisions = [...decisions.filter((older) => !coversScope(scope, older.scope)), { scope, fail }];
    },
    fails: (install: Required<InstallScope>): boolean =>
      decisions.findLast(({ scope }) => coversScope(scope, install))?.fail ?? false,
  };
}

/** Whether `wide` covers everything that `narrow` covers. */
function coversScope(wide: InstallScope, narrow: InstallScope): boolean {
  const covers = (name: keyof InstallScope) => wide[name] === undefined || wide[name] === narrow[name];
  return covers('deviceId') && covers('patch');
}

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
