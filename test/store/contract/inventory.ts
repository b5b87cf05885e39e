import { describe, expect, it } from 'vitest';
import { type DeviceId, deviceId } from '../../../src/ids.ts';
import { ORGANIZATION, OTHER_ORGANIZATION } from '../builders.ts';
import type { World } from '../world.ts';

const row = (id: number, body = `body ${id}`) => ({ deviceId: deviceId(id), body });

export function inventoryContract(world: () => World): void {
  const all = () => world().store.inventory.devices(null, 10_000);
  const empty = async () => world().store.inventory.dropDevices((await all()).map((one) => one.deviceId));

  describe('inventory', () => {
    it('knows nothing at first, then the facts that were set last', async () => {
      const { inventory } = world().store;
      expect(await inventory.facts()).toBeNull();
      for (const body of ['{"a":1}', '💥 "\\ ']) {
        await inventory.setFacts(body);
        expect(await inventory.facts()).toBe(body);
      }
    });

    it('gives devices by id, in parts', async () => {
      const { inventory } = world().store;
      await inventory.putDevices([row(3_000_000_000), row(7), row(5)]);
      expect(await inventory.devices(null, 2)).toEqual([row(5), row(7)]);
      expect(await inventory.devices(deviceId(7), 2)).toEqual([row(3_000_000_000)]);
      expect(await inventory.devices(deviceId(3_000_000_000), 2)).toEqual([]);
      await empty();
    });

    it('keeps the last of each device, in any number', async () => {
      const { inventory } = world().store;
      const ids = Array.from({ length: 2_500 }, (_, at) => at + 1);
      await inventory.putDevices(ids.map((id) => row(id, 'old')));
      await inventory.putDevices(ids.toReversed().map((id) => row(id, `${id}`)));
      expect(await all()).toEqual(ids.map((id) => row(id, `${id}`)));
      await inventory.dropDevices(ids.slice(1).map(deviceId));
      expect(await all()).toEqual([row(1, '1')]);
      await empty();
    });

    it('takes empty lists, and drops what is not there', async () => {
      const { inventory } = world().store;
      await inventory.putDevices([]);
      await inventory.dropDevices([]);
      await inventory.dropDevices([deviceId(404)]);
      expect(await all()).toEqual([]);
    });

    it('lets replicas write and drop the same devices at once, in any order', async () => {
      const stores = await world().replicas(4);
      const ids: readonly DeviceId[] = Array.from({ length: 200 }, (_, at) => deviceId(at + 1));
      const rows = ids.map((id) => row(id));
      await Promise.all(
        stores.flatMap(({ inventory }, at) => [
          inventory.putDevices(at % 2 === 0 ? rows : rows.toReversed()),
          inventory.dropDevices(at % 2 === 0 ? ids.slice(100) : ids.slice(100).toReversed()),
        ]),
      );
      expect((await all()).slice(0, 100)).toEqual(rows.slice(0, 100));
      await empty();
    });

    it('keeps organizations apart', async () => {
      await world().store.inventory.putDevices([row(1)]);
      await world().store.inventory.setFacts('ours');
      const other = await world().reopen(OTHER_ORGANIZATION);
      expect(await other.inventory.facts()).toBeNull();
      await other.inventory.putDevices([row(1, 'theirs'), row(2)]);
      await other.inventory.dropDevices([deviceId(2)]);
      const { inventory } = await world().reopen(ORGANIZATION);
      expect(await inventory.facts()).toBe('ours');
      expect(await all()).toEqual([row(1)]);
    });
  });
}
