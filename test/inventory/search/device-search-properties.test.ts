import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInterner, toIndexedDevice } from '../../../src/inventory/device-index/indexed-device.ts';
import { createRowStore, type RowStore } from '../../../src/inventory/device-index/row-store.ts';
import { searchDevices } from '../../../src/inventory/search/device-search.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { device } from '../row-store-builders.ts';

/** Devices and words with much in common, so that many match. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'w', 'e', '1', '0', '-', '.', '%', ' '), maxLength: 6 }),
  fc.constantFrom('web-01', 'kiosk-berlin', 'wbe-01', 'kisok', '10.0.1', '#1', '2', '10.0.1.0/28'),
);
type Change = { readonly id: number; readonly name: string | null; readonly user: string };
const change: fc.Arbitrary<Change> = fc.record({
  id: fc.integer({ min: 1, max: 30 }),
  name: fc.option(text),
  user: text,
});
const changes = fc.array(change, { maxLength: 25 });
/** Applies the changes in order; without a name the device is removed. */
const apply = (to: RowStore, all: readonly Change[]): void => {
  for (const { id, name, user } of all) {
    const personal = { lastLoggedInUser: user, privateAddresses: [`10.0.1.${id}`] };
    if (name === null) to.remove(deviceId(id));
    else to.put(toIndexedDevice(device(id, name, personal), createInterner()));
  }
};
const queries = fc.array(fc.oneof(text, fc.array(text, { maxLength: 3 })), { maxLength: 3 });
const foundBy = fc.constantFrom({}, { namesOnly: true } as const);

describe('searching any devices for any words', () => {
  it('finds the same whatever was searched and changed before', () => {
    fc.assert(
      fc.property(
        changes,
        changes,
        fc.array(fc.tuple(queries, foundBy), { maxLength: 4 }),
        (first, then, all) => {
          const [used, fresh] = [createRowStore(), createRowStore()];
          apply(used, first);
          for (const [words, by] of all) searchDevices(used, words, by);
          apply(used, then);
          apply(fresh, [...first, ...then]);
          for (const [words, by] of all)
            expect(searchDevices(used, words, by)).toEqual(searchDevices(fresh, words, by));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('returns only the first ones with a limit', () => {
    fc.assert(
      fc.property(changes, queries, foundBy, fc.nat(6), (all, words, by, limit) => {
        const some = createRowStore();
        apply(some, all);
        const first = searchDevices(some, words, { ...by, limit }).devices.slice(0, limit);
        expect(first).toEqual(searchDevices(some, words, by).devices.slice(0, limit));
      }),
      { numRuns: 300 },
    );
  });

  it('finds for alternatives what each word finds, and similar names only if there is nothing else', () => {
    fc.assert(
      fc.property(changes, fc.array(text, { minLength: 2, maxLength: 3 }), (all, words) => {
        const some = createRowStore();
        apply(some, all);
        const each = words.filter((word) => word.trim() !== '').map((word) => searchDevices(some, [word]));
        fc.pre(each.length > 0);
        const exact = each.filter(({ isApproximate, devices }) => !isApproximate && devices.length > 0);
        const expected = new Set((exact.length > 0 ? exact : each).flatMap(({ devices }) => devices));
        expect(new Set(searchDevices(some, [words]).devices)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
