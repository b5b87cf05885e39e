import { describe, expect, it } from 'vitest';
import { type DeviceId, deviceId } from '../../../src/lib/ids.ts';
import { ORGANIZATION, OTHER_ORGANIZATION } from '../builders.ts';
import type { StoreSetup } from '../store-setup.ts';

const row = (id: number, body = `body ${id}`) => ({ deviceId: deviceId(id), body });

export function inventoryContract(world: () => StoreSetup): void {
  const all = () => world().store.inventory.devices.list(null, 10_000);
  const empty = async () => world().store.inventory.devices.drop((await all()).map((one) => one.deviceId));

  describe('inventory', () => {
    it('is empty at first, then has the facts that were set last', async () => {
      const { inventory } = world().store;
      expect(await inventory.facts()).toBeNull();
      for (const body of ['{"a":1}', '💥 "\\ ']) {
        await inventory.setFacts(body);
        expect(await inventory.facts()).toBe(body);
      }
    });

    it('lists devices by id, in parts', async () => {
      const { inventory } = world().store;
      await inventory.devices.put([row(3_000_000_000), row(7), row(5)]);
      expect(await inventory.devices.list(null, 2)).toEqual([row(5), row(7)]);
      expect(await inventory.devices.list(deviceId(7), 2)).toEqual([row(3_000_000_000)]);
      expect(await inventory.devices.list(deviceId(3_000_000_000), 2)).toEqual([]);
      await empty();
    });

    it('keeps the last text of each device, in any number', async () => {
      const { inventory } = world().store;
      const ids = Array.from({ length: 2_500 }, (_, at) => at + 1);
      await inventory.devices.put(ids.map((id) => row(id, 'old')));
      await inventory.devices.put(ids.toReversed().map((id) => row(id, `${id}`)));
      expect(await all()).toEqual(ids.map((id) => row(id, `${id}`)));
      await inventory.devices.drop(ids.slice(1).map(deviceId));
      expect(await all()).toEqual([row(1, '1')]);
      await empty();
    });

    it('accepts empty lists, and dropping unknown devices', async () => {
      const { inventory } = world().store;
      await inventory.devices.put([]);
      await inventory.devices.drop([]);
      await inventory.devices.drop([deviceId(404)]);
      expect(await all()).toEqual([]);
    });

    it('lets replicas write and drop the same devices at once, in any order', async () => {
      const stores = await world().replicas(4);
      const ids: readonly DeviceId[] = Array.from({ length: 200 }, (_, at) => deviceId(at + 1));
      const rows = ids.map((id) => row(id));
      await Promise.all(
        stores.flatMap(({ inventory }, at) => [
          inventory.devices.put(at % 2 === 0 ? rows : rows.toReversed()),
          inventory.devices.drop(at % 2 === 0 ? ids.slice(100) : ids.slice(100).toReversed()),
        ]),
      );
      expect((await all()).slice(0, 100)).toEqual(rows.slice(0, 100));
      await empty();
    });

    it('keeps missing patches separate from devices', async () => {
      const { devices, missingPatches } = world().store.inventory;
      await devices.put([row(1)]);
      await missingPatches.put([row(1, 'misses'), row(2, '💥 "\\ ')]);
      expect(await all()).toEqual([row(1)]);
      expect(await missingPatches.list(null, 10)).toEqual([row(1, 'misses'), row(2, '💥 "\\ ')]);
      await devices.drop([deviceId(1)]);
      expect(await missingPatches.list(deviceId(1), 10)).toEqual([row(2, '💥 "\\ ')]);
      await missingPatches.drop([deviceId(1), deviceId(2)]);
      expect(await missingPatches.list(null, 10)).toEqual([]);
    });

    it('keeps organizations separate', async () => {
      await world().store.inventory.devices.put([row(1)]);
      await world().store.inventory.setFacts('ours');
      const other = await world().reopen(OTHER_ORGANIZATION);
      expect(await other.inventory.facts()).toBeNull();
      await other.inventory.devices.put([row(1, 'theirs'), row(2)]);
      await other.inventory.devices.drop([deviceId(2)]);
      const { inventory } = await world().reopen(ORGANIZATION);
      expect(await inventory.facts()).toBe('ours');
      expect(await all()).toEqual([row(1)]);
    });
  });
}
