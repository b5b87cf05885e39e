import { describe, expect, it } from 'vitest';
import { FleetFailure } from '../../../src/fleet/fleet.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { aDevice, anEvent, START } from '../../harness/builders.ts';
import { settlePromises } from '../changing-fleet.ts';
import { aStore, createIndexSetup, deviceRemovedEvent, manyDevices } from '../index-setup.ts';

describe('a restart', () => {
  it('finds devices, groups and their age before any request, even while the service is down', async () => {
    const store = await aStore();
    const first = createIndexSetup(manyDevices(3), store);
    await first.inventory.start();
    await settlePromises();
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
    const first = createIndexSetup(manyDevices(3), store);
    await first.inventory.start();
    await settlePromises();
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
