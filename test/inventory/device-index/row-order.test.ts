import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInterner, toIndexedDevice } from '../../../src/inventory/device-index/indexed-device.ts';
import {
  compareNormalizedNames,
  mergeIntoOrder,
  sortKeyOfName,
  sortSlots,
} from '../../../src/inventory/device-index/row-store.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { aDevice } from '../../harness/builders.ts';
import { runs } from '../../harness/runs.ts';

const part = fc.constantFrom(
  'web-',
  'web',
  '-',
  'é',
  '0',
  '2',
  '10',
  '007',
  '123456789012',
  '1234567890123',
  'z',
);
const name = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));

describe('the order of names', () => {
  it('sorts numbers by their value', () => {
    const names = ['web-10', 'web', 'web-9', 'web-2b', 'web-02a', 'db-3'];
    expect(names.toSorted(compareNormalizedNames)).toEqual([
      'db-3',
      'web',
      'web-02a',
      'web-2b',
      'web-9',
      'web-10',
    ]);
  });

  it('is the order of their keys', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        const [one, two] = [sortKeyOfName(a), sortKeyOfName(b)];
        expect(Math.sign(compareNormalizedNames(a, b))).toBe(one < two ? -1 : Number(one > two));
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('stays the same however rows come and go', () => {
    const shared = createInterner();
    const device = fc.tuple(name, fc.option(name), fc.boolean(), fc.boolean());
    fc.assert(
      fc.property(fc.array(device, { maxLength: 30 }), (entries) => {
        const rows = entries.map(([host, customName], at) =>
          toIndexedDevice(aDevice({ id: deviceId(at + 1), name: host, customName }), shared),
        );
        const rowAt = (place: number) => rows[place];
        const places = (wanted: (index: number) => boolean) => [...rows.keys()].filter(wanted);
        const old = Uint32Array.from(
          sortSlots(
            places((at) => entries[at]?.[2] === true),
            rowAt,
          ),
        );
        const gone = new Set([...old.keys()].filter((at) => entries[old[at] ?? 0]?.[3] === true));
        const fresh = sortSlots(
          places((at) => entries[at]?.[2] !== true),
          rowAt,
        );
        const left = places((at) => entries[at]?.[2] !== true || entries[at]?.[3] !== true);
        const list = { slots: old, count: old.length };
        mergeIntoOrder(list, gone, fresh, rowAt);
        expect([...list.slots.subarray(0, list.count)]).toEqual(sortSlots(left, rowAt));
      }),
    );
  });
});
