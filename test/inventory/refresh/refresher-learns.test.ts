import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR, later } from '../../../src/lib/clock.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup, anEvent, START } from '../../harness/builders.ts';
import { settlePromises } from '../changing-fleet.ts';
import {
  createIndexSetup,
  deviceAddedEvent,
  deviceRemovedEvent,
  manyDevices,
  namesIn,
} from '../index-setup.ts';

describe('events', () => {
  it('add a device with one read, and remove one without', async () => {
    const { living, inventory } = createIndexSetup(manyDevices(3));
    await inventory.start();
    await settlePromises();
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
    const { living, inventory } = createIndexSetup(manyDevices(3));
    await inventory.start();
    await settlePromises();
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
    const { living, inventory } = createIndexSetup(manyDevices(3));
    await inventory.start();
    await settlePromises();
    inventory.noteEvents([anEvent()]);
    const release = living.hold();
    const walk = inventory.snapshot({ refresh: true });
    await settlePromises();
    inventory.noteEvents([deviceRemovedEvent(71, 2)]);
    release();
    await walk;
    expect(await namesIn(inventory)).toEqual(['pc-1', 'pc-3']);
  });

  it('give the same index as a walk', async () => {
    const change = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 8 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const { living, inventory } = createIndexSetup(manyDevices(4));
        await inventory.start();
        await settlePromises();
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
      }),
      { numRuns: 25 },
    );
  });
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
