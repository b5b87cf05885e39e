import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FleetFailure } from '../../../src/fleet/fleet.ts';
import type { Device } from '../../../src/fleet/model/resources.ts';
import { SMALL_FLEET, walkIntervalMs } from '../../../src/inventory/refresh/refresher.ts';
import { HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { LIST_PAGE, PAGE_PAUSE_MS } from '../../../src/lib/lists.ts';
import { POLL_INTERVAL_MS } from '../../../src/watch/poll-loop.ts';
import { aDevice, aGroup, anEvent, START } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';
import {
  aStore,
  createIndexSetup,
  deviceAddedEvent,
  deviceRemovedEvent,
  manyDevices,
  namesIn,
  settlePromises,
  startedIndex,
} from '../index-setup.ts';

describe('keeping the index fresh', () => {
  it('reads the fleet at the start, in the background, and then on schedule', async () => {
    const { living, pass } = await startedIndex(3);
    expect(living.requests.map(({ what }) => what).toSorted()).toEqual(['devices', 'groups', 'policies']);
    await pass(15 * MINUTE - SECOND);
    expect(living.requests).toHaveLength(3);
    await pass(SECOND);
    expect(living.requests).toHaveLength(6);
    expect(new Set(living.requests.map(({ lane }) => lane))).toEqual(new Set(['background']));
  });

  it('costs what its table says for ten thousand devices, and half of what is allowed in any minute', async () => {
    const { living, inventory, pass } = createIndexSetup(manyDevices(10_000));
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

  it('tries again some minutes after a failed walk, and no sooner', async () => {
    const { living, inventory, pass } = createIndexSetup(manyDevices(3));
    living.setDown(true);
    await inventory.start();
    await pass(5 * MINUTE - SECOND);
    expect(living.count('devices')).toBe(1);
    living.setDown(false);
    await pass(2 * SECOND);
    expect(await namesIn(inventory)).toHaveLength(3);
  });

  it('answers from a large index at once and refreshes it sparingly in the background', async () => {
    const { clock, living, inventory, pass } = createIndexSetup(manyDevices(5_000));
    await inventory.start();
    await pass(MINUTE);
    const { asOf } = await inventory.snapshot({ lane: 'person' });
    expect(asOf).toBe(START);
    await pass(5 * MINUTE);
    const release = living.hold();
    const before = living.count('devices');
    expect((await inventory.snapshot({ lane: 'person' })).asOf).toBe(START);
    expect((await inventory.snapshot({ lane: 'person' })).asOf).toBe(START);
    await settlePromises();
    expect(living.count('devices')).toBe(before + 1);
    release();
    await pass(MINUTE);
    expect((await inventory.snapshot({ lane: 'person' })).asOf).toBeGreaterThan(clock.now() - 3 * MINUTE);
  });

  it('walks all of a large fleet on request, without pauses and shared by all callers', async () => {
    const { living, inventory, pass } = createIndexSetup(manyDevices(5_000));
    await inventory.start();
    await pass(MINUTE);
    const before = living.count('devices');
    const snapshots = [1, 2, 3].map(() => inventory.snapshot({ lane: 'person', refresh: true }));
    await Promise.all(snapshots);
    expect(living.count('devices')).toBe(before + 10);
  });

  it('stops in the middle of a walk', async () => {
    const { living, inventory } = createIndexSetup(manyDevices(5_000));
    await inventory.start();
    const release = living.hold();
    const stopped = inventory.stop();
    release();
    await stopped;
    expect(living.count('devices')).toBeLessThanOrEqual(11);
  });
});

describe('a first walk', () => {
  it('returns a part of a large fleet, marked as such, until all of it was read', async () => {
    const { living, inventory } = createIndexSetup(manyDevices(5_000));
    await inventory.start();
    const first = await inventory.snapshot({ lane: 'person' });
    expect(first).toMatchObject({ partial: { of: 5_000 }, asOf: START });
    expect(first.devices.length).toBeGreaterThanOrEqual(500);
    await settlePromises();
    expect(living.count('devices')).toBe(10);
    expect(await inventory.snapshot({ lane: 'person' })).toMatchObject({ partial: null });
    expect((await inventory.snapshot()).devices).toHaveLength(5_000);
  });

  it('of a small fleet is awaited', async () => {
    const { inventory } = createIndexSetup(manyDevices(1_200));
    await inventory.start();
    const { devices, partial } = await inventory.snapshot({ lane: 'person' });
    expect([devices.length, partial]).toEqual([1_200, null]);
  });
});

describe('a walk that finds a device marked as deleted', () => {
  it('removes it without asking for it', async () => {
    const { living, inventory } = createIndexSetup(manyDevices(3));
    await inventory.snapshot();
    living.markDeleted(deviceId(2));
    expect((await inventory.snapshot({ refresh: true })).devices.map(({ id }) => id)).toEqual([1, 3]);
    expect(living.count('device')).toBe(0);
  });
});

describe('a walk that misses a device', () => {
  it('reads it by its id before removing it', async () => {
    const { living, inventory } = createIndexSetup(manyDevices(3));
    await inventory.snapshot();
    inventory.learnDevice(aDevice({ id: deviceId(50), name: 'unlisted' }));
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

describe('events', () => {
  it('add a device with one read, and remove one without', async () => {
    const { living, inventory } = await startedIndex(3);
    inventory.noteEvents([anEvent()]);
    living.devices.set(deviceId(9), aDevice({ id: deviceId(9), name: 'fresh-01' }));
    living.devices.delete(deviceId(2));
    living.requests.length = 0;
    inventory.noteEvents([deviceRemovedEvent(72, 2), deviceAddedEvent(71, 9)]);
    inventory.noteEvents([deviceRemovedEvent(72, 2), deviceAddedEvent(71, 9)]);
    await settlePromises();
    expect(living.requests.map(({ what, lane }) => `${what} ${lane}`)).toEqual(['device background']);
    expect(await namesIn(inventory)).toEqual(['fresh-01', 'pc-1', 'pc-3']);
  });

  it('from before the start are history', async () => {
    const { living, inventory } = await startedIndex(3);
    living.requests.length = 0;
    const old = later(START, -HOUR);
    inventory.noteEvents([
      { ...deviceRemovedEvent(71, 1), createTime: old },
      { ...deviceAddedEvent(72, 99), createTime: old },
    ]);
    await settlePromises();
    expect(living.requests).toEqual([]);
    expect(await namesIn(inventory)).toHaveLength(3);
  });

  it('during a walk are not undone by an older page', async () => {
    const { living, inventory } = await startedIndex(3);
    inventory.noteEvents([anEvent()]);
    const release = living.hold();
    const walk = inventory.snapshot({ refresh: true });
    await settlePromises();
    inventory.noteEvents([deviceRemovedEvent(71, 2)]);
    release();
    await walk;
    expect(await namesIn(inventory)).toEqual(['pc-1', 'pc-3']);
  });

  const change = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 8 }));
  property([fc.array(change, { maxLength: 12 })], { numRuns: 25 })(
    'give the same index as a walk',
    async (changes) => {
      const { living, inventory } = await startedIndex(4);
      inventory.noteEvents([anEvent()]);
      let id = 80_000;
      for (const [adds, device] of changes) {
        id += 1;
        if (adds)
          living.devices.set(deviceId(device), aDevice({ id: deviceId(device), name: `pc-${device}` }));
        else living.devices.delete(deviceId(device));
        inventory.noteEvents([adds ? deviceAddedEvent(id, device) : deviceRemovedEvent(id, device)]);
        await settlePromises();
      }
      const eventNames = await namesIn(inventory);
      expect(await inventory.snapshot({ refresh: true })).toMatchObject({
        devices: eventNames.map((name) => ({ name })),
      });
    },
  );
});

describe('a device or group that was just read', () => {
  it('is in the index at once', async () => {
    const { inventory } = createIndexSetup(manyDevices(2));
    await inventory.snapshot();
    inventory.learnDevice(aDevice({ id: deviceId(1), name: 'renamed', connected: false }));
    expect(await inventory.find('renamed')).toMatchObject({
      kind: 'one',
      device: { id: 1, connected: false },
    });
  });

  it('is not added as the only group, which would pass for all of them', async () => {
    const { inventory } = createIndexSetup(manyDevices(2));
    const made = aGroup({ id: groupId(77), name: 'Web' });
    inventory.learnGroup(made);
    expect(inventory.suggest('group', '', 9)).toEqual([]);
    await inventory.snapshot();
    inventory.learnGroup(made);
    inventory.learnGroup({ ...made, name: 'Shops' });
    expect(await inventory.groupName(groupId(77))).toBe('Shops');
    expect(inventory.suggest('group', '', 9)).toHaveLength(2);
  });

  it('is removed when it was removed', async () => {
    const { inventory } = createIndexSetup(manyDevices(2));
    await inventory.snapshot();
    inventory.forgetDevice(deviceId(1));
    expect(await namesIn(inventory)).toEqual(['pc-2']);
  });
});

const ROOT = new URL('../../../', import.meta.url);
/** One page of groups and one of policies. */
const BESIDES = 2;

/**
 * The cost of keeping this many devices in the index, as in the tables of `test/bench/README.md` and
 * `refresher.ts`.
 */
function costs(devices: number) {
  const pages = Math.ceil(devices / LIST_PAGE);
  const requests = pages + BESIDES;
  const walkMs = devices > SMALL_FLEET ? pages * PAGE_PAUSE_MS : 0;
  const oldestMs = walkIntervalMs(devices) + walkMs;
  return {
    pages,
    oldest: `${Math.ceil(oldestMs / MINUTE)} min`,
    hourly: Math.ceil((requests * HOUR) / oldestMs).toLocaleString('en'),
    naive: ((requests * HOUR) / POLL_INTERVAL_MS).toLocaleString('en'),
  };
}

describe('the cost of a fresh index', () => {
  it.each(['test/bench/README.md', 'src/inventory/refresh/refresher.ts'])(
    'is in %s as computed by the code',
    (file) => {
      const text = readFileSync(new URL(file, ROOT), 'utf8');
      for (const devices of [240, 10_000, 100_000]) {
        const { pages, oldest, hourly, naive } = costs(devices);
        const row = [devices.toLocaleString('en'), pages, oldest, hourly, naive].map(
          (cell) => `\\s*${cell}\\s*`,
        );
        expect(text).toMatch(new RegExp(`\\|${row.join('\\|')}\\|`));
      }
    },
  );

  it('stays below half of what the service allows, however large the fleet', () => {
    for (const devices of [1, 2_001, 10_000, 100_000, 1_000_000]) {
      expect(PAGE_PAUSE_MS).toBeGreaterThanOrEqual((2 * MINUTE) / 30);
      expect(walkIntervalMs(devices)).toBeGreaterThanOrEqual(Math.ceil(devices / LIST_PAGE) * 30 * SECOND);
    }
  });
});

describe('a restart', () => {
  it('finds devices, groups and their age before any request, even while the service is down', async () => {
    const store = await aStore();
    const first = await startedIndex(3, store);
    first.inventory.learnDevice(aDevice({ id: deviceId(1), name: 'renamed', serialNumber: 'ABC-1' }));
    await first.inventory.stop();

    const second = createIndexSetup([], store);
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

  it('restores every row unchanged', async () => {
    const store = await aStore();
    const odd = [
      aDevice({ id: deviceId(1), name: '', customName: '💥 "\\ ', tags: [], groupId: null, connected: null }),
      aDevice({
        id: deviceId(2),
        name: 'Zürich\u0007',
        pendingPatches: null,
        patches: null,
        osName: null,
        needsReboot: null,
      }),
      aDevice({
        id: deviceId(3),
        compliant: true,
        patches: 0,
        exception: true,
        needsAttention: true,
        tags: ['a', 'b c'],
      }),
    ];
    const first = createIndexSetup(odd, store);
    await first.inventory.start();
    await settlePromises();
    const { devices } = await first.inventory.snapshot();
    await first.inventory.stop();
    const second = createIndexSetup([], store);
    second.living.setDown(true);
    await second.inventory.start();
    expect((await second.inventory.snapshot()).devices).toEqual(devices);
  });

  it('forgets removed devices', async () => {
    const store = await aStore();
    const first = await startedIndex(3, store);
    first.inventory.noteEvents([anEvent()]);
    first.living.devices.delete(deviceId(2));
    first.inventory.noteEvents([deviceRemovedEvent(71, 2)]);
    first.living.devices.delete(deviceId(3));
    await first.inventory.snapshot({ refresh: true });
    await first.inventory.stop();
    expect((await store.devices.list(null, 10)).map((row) => row.deviceId)).toEqual([1]);
  });

  it('reads the fleet again where rows have another format, and takes no part of it for the whole', async () => {
    const store = await aStore();
    const first = createIndexSetup(manyDevices(3), store);
    await first.inventory.start();
    await first.inventory.snapshot({ refresh: true });
    await first.inventory.stop();
    await store.devices.put([{ deviceId: deviceId(2), body: '["old-02",null,20,["Linux",null,null]]' }]);
    const offline = createIndexSetup([], store);
    offline.living.setDown(true);
    await offline.inventory.start();
    await expect(offline.inventory.snapshot()).rejects.toThrow(FleetFailure);
    await offline.inventory.stop();
    const online = createIndexSetup(manyDevices(3), store);
    await online.inventory.start();
    expect((await online.inventory.snapshot()).devices).toHaveLength(3);
    await online.inventory.stop();
    const again = createIndexSetup([], store);
    again.living.setDown(true);
    await again.inventory.start();
    expect((await again.inventory.snapshot()).devices).toHaveLength(3);
  });

  it('skips unreadable rows, and starts empty when nothing can be read', async () => {
    const store = await aStore();
    await store.setFacts('{"asOf":"yesterday"}');
    await store.devices.put([{ deviceId: deviceId(1), body: 'not JSON' }]);
    const { living, inventory } = createIndexSetup(manyDevices(1), store);
    living.setDown(true);
    await inventory.start();
    await expect(inventory.snapshot()).rejects.toThrow(FleetFailure);
  });
});
