import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInterner, toIndexedDevice } from '../../../src/inventory/device-index/indexed-device.ts';
import { createRowStore } from '../../../src/inventory/device-index/row-store.ts';
import { matchDevice, searchDevices } from '../../../src/inventory/search/device-search.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { runs } from '../../harness/runs.ts';
import { device, fleet, rowStoreOf } from '../row-store-builders.ts';

const rowStore = rowStoreOf(fleet);
const ids = (text: string) => searchDevices(rowStore, text.split(' ')).devices.map(({ id }) => Number(id));

describe('searching devices', () => {
  it.each<readonly [string, string, readonly number[]]>([
    ['nothing: all by name', '', [7, 4, 5, 1001, 3, 1, 2, 100, 6]],
    ['exact, then prefix, then the start of a word, then any part', 'web', [100, 1, 2, 3, 4]],
    ['a hostname', 'web-01', [1, 3]],
    ['whatever the case', 'WEB-02', [2]],
    ['a custom name with another apostrophe', "jane's", [5]],
    ['several words, in any order', 'jane web', [3]],
    ['words in another order', 'pro macbook', [5]],
    ['letters beyond ASCII', 'zürich', [6]],
    ['an id', '#100', [100]],
    ['an id that is the beginning of another one', '#1', [1]],
    ['a bare id before what only holds it', '100', [100]],
    ['an id that is not there', '#99', []],
    ['a public address', '203.0.113.10', [1]],
    ['a part of an address', '10.1.2', [1, 2]],
    ['a private network', '10.1.2.0/24', [1]],
    ['a network between whole octets', '10.0.0.0/12', [1, 2]],
    ['a network that is wide', '10.0.0.0/8', [7, 1, 2]],
    ['an address of IPv6 in another form', 'FE80:0:0::1', [1]],
    ['a network of IPv6', '2001:db8::/32', [6]],
    ['a network of IPv6 that is wide', 'fe80::/10', [1]],
    ['a network and a word', '10.1.0.0/16 02', [2]],
    ['a serial number', 'c02abc99', [3]],
    ['a serial number that thousands have', 'Default string', []],
    ['another one', 'filled', []],
    ['one of zeros', '00000000', []],
    ['a user', 'jane.smith', [3]],
    ['a user’s name alone', 'smith', [3]],
    ['hostile text', '<!channel> *bold*', [7]],
    ['two letters in the wrong order', 'kisok', [1001]],
    ['a letter too many', 'kiossk', [1001]],
    ['a letter that is missing', 'brlin', [1001]],
    ['a wrong letter', 'laptap', [5]],
    ['a slip and a word', 'kisok ahmed', [1001]],
    ['words that no device has together', 'zürich jane', []],
    ['a number that is not there, however near', '10.1.2.4', []],
    ['what is nothing at all', 'mainframe', []],
  ])('by %s', (_what, text, expected) => {
    expect(ids(text)).toEqual(expected);
  });

  it.each([
    ['kisok', true],
    ['kiosk', false],
    ['web kisok', false],
    ['nothing-at-all', false],
  ])('tells whether its results are only similar: %s', (text, close) => {
    expect(searchDevices(rowStore, text.split(' ')).isApproximate).toBe(close);
  });

  it.each<readonly [string, readonly (string | readonly string[])[], readonly number[], boolean]>([
    ['either of two words, by name', [['kiosk', 'web-02']], [1001, 2], false],
    ['an id, a network or a word', [['#100', '10.16.0.0/16', 'cobweb']], [7, 4, 100], false],
    ['a bare id or a word', [['100', 'web-02']], [2, 100], false],
    ['a word and either of two, the best first', ['web', ['02', 'old']], [2, 3], false],
    [
      'each of two lists',
      [
        ['web', 'kiosk'],
        ['01', 'berlin'],
      ],
      [1001, 3, 1],
      false,
    ],
    ['no similar names when another word matches exactly', [['kisok', 'web-02']], [2], false],
    ['similar names when nothing matches exactly', [['kisok', 'wbe-02']], [1001, 2], true],
    ['nothing that comes near to an id', [['#99', 'nothing-at-all']], [], false],
    [
      'nothing, and nothing near, where the other word is elsewhere',
      [['kisok', 'kisko'], 'cobweb'],
      [],
      false,
    ],
    ['everything by a list without a letter', [['', ' ']], [7, 4, 5, 1001, 3, 1, 2, 100, 6], false],
  ])('finds %s', (_what, wanted, expected, close) => {
    const found = searchDevices(rowStore, wanted);
    expect(found.devices.map(({ id }) => Number(id))).toEqual(expected);
    expect(found.isApproximate).toBe(close);
  });

  it('finds a name with a percent sign literally, and not by its start', () => {
    const all = rowStoreOf([device(1, 'cpu-50%-spare'), device(2, 'cpu-50'), device(3, 'gone')]);
    all.remove(deviceId(3));
    const found = (...words: readonly (string | readonly string[])[]) =>
      searchDevices(all, words).devices.map(({ id }) => Number(id));
    expect(found('50%-sp')).toEqual([1]);
    expect(found('%')).toEqual([1]);
    expect(found(['%', 'gone'])).toEqual([1]);
  });

  it('finds alternatives by names only', () => {
    const found = searchDevices(rowStore, [['ahmed', 'c02abc99', 'cobweb', '#1']], { namesOnly: true });
    expect(found.devices.map(({ id }) => Number(id))).toEqual([4, 1]);
  });

  it('never throws, and finds only existing devices, each once, and the same ones again', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.stringMatching(/^[-"'.*+?()[\]\\/#0-9a-f: ]{0,60}$/),
      fc.constantFrom('"', '"a', '-web', '""', '(((', 'a'.repeat(5_000), '1-'.repeat(500), '#', '/8', "'s"),
    );
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 5 }), (words) => {
        const found = searchDevices(rowStore, words).devices;
        expect(new Set(found).size).toBe(found.length);
        expect(found.every(({ id }) => rowStore.get(id) !== undefined)).toBe(true);
        expect(searchDevices(rowStore, words).devices).toEqual(found);
        matchDevice(rowStore, words.join(' '));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['the same network', () => '10.0.0.0/8', 1],
    ['another network each time', (at: number) => `10.${at % 256}.0.0/16`, 12],
  ])('scans all addresses a few times, however often %s is searched', (_what, word, times) => {
    let looks = 0;
    const inNetwork: typeof rowStore.textIndex.inNetwork = (network) => {
      looks += 1;
      return rowStore.textIndex.inNetwork(network);
    };
    searchDevices(
      { ...rowStore, textIndex: { ...rowStore.textIndex, inNetwork } },
      Array.from({ length: 300 }, (_, at) => word(at)),
    );
    expect(looks).toBe(times);
  });

  it('finds by names as if the devices had nothing else, whatever came and went', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'w', 'e', '1', '0', '-', '.'), maxLength: 6 });
    const fields = fc.record({ name: text, customName: text, serial: text, user: text, octet: fc.nat(255) });
    const typed = fc.array(fc.oneof(text, fc.constantFrom('#1', '2', '10.0.0.0/8', 'aweb')), {
      maxLength: 3,
    });
    const personal = ({ serial, user, octet }: { serial: string; user: string; octet: number }) => ({
      serialNumber: serial,
      lastLoggedInUser: user,
      privateAddresses: [`10.0.1.${octet}`],
    });
    fc.assert(
      fc.property(
        fc.array(fields, { minLength: 1, maxLength: 6 }),
        fc.array(fields, { maxLength: 6 }),
        typed,
        (first, then, words) => {
          const all = [...first.entries(), ...then.entries()];
          const [whole, bare] = [createRowStore(), createRowStore()];
          for (const [at, { name, customName, ...rest }] of all) {
            const named = { customName };
            whole.put(
              toIndexedDevice(device(at + 1, name, { ...named, ...personal(rest) }), createInterner()),
            );
            bare.put(toIndexedDevice(device(at + 1, name, named), createInterner()));
            searchDevices(whole, words, { namesOnly: true });
          }
          const found = searchDevices(whole, words, { namesOnly: true });
          const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
          const expected = searchDevices(
            bare,
            words.filter((word) => !word.includes('/')),
          );
          const isNetwork = words.some((word) => word.includes('/'));
          expect(ids(found.devices)).toEqual(isNetwork ? [] : ids(expected.devices));
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('finds every device by the whole of each of its names, whatever they are', () => {
    const name = fc.string({ unit: 'binary', maxLength: 20 });
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 8 }), (names) => {
        const all = rowStoreOf(names.map((text, at) => device(at + 1, text)));
        for (const { id, name: text, searchText } of all.ordered().rows) {
          if (searchText.split('\n')[0] === '') continue;
          const found = searchDevices(all, [text]).devices.map((one) => one.id);
          expect(/^#?\d+$/.test(text.trim()) || /\/\d+$/.test(text) || found.includes(id)).toBe(true);
        }
      }),
    );
  });
});
