import { describe, expect, it } from 'vitest';
import { matchDevice } from '../../../src/inventory/search/device-search.ts';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { START } from '../../harness/builders.ts';
import { device, fleet, rowStoreOf } from '../row-store-builders.ts';

const rowStore = rowStoreOf(fleet);

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
