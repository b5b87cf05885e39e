import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createManualClock, HOUR, later, MINUTE, SECOND } from '../../src/clock.ts';
import { FleetFailure } from '../../src/fleet/fleet.ts';
import type { Device, FleetEvent } from '../../src/fleet/model.ts';
import { deviceId, eventId, groupId, organizationId } from '../../src/ids.ts';
import { createInventory } from '../../src/inventory/directory.ts';
import type { InventoryService } from '../../src/inventory/inventory.ts';
import { openStore } from '../../src/store/open.ts';
import { aDevice, aGroup, anEvent, START } from '../harness/builders.ts';
import { createLivingFleet, settle } from './living-fleet.ts';

const many = (count: number): readonly Device[] =>
  Array.from({ length: count }, (_, at) => aDevice({ id: deviceId(at + 1), name: `pc-${at + 1}` }));
const added = (id: number, device: number): FleetEvent =>
  anEvent({ id: eventId(id), name: 'system.add', deviceId: deviceId(device), createTime: null });
const removed = (id: number, device: number): FleetEvent => ({ ...added(id, device), name: 'system.delete' });

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
});

async function aStore() {
  const database = { kind: 'sqlite', path: ':memory:' } as const;
  const store = await openStore({ database, organizationId: organizationId(7) });
  ends.push(store.close);
  return store.inventory;
}

