/** A search that reads every device and needs no index: what an exact match is, and in which order. */

import { BlockList, isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayName } from '../../../src/fleet/model/resources.ts';
import { createInterner, toIndexedDevice } from '../../../src/inventory/device-index/indexed-device.ts';
import { createRowStore, type RowStore } from '../../../src/inventory/device-index/row-store.ts';
import type { IndexedDevice } from '../../../src/inventory/inventory.ts';
import { matchDevice, searchDevices } from '../../../src/inventory/search/device-search.ts';
import { canonicalAddress, normalizeField } from '../../../src/inventory/search/search-text.ts';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { fold } from '../../../src/lib/text.ts';
import { START } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';
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
    ['nothing, not even near, where the other word is elsewhere', [['kisok', 'kisko'], 'cobweb'], [], false],
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

  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.stringMatching(/^[-"'.*+?()[\]\\/#0-9a-f: ]{0,60}$/),
    fc.constantFrom('"', '"a', '-web', '""', '(((', 'a'.repeat(5_000), '1-'.repeat(500), '#', '/8', "'s"),
  );
  property([fc.array(hostile, { maxLength: 5 })], { numRuns: 300 })(
    'never throws, and finds only existing devices, each once, and the same ones again',
    (words) => {
      const found = searchDevices(rowStore, words).devices;
      expect(new Set(found).size).toBe(found.length);
      expect(found.every(({ id }) => rowStore.get(id) !== undefined)).toBe(true);
      expect(searchDevices(rowStore, words).devices).toEqual(found);
      matchDevice(rowStore, words.join(' '));
    },
  );

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

describe('finding one device', () => {
  it.each<readonly [string, string, number]>([
    ['its address', '203.0.113.10', 1],
    ['its address of IPv6 in another form', 'fe80:0::1', 1],
    ['its serial number', 'C02ABC99', 3],
    ['its user', 'ahmed', 1001],
    ['a network that only it is in', '203.0.113.0/24', 1],
    ['a name rather than a user of that name', 'web-03', 100],
  ])('by %s', (_what, query, id) => {
    expect(matchDevice(rowStore, query)).toMatchObject({ kind: 'one', device: { id } });
  });

  it.each<readonly [string, string]>([
    ['CORP\\tlee', 'tlee'],
    ['CORP\\tlee', 'T Lee'],
    ['tlee@example.com', 'TLee'],
    ['corp\\tlee@example.com', 'tlee'],
  ])('of the user %s by %s alone, and no part of it', (lastLoggedInUser, query) => {
    const rows = rowStoreOf([
      device(1, 'a', { lastLoggedInUser }),
      device(2, 'b', { lastLoggedInUser: 'CORP\\atlee' }),
    ]);
    expect(matchDevice(rows, query)).toMatchObject({ kind: 'one', device: { id: 1 } });
    expect(matchDevice(rows, query, { namesOnly: true })).toBeNull();
    expect(matchDevice(rows, 'lee')).toBeNull();
    expect(matchDevice(rows, 'corp')).toBeNull();
  });

  it('by a field that follows one that begins with it', () => {
    const one = device(1, 'C02ABC99-old', { serialNumber: 'C02ABC99' });
    expect(matchDevice(rowStoreOf([one]), 'C02ABC99')).toMatchObject({ kind: 'one', device: { id: 1 } });
  });

  it('by a name with a percent sign, literally', () => {
    const all = rowStoreOf([device(1, 'cpu-50%-spare'), device(2, 'cpu-50')]);
    expect(matchDevice(all, 'CPU-50%-spare')).toMatchObject({ kind: 'one', device: { id: 1 } });
    expect(matchDevice(all, 'cpu-50%')).toBeNull();
  });

  it('by a name that is an address in another form', () => {
    const named = rowStoreOf([device(1, 'FE80:0::1%eth0'), device(2, 'b', { addresses: ['fe80::2'] })]);
    expect(matchDevice(named, 'fe80:0::1%eth0')).toMatchObject({ kind: 'one', device: { id: 1 } });
    expect(matchDevice(named, 'FE80:0::2%eth0')).toMatchObject({ kind: 'one', device: { id: 2 } });
    expect(matchDevice(named, 'fe80::2', { namesOnly: true })).toBeNull();
  });

  it('never picks among several of a network', () => {
    expect(matchDevice(rowStore, '10.0.0.0/8')).toMatchObject({ kind: 'several' });
  });

  it('lists several by name in the order of their ids, by anything else the one seen last first', () => {
    const kim = [4, 1, 2, 3].map((id, at) =>
      device(id, 'desk', {
        lastLoggedInUser: 'kim',
        lastDisconnectTime: later(START, at * MINUTE),
        connected: id === 4,
      }),
    );
    const ids = (query: string) => {
      const found = matchDevice(rowStoreOf(kim), query);
      return found?.kind === 'several' ? found.devices.map(({ id }) => id) : [];
    };
    expect(ids('desk')).toEqual([1, 2, 3, 4]);
    expect(ids('kim')).toEqual([4, 3, 2, 1]);
  });

  it.each(['web-0', 'kisok', 'Default string', '10.1.2'])(
    'takes no part or typo for the whole: %s',
    (query) => {
      expect(matchDevice(rowStore, query)).toBeNull();
    },
  );
});

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
  property([changes, changes, fc.array(fc.tuple(queries, foundBy), { maxLength: 4 })], { numRuns: 300 })(
    'finds the same whatever was searched and changed before',
    (first, then, all) => {
      const [used, fresh] = [createRowStore(), createRowStore()];
      apply(used, first);
      for (const [words, by] of all) searchDevices(used, words, by);
      apply(used, then);
      apply(fresh, [...first, ...then]);
      for (const [words, by] of all)
        expect(searchDevices(used, words, by)).toEqual(searchDevices(fresh, words, by));
    },
  );

  property([changes, queries, foundBy, fc.nat(6)], { numRuns: 300 })(
    'returns only the first ones with a limit',
    (all, words, by, limit) => {
      const some = createRowStore();
      apply(some, all);
      const first = searchDevices(some, words, { ...by, limit }).devices.slice(0, limit);
      expect(first).toEqual(searchDevices(some, words, by).devices.slice(0, limit));
    },
  );

  property([changes, fc.array(text, { minLength: 2, maxLength: 3 })], { numRuns: 300 })(
    'finds for alternatives what each word finds, and similar names only if there is nothing else',
    (all, words) => {
      const some = createRowStore();
      apply(some, all);
      const each = words.filter((word) => word.trim() !== '').map((word) => searchDevices(some, [word]));
      fc.pre(each.length > 0);
      const exact = each.filter(({ isApproximate, devices }) => !isApproximate && devices.length > 0);
      const expected = new Set((exact.length > 0 ? exact : each).flatMap(({ devices }) => devices));
      expect(new Set(searchDevices(some, [words]).devices)).toEqual(expected);
    },
  );
});

