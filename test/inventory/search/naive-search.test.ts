import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInterner, toIndexedDevice } from '../../../src/inventory/device-index/indexed-device.ts';
import { createRowStore } from '../../../src/inventory/device-index/row-store.ts';
import { searchDevices } from '../../../src/inventory/search/device-search.ts';
import { normalizeField } from '../../../src/inventory/search/search-text.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { fold } from '../../../src/lib/text.ts';
import { runs } from '../../harness/runs.ts';
import { device } from '../row-store-builders.ts';
import { searchNaively } from './naive-search.ts';

const piece = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...'web ber kiosk jane corp\\ a b 1 0 01 12 203 10 - . _ % : é 😀 中'.split(' '),
      ' ',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
);
const name = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.constantFrom(
    '10.1.2.3',
    '10.1.2.30',
    '10.16.0.9',
    'FE80:0::1%eth0',
    'fe80::12345',
    '2001:db8::5',
    '::1',
    '10.b',
  ),
  name,
);
const addresses = fc.array(address, { maxLength: 2 });
const fields = fc.record({
  name,
  customName: fc.option(name),
  serialNumber: fc.option(name),
  lastLoggedInUser: fc.option(name),
  addresses,
  privateAddresses: addresses,
});
/** Devices that come, change and go: null takes the device away. */
const changes = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.option(fields)), { maxLength: 30 });
const part = fc
  .tuple(fc.oneof(address, name), fc.nat(8), fc.nat(8))
  .map(([text, from, length]) => text.slice(from, from + length + 1).toWellFormed());
const network = fc.oneof(
  fc.tuple(fc.constantFrom('10.1.2.3', '10.0.0.0', '203.0.113.0'), fc.nat(32)),
  fc.tuple(fc.constantFrom('fe80::', '2001:db8::', '::', 'fd00::1'), fc.nat(128)),
);
const word = fc.oneof(
  { weight: 3, arbitrary: part },
  name,
  network.map(([base, bits]) => `${base}/${bits}`),
  fc.constantFrom('#1', '#99', '1', 'a', '10', '.', '-', 'web', 'ber-web'),
);

describe('searching devices with the index', () => {
  it('compares names as they are folded, also those that are an emoji’s', () => {
    const isAlike = fc.property(name, (text) => normalizeField(text) === fold(text));
    fc.assert(isAlike, { examples: [[':b:'], [':fire:']] });
  });

  it('finds what a search finds that reads every device, in the same order', () => {
    fc.assert(
      fc.property(changes, fc.array(word, { minLength: 1, maxLength: 3 }), (given, words) => {
        const rowStore = createRowStore();
        for (const [id, one] of given) {
          if (one === null) rowStore.remove(deviceId(id));
          else rowStore.put(toIndexedDevice(device(id, one.name, one), createInterner()));
        }
        // A bare number may be an id, which comes first.
        fc.pre(!(words.length === 1 && /^\d+$/.test(words[0]?.trim() ?? '')));
        const { devices, isApproximate } = searchDevices(rowStore, words);
        const exact = isApproximate ? [] : devices.map(({ id }) => Number(id));
        expect(exact).toEqual(searchNaively(rowStore.ordered().rows, words));
      }),
      { numRuns: runs(2_000) },
    );
  });
});
