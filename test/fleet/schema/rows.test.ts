import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { previewReader } from '../../../src/fleet/schema/device.ts';
import { groupReader } from '../../../src/fleet/schema/group.ts';
import { organizationReader } from '../../../src/fleet/schema/policy.ts';
import {
  isObject,
  type RowReader,
  readCount,
  readList,
  readListInSlices,
  readSingle,
} from '../../../src/fleet/schema/rows.ts';
import { groupId, organizationId } from '../../../src/lib/ids.ts';
import { property } from '../../harness/property.ts';
import { recorded } from '../fixtures.ts';
import { rowIn } from './rows-of.ts';

const readRow: RowReader<unknown> = (value) =>
  isObject(value) && value['id'] === 'foreign'
    ? { kind: 'foreign', detail: 'a row of another' }
    : { kind: 'row', row: value };
const page = (count: number) => Array.from({ length: count }, (_, at) => ({ id: at + 1 }));

describe('reading a list in slices', () => {
  it.each([
    [0, 0],
    [1, 0],
    [200, 0],
    [201, 2],
    [500, 3],
  ])('of %i rows yields %i times, and gives the same as reading it at once', (rows, times) => {
    const parts = readListInSlices(page(rows), readRow);
    let left = 0;
    let part = parts.next();
    for (; part.done !== true; part = parts.next()) left += 1;
    expect([left, part.value]).toEqual([times, readList(page(rows), readRow)]);
  });

  it('ends at the first row of another owner', () => {
    const parts = readListInSlices([{ id: 'foreign' }, ...page(500)], readRow);
    expect(parts.next()).toEqual({ done: false, value: undefined });
    expect(parts.next()).toEqual({ done: true, value: { kind: 'misshapen', detail: 'a row of another' } });
  });
});

describe('a count', () => {
  it('is read as captured', () => {
    expect(readCount(recorded('events-count-only-2026.json'))).toBe(1382);
  });

  it.each<[unknown, number | null]>([
    [{ size: 0, results: [] }, 0],
    [{ count: 5 }, 5],
    [{ size: null, count: '5' }, 5],
    [7, 7],
    ['7', 7],
    [-1, null],
    [1.5, null],
    ['', null],
    ['seven', null],
    [null, null],
    [[], null],
    [[{ size: 3 }], null],
    [{}, null],
  ])('of %j is %s', (body, expected) => {
    expect(readCount(body)).toBe(expected);
  });

  property([fc.anything()])('is a count or null, whatever was sent', (body) => {
    const count = readCount(body);
    expect(count === null || (Number.isSafeInteger(count) && count >= 0)).toBe(true);
  });
});

describe('an organization', () => {
  it('is read without its secrets', () => {
    const row = {
      id: 102270,
      uuid: 'u-1',
      name: 'Example',
      tier: 'patch',
      create_time: '2022-04-29T01:30:09+0000',
      parent_id: null,
      device_count: 240,
      device_limit: 0,
      access_key: 'a-secret',
      metadata: { intercom_hmac: 'a-secret', access_key: 'a-secret' },
    };
    const rows = readList([row, { id: 2 }], organizationReader());
    expect(rows).toMatchObject({
      unreadable: 0,
      rows: [
        {
          id: 102270,
          name: 'Example',
          tier: 'patch',
          createTime: Date.UTC(2022, 3, 29, 1, 30, 9),
          deviceCount: 240,
          deviceLimit: 0,
        },
        { id: 2, name: '', deviceCount: null },
      ],
    });
    expect(JSON.stringify(rows)).not.toMatch(/a-secret|access_key|hmac/);
  });
});

describe('a previewed device', () => {
  const read = previewReader([groupId(20), groupId(21)]);

  it('is in one of the requested groups, if it names one', () => {
    const kindOf = (server_group: unknown) => read({ id: 5, server_group }).kind;
    expect([{ id: 20 }, { id: '21' }, {}, null, 'Servers'].map(kindOf)).toEqual(Array(5).fill('row'));
    expect(kindOf({ id: 22 })).toBe('foreign');
    expect(previewReader()({ id: 5, server_group: { id: 22 } }).kind).toBe('row');
  });

  it.each<[string, Record<string, unknown>]>([
    ['as documented', { ip_addr: '203.0.113.10', ip_addrs_prviate: ['10.0.0.1', 'fe80::1'] }],
    ['as lists', { ip_addrs: ['203.0.113.10'], ip_addrs_private: ['10.0.0.1', 'fe80::1'] }],
    [
      'in both spellings',
      {
        ip_addr: '203.0.113.10',
        ip_addrs: ['203.0.113.10'],
        ip_addrs_prviate: ['10.0.0.1'],
        ip_addrs_private: ['10.0.0.1', 'fe80::1'],
      },
    ],
    [
      'with empty ones',
      {
        ip_addr: '203.0.113.10',
        ip_addrs: '',
        ip_addrs_prviate: '',
        ip_addrs_private: ['10.0.0.1', null, 'fe80::1'],
      },
    ],
  ])('has its addresses %s', (_, row) => {
    expect(read({ id: 5, ...row })).toMatchObject({
      row: { addresses: ['203.0.113.10'], privateAddresses: ['10.0.0.1', 'fe80::1'] },
    });
  });
});

describe('a group', () => {
  const ORGANIZATION = organizationId(102270);
  const groupOf = (row: Record<string, unknown>) => rowIn(groupReader(ORGANIZATION)({ id: 20, ...row }));

  it.each([[null], [[]], [[0]], [[null]], [undefined], [{}]])(
    'has no policies when they are %j',
    (policies) => {
      expect(groupOf({ policies }).policyIds).toEqual([]);
    },
  );

  it.each([
    [null, null],
    [{}, null],
    [
      { is_managed: null, server_url: null },
      { managed: null, server: null },
    ],
    [
      { is_managed: true, server_url: 'http://wsus:8530' },
      { managed: true, server: 'http://wsus:8530' },
    ],
  ])('whose wsus_config is %j', (wsus_config, expected) => {
    expect(groupOf({ wsus_config }).wsus).toEqual(expected);
  });

  it('distinguishes the devices’ own setting of updates from off', () => {
    expect([null, false, true].map((sent) => groupOf({ enable_os_auto_update: sent }).osAutoUpdate)).toEqual([
      null,
      false,
      true,
    ]);
  });

  it('is the requested one', () => {
    const read = groupReader(ORGANIZATION, groupId(20));
    expect(readSingle({ id: 20 }, read).kind).toBe('one');
    expect(readSingle({ id: 21 }, read)).toEqual({ kind: 'misshapen', detail: 'a row of another group' });
  });
});
