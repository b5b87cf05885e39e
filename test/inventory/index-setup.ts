/** A living fleet and its index, on a clock that is moved by hand. */

import { setImmediate } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { FleetFailure, type FleetPage, type ReadOptions } from '../../src/fleet/fleet.ts';
import type { Device, FleetEvent, Group, Policy } from '../../src/fleet/model/resources.ts';
import { createInventory, type InventoryService } from '../../src/inventory/inventory-service.ts';
import type { FleetListReader } from '../../src/inventory/refresh/fleet-walk.ts';
import { type Clock, createManualClock, type Instant, SECOND } from '../../src/lib/clock.ts';
import {
  type DeviceId,
  deviceId,
  eventId,
  groupId,
  organizationId,
  type PolicyId,
} from '../../src/lib/ids.ts';
import type { InventoryStore } from '../../src/store/port/store.ts';
import { BROKEN, MISSING } from '../commands/harness/fake-fleet.ts';
import { aDevice, aGroup, anEvent, START } from '../harness/builders.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { nothingSaved } from '../harness/nothing-saved.ts';

export const manyDevices = (count: number): readonly Device[] =>
  Array.from({ length: count }, (_, at) => aDevice({ id: deviceId(at + 1), name: `pc-${at + 1}` }));
export const deviceAddedEvent = (id: number, device: number): FleetEvent =>
  anEvent({ id: eventId(id), name: 'system.add', deviceId: deviceId(device), createTime: null });
export const deviceRemovedEvent = (id: number, device: number): FleetEvent => ({
  ...deviceAddedEvent(id, device),
  name: 'system.delete',
});

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
});

export async function aStore() {
  const store = await memoryStore(organizationId(7));
  ends.push(store.close);
  return store.inventory;
}

export function createIndexSetup(content: readonly Device[], store: InventoryStore = nothingSaved) {
  const clock = createManualClock(START);
  const groups = [aGroup({ id: groupId(20), name: 'Linux servers' })];
  const living = createChangingFleet(clock, content, groups);
  const inventory = createInventory({ fleet: living.fleet, clock, store });
  ends.push(inventory.stop);
  /** Moves the clock in small steps, so that what waits for each other can go on in between. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= SECOND) {
      await clock.advance(Math.min(left, SECOND));
      await settlePromises();
    }
  };
  return { clock, living, inventory, pass };
}

/** The same once it has read its fleet. */
export async function startedIndex(devices: number, store?: InventoryStore) {
  const setup = createIndexSetup(manyDevices(devices), store);
  await setup.inventory.start();
  await settlePromises();
  return setup;
}

export async function namesIn(inventory: InventoryService): Promise<readonly string[]> {
  return (await inventory.snapshot()).devices.map(({ name }) => name);
}

const PAGE = 500;

type Request = { readonly at: Instant; readonly what: string; readonly lane: string };

/** Absent: all. */
type Listed = {
  readonly devices?: (all: readonly Device[]) => readonly Device[];
  readonly more?: Pick<FleetPage<Device>, 'shortfall' | 'deletedIds'>;
  readonly groups?: number | ((all: readonly Group[]) => readonly Group[]);
  readonly policies?: number;
};

function there<T>(one: T | undefined): T {
  if (one === undefined) throw new FleetFailure(MISSING);
  return one;
}

export function createChangingFleet(clock: Clock, content: readonly Device[], given: readonly Group[] = []) {
  const groups = new Map(given.map((group) => [group.id, group]));
  const policies = new Map<PolicyId, Policy>();
  let listed: Listed = {};
  const devices = new Map(content.map((device) => [device.id, device]));
  const requests: Request[] = [];
  const markedDeleted = new Set<DeviceId>();
  let down = false;
  let gate: Promise<void> = Promise.resolve();

  const ask = async (what: string, { lane = 'background', signal }: ReadOptions = {}): Promise<void> => {
    requests.push({ at: clock.now(), what, lane });
    await gate;
    signal?.throwIfAborted();
    if (down) throw new FleetFailure(BROKEN);
  };
  const fleet: FleetListReader = {
    async *devices(_query, options) {
      const visited = new Set<DeviceId>();
      for (let page = 0; ; page += 1) {
        await ask('devices', options);
        const all = listed.devices?.([...devices.values()]) ?? [...devices.values()];
        const deletedIds = page === 0 ? [...markedDeleted] : [];
        const rows = all.slice(page * PAGE, (page + 1) * PAGE).filter(({ id }) => !visited.has(id));
        for (const { id } of rows) visited.add(id);
        yield { rows, total: all.length, unreadable: 0, deletedIds, ...listed.more };
        if ((page + 1) * PAGE >= all.length) return;
      }
    },
    async device(id, options) {
      await ask('device', options);
      return there(devices.get(id));
    },
    async *groups(options): AsyncIterable<FleetPage<Group>> {
      await ask('groups', options);
      const all = [...groups.values()];
      const rows = typeof listed.groups === 'function' ? listed.groups(all) : all.slice(0, listed.groups);
      yield { rows, total: null, unreadable: 0 };
    },
    async group(id, options) {
      await ask('group', options);
      return there(groups.get(id));
    },
    async *policies(options) {
      await ask('policies', options);
      yield { rows: [...policies.values()].slice(0, listed.policies), total: null, unreadable: 0 };
    },
    async policy(id, options) {
      await ask('policy', options);
      return there(policies.get(id));
    },
  };
  return {
    fleet,
    devices,
    groups,
    policies,
    requests,
    /** What its lists show from now on; what they do not show is there all the same. */
    list: (next: Listed) => {
      listed = next;
    },
    count: (what: string) => requests.filter((request) => request.what === what).length,
    /** The service keeps the record and marks it as deleted. */
    markDeleted: (id: DeviceId) => {
      devices.delete(id);
      markedDeleted.add(id);
    },
    setDown: (is: boolean) => {
      down = is;
    },
    /** Requests from now on get no answer until the returned function is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}

/** Lets everything run that only waits for its turn. */
export async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await setImmediate();
}
