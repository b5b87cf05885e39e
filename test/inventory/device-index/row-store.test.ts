import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Device } from '../../../src/fleet/model/resources.ts';
import {
  createInterner,
  type IndexedDevice,
  isSameRow,
  lastSeenAtOf,
  toIndexedDevice,
} from '../../../src/inventory/device-index/indexed-device.ts';
import {
  compareNormalizedNames,
  createRowStore,
  mergeIntoOrder,
  sortKeyOfName,
  sortSlots,
} from '../../../src/inventory/device-index/row-store.ts';
import { createRowDeserializer, serializeRow } from '../../../src/inventory/persistence/index-persistence.ts';
import {
  addressesOf,
  hasAddress,
  loggedInUserIn,
  serialContains,
  serialNumberIn,
  userContains,
} from '../../../src/inventory/search/search-text.ts';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, policyId } from '../../../src/lib/ids.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';
import { runs } from '../../harness/runs.ts';
import { device, rowStoreOf } from '../row-store-builders.ts';

describe('the order of rows', () => {
  const change = fc.tuple(
    fc.integer({ min: 1, max: 9 }),
    fc.constantFrom('web-2', 'web-10', 'Web-1', 'a', '', null),
  );
  property([fc.array(change, { maxLength: 30 })])(
    'is the same whether they came at once or one by one, however often they changed',
    (changes) => {
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
    },
  );
});