describe('beside a search that reads every device', () => {
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

    property([changes, fc.array(word, { minLength: 1, maxLength: 3 })], { numRuns: runs(2_000) })(
      'finds what a search finds that reads every device, in the same order',
      (given, words) => {
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
      },
    );
  });
});

/** The devices that have every word, the best first; equally good ones by name, then by number. */
function searchNaively(rows: readonly IndexedDevice[], words: readonly string[]): readonly number[] {
  const wanted = [...new Set(words.map(fold))].filter((word) => word !== '');
  const scored = rows.flatMap((row) => {
    const ranks = wanted.map((word) => rankOf(row, word));
    return ranks.includes(null)
      ? []
      : [{ row, score: ranks.reduce<number>((sum, rank) => sum + (rank ?? 0), 0) }];
  });
  return scored
    .toSorted((a, b) => a.score - b.score || compareByName(a.row, b.row))
    .map(({ row }) => Number(row.id));
}

/** Null: the device does not have the word. An id or a network says nothing about how well it matches. */
function rankOf(row: IndexedDevice, word: string): number | null {
  const [names = '', ...addresses] = row.searchText.split('\r');
  if (/^#\d{1,15}$/.test(word)) return `#${row.id}` === `#${Number(word.slice(1))}` ? 0 : null;
  const network = networkOf(word);
  if (network !== null) return addresses.some(network) ? 0 : null;
  const ranks = [...names.split('\n'), ...addresses].flatMap((field) =>
    rankInField(field, canonicalAddress(word)),
  );
  return ranks.length === 0 ? null : Math.min(...ranks);
}

function rankInField(field: string, word: string): readonly number[] {
  if (!field.includes(word)) return [];
  if (field === word) return [0];
  if (field.startsWith(word)) return [1];
  const starts = Array.from({ length: field.length }, (_, at) => at).filter((at) =>
    field.startsWith(word, at),
  );
  const isWordStart = starts.some((at) => !/[a-z0-9\u0080-\uffff]/.test(field.charAt(at - 1)));
  return [isWordStart ? 2 : 3];
}

function networkOf(word: string): ((address: string) => boolean) | null {
  const [base = '', length = '', ...more] = word.split('/');
  if (more.length > 0 || !/^\d{1,3}$/.test(length)) return null;
  const family = isIPv4(base) ? 'ipv4' : 'ipv6';
  const isFamily = family === 'ipv4' ? isIPv4 : isIPv6;
  const bits = Number(length);
  if (!isFamily(base) || bits > (family === 'ipv4' ? 32 : 128)) return null;
  const list = new BlockList();
  list.addSubnet(base, bits, family);
  return (address) => isFamily(address) && (bits === 0 || list.check(address, family));
}

function compareByName(a: IndexedDevice, b: IndexedDevice): number {
  const [one, other] = [sortKey(a), sortKey(b)];
  if (one === other) return a.id - b.id;
  return one < other ? -1 : 1;
}

/** Numbers by their value. */
function sortKey(row: IndexedDevice): string {
  return fold(displayName(row)).replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}
