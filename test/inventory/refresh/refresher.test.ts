import { describe, expect, it } from 'vitest';
import type { Device } from '../../../src/fleet/model/resources.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { settlePromises } from '../changing-fleet.ts';
import { createIndexSetup, manyDevices, namesIn } from '../index-setup.ts';

describe('keeping the index fresh', () => {
  it('reads the fleet at the start, in the background, and then on schedule', async () => {
    const { living, inventory, pass } = createIndexSetup(manyDevices(3));
    await inventory.start();
    await settlePromises();
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