const part = fc.constantFrom(...'web- web - é 0 2 10 007 123456789012 1234567890123 z'.split(' '));
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

  property([name, name], { numRuns: runs(3_000) })('is the order of their keys', (a, b) => {
    const [one, two] = [sortKeyOfName(a), sortKeyOfName(b)];
    expect(Math.sign(compareNormalizedNames(a, b))).toBe(one < two ? -1 : Number(one > two));
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

const row = (over: Partial<Device>): IndexedDevice => toIndexedDevice(aDevice(over), createInterner());
const status = (policyId: number, compliant: boolean | null) => ({ policyId: id(policyId), compliant });
const id = policyId;

describe('a row: its policies', () => {
  it.each<[string, Partial<Device>, readonly number[] | null, readonly number[]]>([
    ['those of the short list', { policyCompliance: [status(9, true), status(2, false)] }, [2, 9], [2]],
    ['each once', { policyCompliance: [status(9, false), status(9, false)] }, [9], [9]],
    ['not failed when the result is not stated', { policyCompliance: [status(9, null)] }, [9], []],
    ['none, of an unmanaged device', { policyStatus: 'unmanaged' }, [], []],
    ['not stated, when only the status word is there', { policyStatus: 'compliant' }, null, []],
    ['not stated, of one that was never scanned', { policyStatus: null }, null, []],
  ])('%s', (_what, over, all, failing) => {
    const { policyIds, failingIds } = row({ policyCompliance: [], policyStatuses: [], ...over });
    expect([policyIds, failingIds]).toEqual([all, failing]);
  });

  it('are one shared list for all devices with the same policies', () => {
    const shared = createInterner();
    const some = { policyCompliance: [status(1, true), status(2, false)] };
    const other = { policyCompliance: [status(2, false), status(1, true)] };
    const [a, b] = [toIndexedDevice(aDevice(some), shared), toIndexedDevice(aDevice(other), shared)];
    expect(a.policyIds).toBe(b.policyIds);
    expect(a.failingIds).toBe(b.failingIds);
    expect(isSameRow(a, b)).toBe(true);
    expect(isSameRow(a, toIndexedDevice(aDevice({ policyCompliance: [status(1, false)] }), shared))).toBe(
      false,
    );
  });
});

describe('a row: when the device was last seen', () => {
  const at = (minutes: number) => later(START, -minutes * MINUTE);
  const times = { lastDisconnectTime: at(50), lastUpdateTime: null, lastRefreshTime: at(70) };
  it.each<[string, Partial<Device>, number | null]>([
    ['the latest of its times', { connected: false, ...times, lastProcessTime: at(60) }, 50],
    ['also when its connection is not stated', { connected: null, ...times, lastProcessTime: at(20) }, 20],
    ['not of a connected one', { connected: true, ...times }, null],
    [
      'not where nothing is stated',
      {
        connected: false,
        lastDisconnectTime: null,
        lastUpdateTime: null,
        lastRefreshTime: null,
        lastProcessTime: null,
      },
      null,
    ],
  ])('%s', (_what, over, minutes) => {
    expect(lastSeenAtOf(row(over))).toBe(minutes === null ? null : at(minutes));
  });
});

describe('a row: its search text', () => {
  const known = row({
    name: 'web-01',
    serialNumber: 'SN-7',
    lastLoggedInUser: 'ACME\\Anna',
    addresses: ['203.0.113.10'],
    privateAddresses: ['10.1.2.3', 'FE80:0::1%eth0'],
  });

  it('is read back field by field', () => {
    expect([serialNumberIn(known), loggedInUserIn(known)]).toEqual(['sn-7', 'acme\\anna']);
    expect(addressesOf(known)).toEqual(['203.0.113.10', '10.1.2.3', 'fe80::1']);
    const bare = row({
      serialNumber: 'Default string',
      lastLoggedInUser: null,
      addresses: [],
      privateAddresses: [],
    });
    expect([serialNumberIn(bare), loggedInUserIn(bare), addressesOf(bare)]).toEqual([null, null, []]);
  });

  it.each([
    ['10.1.2.3', true],
    ['10.1.2', false],
    ['10.1.', true],
    ['10.1.2.30', false],
    ['0.1.2.3', false],
    ['10.0.0.0/8', true],
    ['10.2.0.0/16', false],
    ['fe80::/10', true],
    ['FE80::1', true],
    ['fe80:', true],
    ['fe80::', false],
  ])('%s is one of its addresses: %s', (text, expected) => {
    expect(hasAddress(text)?.(known)).toBe(expected);
  });

  it.each(['web', '10', 'fe80', '10.1.2.3/99', ''])('%s is not an address', (text) => {
    expect(hasAddress(text)).toBeNull();
  });

  it('has a text only in that field', () => {
    expect([userContains('Anna')(known), userContains('web')(known), userContains('sn-7')(known)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([serialContains('sn')(known), serialContains('anna')(known)]).toEqual([true, false]);
  });
});

describe('a stored row', () => {
  const whole = row({ connected: false, policyCompliance: [status(12, false), status(3, true)] });
  const read = (body: string) => createRowDeserializer(createInterner())(deviceId(1001), body);

  it.each([
    ['with everything', whole],
    ['with nothing', row({ policyStatus: null, policyCompliance: [], agentVersion: null, osName: null })],
    ['with odd words', row({ tags: ['', '?', 'a|b,c', '%2C', '🐧 "\\'], osName: '', osVersion: '?|%' })],
    ['with one empty tag', row({ tags: [''], connected: null, needsReboot: null, pending: null })],
    ['with tags that were not stated', row({ tags: null })],
    ['with no tags', row({ tags: [], compliant: null, exception: null, needsAttention: null })],
  ])('is read back unchanged: %s', (_, one) => {
    expect(read(serializeRow(one))).toEqual(one);
  });

  it.each([
    ['no JSON', 'lon-db-0001'],
    ['no list', '{}'],
    ['fewer fields', '["a",null,1,2,3,"a"]'],
    ['a number for a name', '[1,null,1,2,3,"a\\n\\n\\n","a|b|c|d|?|?||???????"]'],
    ['half a group', '["a",null,1.5,2,3,"a\\n\\n\\n","a|b|c|d|?|?||???????"]'],
    ['other flags', '["a",null,1,2,3,"a\\n\\n\\n","a|b|c|d|?|?||yes"]'],
    ['an encoding of its own', '["a",null,1,2,3,"a\\n\\n\\n","%|b|c|d|?|?||???????"]'],
    ['names alone for search', '["a",null,1,2,3,"a\\n","?|?|?|?|?|?||???????"]'],
    ['an address among its names', '["a",null,1,2,3,"a\\r10.0.0.1\\n\\n\\n","?|?|?|?|?|?||???????"]'],
    ['fewer parts', '["a",null,1,2,3,"a\\n\\n\\n","a|b|c|d"]'],
  ])('is invalid when it has %s', (_, body) => {
    expect(read(body)).toBeNull();
  });
});