function aWorld(content: readonly Device[], store?: Awaited<ReturnType<typeof aStore>>) {
  const clock = createManualClock(START);
  const groups = [aGroup({ id: groupId(20), name: 'Linux servers' })];
  const living = createLivingFleet(clock, content, groups);
  const inventory = createInventory({
    fleet: living.fleet,
    clock,
    ...(store === undefined ? {} : { store }),
  });
  ends.push(inventory.stop);
  /** Moves the clock in small steps, so that what waits for each other can go on in between. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= SECOND) {
      await clock.advance(Math.min(left, SECOND));
      await settle();
    }
  };
  return { clock, living, inventory, pass };
}

async function namesIn(inventory: InventoryService): Promise<readonly string[]> {
  return (await inventory.snapshot()).devices.map(({ name }) => name);
}

describe('keeping the index fresh', () => {
  it('reads the fleet at the start, in the background, and then at its pace', async () => {
    const { living, inventory, pass } = aWorld(many(3));
    await inventory.start();
    await settle();
    expect(living.requests.map(({ what }) => what).toSorted()).toEqual(['devices', 'groups', 'policies']);
    await pass(15 * MINUTE - SECOND);
    expect(living.requests).toHaveLength(3);
    await pass(SECOND);
    expect(living.requests).toHaveLength(6);
    expect(new Set(living.requests.map(({ lane }) => lane))).toEqual(new Set(['background']));
  });

  it('spends what it says on ten thousand devices, and half of what is allowed in any minute', async () => {
    const { living, inventory, pass } = aWorld(many(10_000));
    await inventory.start();
    await pass(10 * MINUTE);
    const before = living.requests.length;
    await pass(HOUR);
    const spent = living.requests.slice(before);
    expect(spent.length).toBeLessThanOrEqual(88);
    expect(spent.length).toBeGreaterThanOrEqual(66);
    const lists = spent.filter(({ what }) => what === 'devices');
    const within = lists.map(
      ({ at }) => lists.filter((other) => other.at >= at && other.at < at + MINUTE).length,
    );
    expect(Math.max(...within)).toBeLessThanOrEqual(15);
  }, 60_000);

  it('tries again some minutes after a walk that failed, and no sooner', async () => {
    const { living, inventory, pass } = aWorld(many(3));
    living.setDown(true);
    await inventory.start();
    await pass(5 * MINUTE - SECOND);
    expect(living.count('devices')).toBe(1);
    living.setDown(false);
    await pass(2 * SECOND);
    expect(await namesIn(inventory)).toHaveLength(3);
  });

  it('answers from a large index at once and reads behind, sparingly', async () => {
    const { clock, living, inventory, pass } = aWorld(many(5_000));
    await inventory.start();
    await pass(MINUTE);
    const { asOf } = await inventory.snapshot({ lane: 'person' });
    expect(asOf).toBe(START);
    await pass(5 * MINUTE);
    const release = living.hold();
    const before = living.count('devices');
    expect((await inventory.snapshot({ lane: 'person' })).asOf).toBe(START);
    expect((await inventory.snapshot({ lane: 'person' })).asOf).toBe(START);
    await settle();
    expect(living.count('devices')).toBe(before + 1);
    release();
    await pass(MINUTE);
    expect((await inventory.snapshot({ lane: 'person' })).asOf).toBeGreaterThan(clock.now() - 3 * MINUTE);
  });

  it('lets somebody who asks for it wait for all of a large fleet, without pauses and shared by all', async () => {
    const { living, inventory, pass } = aWorld(many(5_000));
    await inventory.start();
    await pass(MINUTE);
    const before = living.count('devices');
    const asked = [1, 2, 3].map(() => inventory.snapshot({ lane: 'person', refresh: true }));
    await Promise.all(asked);
    expect(living.count('devices')).toBe(before + 10);
  });

  it('stops in the middle of a walk', async () => {
    const { living, inventory } = aWorld(many(5_000));
    await inventory.start();
    const release = living.hold();
    const stopped = inventory.stop();
    release();
    await stopped;
    expect(living.count('devices')).toBeLessThanOrEqual(11);
  });
});

describe('a first walk', () => {
  it('gives a part of a large fleet, and says so, until all of it was read', async () => {
    const { living, inventory } = aWorld(many(5_000));
    await inventory.start();
    const first = await inventory.snapshot({ lane: 'person' });
    expect(first).toMatchObject({ partial: { of: 5_000 }, asOf: START });
    expect(first.devices.length).toBeGreaterThanOrEqual(500);
    await settle();
    expect(living.count('devices')).toBe(10);
    expect(await inventory.snapshot({ lane: 'person' })).toMatchObject({ partial: null });
    expect((await inventory.snapshot()).devices).toHaveLength(5_000);
  });

  it('of a small fleet is waited for', async () => {
    const { inventory } = aWorld(many(1_200));
    await inventory.start();
    const { devices, partial } = await inventory.snapshot({ lane: 'person' });
    expect([devices.length, partial]).toEqual([1_200, null]);
  });
});

describe('events', () => {
  it('bring a device with one read, and take one away with none', async () => {
    const { living, inventory } = aWorld(many(3));
    await inventory.start();
    await settle();
    inventory.note([anEvent()]);
    living.devices.set(deviceId(9), aDevice({ id: deviceId(9), name: 'fresh-01' }));
    living.devices.delete(deviceId(2));
    living.requests.length = 0;
    inventory.note([removed(72, 2), added(71, 9)]);
    inventory.note([removed(72, 2), added(71, 9)]);
    await settle();
    expect(living.requests.map(({ what, lane }) => `${what} ${lane}`)).toEqual(['device background']);
    expect(await namesIn(inventory)).toEqual(['fresh-01', 'pc-1', 'pc-3']);
  });

  it('of before the start are history', async () => {
    const { living, inventory } = aWorld(many(3));
    await inventory.start();
    await settle();
    living.requests.length = 0;
    const old = later(START, -HOUR);
    inventory.note([
      { ...removed(71, 1), createTime: old },
      { ...added(72, 99), createTime: old },
    ]);
    await settle();
    expect(living.requests).toEqual([]);
    expect(await namesIn(inventory)).toHaveLength(3);
  });

  it('during a walk are not undone by a page that is older', async () => {
    const { living, inventory } = aWorld(many(3));
    await inventory.start();
    await settle();
    inventory.note([anEvent()]);
    const release = living.hold();
    const walk = inventory.snapshot({ refresh: true });
    await settle();
    inventory.note([removed(71, 2)]);
    release();
    await walk;
    expect(await namesIn(inventory)).toEqual(['pc-1', 'pc-3']);
  });

  it('give the same index as a walk', async () => {
    const change = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 8 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const { living, inventory } = aWorld(many(4));
        await inventory.start();
        await settle();
        inventory.note([anEvent()]);
        let id = 80_000;
        for (const [adds, device] of changes) {
          id += 1;
          if (adds)
            living.devices.set(deviceId(device), aDevice({ id: deviceId(device), name: `pc-${device}` }));
          else living.devices.delete(deviceId(device));
          inventory.note([adds ? added(id, device) : removed(id, device)]);
          await settle();
        }
        const told = await namesIn(inventory);
        expect(await inventory.snapshot({ refresh: true })).toMatchObject({
          devices: told.map((name) => ({ name })),
        });
      }),
      { numRuns: 25 },
    );
  });
});

describe('what was just read', () => {
  it('stands in the index at once', async () => {
    const { inventory } = aWorld(many(2));
    await inventory.snapshot();
    inventory.learn(aDevice({ id: deviceId(1), name: 'renamed', connected: false }));
    expect(await inventory.find('renamed')).toMatchObject({
      kind: 'one',
      device: { id: 1, connected: false },
    });
  });

  it('is a group too, but not where no others are known: it would pass for all of them', async () => {
    const { inventory } = aWorld(many(2));
    const made = aGroup({ id: groupId(77), name: 'Web' });
    inventory.learnGroup(made);
    expect(inventory.suggest('group', '', 9)).toEqual([]);
    await inventory.snapshot();
    inventory.learnGroup(made);
    inventory.learnGroup({ ...made, name: 'Shops' });
    expect(await inventory.groupName(groupId(77))).toBe('Shops');
    expect(inventory.suggest('group', '', 9)).toHaveLength(2);
  });

  it('is gone where the device says that it is deleted', async () => {
    const { inventory } = aWorld(many(2));
    await inventory.snapshot();
    inventory.learn(aDevice({ id: deviceId(1), deleted: true }));
    expect(await namesIn(inventory)).toEqual(['pc-2']);
  });
});

describe('a walk that misses a device', () => {
  it('asks for it by its id before it is taken away', async () => {
    const { living, inventory } = aWorld(many(3));
    await inventory.snapshot();
    inventory.learn(aDevice({ id: deviceId(50), name: 'unlisted' }));
    const read = living.fleet.device;
    Object.assign(living.fleet, {
      device: async (id: Device['id']) =>
        id === 50 ? aDevice({ id: deviceId(50), name: 'unlisted' }) : read(id),
    });
    living.devices.delete(deviceId(2));
    await inventory.snapshot({ refresh: true });
    expect(await namesIn(inventory)).toEqual(['pc-1', 'pc-3', 'unlisted']);
  });
});

describe('a restart', () => {
  it('finds devices, groups and their age before the service was asked, even while it is down', async () => {
    const store = await aStore();
    const first = aWorld(many(3), store);
    await first.inventory.start();
    await settle();
    first.inventory.learn(aDevice({ id: deviceId(1), name: 'renamed', serialNumber: 'ABC-1' }));
    await first.inventory.stop();

    const second = aWorld([], store);
    second.living.setDown(true);
    await second.inventory.start();
    expect(await second.inventory.find('abc-1')).toMatchObject({ kind: 'one', device: { name: 'renamed' } });
    expect(second.inventory.suggest('group', 'linux', 5)).toMatchObject([{ label: 'Linux servers' }]);
    await second.clock.advance(HOUR);
    expect(await second.inventory.snapshot({ lane: 'person' })).toMatchObject({
      asOf: START,
      overdue: true,
      partial: null,
      devices: [{ name: 'pc-2' }, { name: 'pc-3' }, { name: 'renamed' }],
    });
  });

  it('gives every row back as it was', async () => {
    const store = await aStore();
    const odd = [
      aDevice({ id: deviceId(1), name: '', customName: '💥 "\\ ', tags: [], groupId: null, connected: null }),
      aDevice({
        id: deviceId(2),
        name: 'Zürich\u0007',
        pendingPatches: null,
        osName: null,
        needsReboot: null,
      }),
      aDevice({
        id: deviceId(3),
        compliant: true,
        exception: true,
        needsAttention: true,
        tags: ['a', 'b c'],
      }),
    ];
    const first = aWorld(odd, store);
    await first.inventory.start();
    await settle();
    const { devices } = await first.inventory.snapshot();
    await first.inventory.stop();
    const second = aWorld([], store);
    second.living.setDown(true);
    await second.inventory.start();
    expect((await second.inventory.snapshot()).devices).toEqual(devices);
  });

  it('forgets what was removed', async () => {
    const store = await aStore();
    const first = aWorld(many(3), store);
    await first.inventory.start();
    await settle();
    first.inventory.note([anEvent()]);
    first.living.devices.delete(deviceId(2));
    first.inventory.note([removed(71, 2)]);
    first.living.devices.delete(deviceId(3));
    await first.inventory.snapshot({ refresh: true });
    await first.inventory.stop();
    expect((await store.devices(null, 10)).map((row) => row.deviceId)).toEqual([1]);
  });

  it('finds rows that were kept in the form of before, and writes them anew', async () => {
    const store = await aStore();
    const body = JSON.stringify([
      ...['old-01', null, 20, ['Linux', null, null], ['web'], [true, null, null, null, null, null], 0],
      ...['old-01\n\n\n', ['1.0', null, '', null]],
    ]);
    await store.putDevices([{ deviceId: deviceId(1), body }]);
    const { living, inventory } = aWorld([], store);
    living.setDown(true);
    await inventory.start();
    expect(inventory.suggest('device', 'old', 5)).toMatchObject([{ id: 1, label: 'old-01' }]);
    await inventory.stop();
    expect(await store.devices(null, 10)).toMatchObject([
      { deviceId: 1, body: expect.stringContaining('?') },
    ]);
  });

  it('leaves out what it cannot read, and begins anew where nothing can be read', async () => {
    const store = await aStore();
    await store.setFacts('{"asOf":"yesterday"}');
    await store.putDevices([{ deviceId: deviceId(1), body: 'not JSON' }]);
    const { living, inventory } = aWorld(many(1), store);
    living.setDown(true);
    await inventory.start();
    await expect(inventory.snapshot()).rejects.toThrow(FleetFailure);
  });
});
