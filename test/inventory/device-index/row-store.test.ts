import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Device } from '../../../src/fleet/model/resources.ts';
import { createInterner, toIndexedDevice } from '../../../src/inventory/device-index/indexed-device.ts';
import { createRowStore } from '../../../src/inventory/device-index/row-store.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { device, rowStoreOf } from '../row-store-builders.ts';

describe('the order of rows', () => {
  it('is the same whether they came at once or one by one, however often they changed', () => {
    const change = fc.tuple(
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('web-2', 'web-10', 'Web-1', 'a', '', null),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const gradual = createRowStore();
        const shared = createInterner();
        const last = new Map<number, Device>();
        for (const [id, name] of changes) {
          if (name === null) {
            gradual.remove(deviceId(id));
            last.delete(id);
          } else {
            last.set(id, device(id, name));
            gradual.put(toIndexedDevice(device(id, name), shared));
          }
          gradual.ordered();
        }
        const order = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
        expect(order(gradual.ordered().rows)).toEqual(order(rowStoreOf([...last.values()]).ordered().rows));
      }),
    );
  });
});
