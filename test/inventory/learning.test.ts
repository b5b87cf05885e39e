import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR, later } from '../../src/clock.ts';
import { deviceId, groupId } from '../../src/ids.ts';
import { aDevice, aGroup, anEvent, START } from '../harness/builders.ts';
import { added, aWorld, many, namesIn, removed } from './kept-world.ts';
import { settle } from './living-fleet.ts';

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
