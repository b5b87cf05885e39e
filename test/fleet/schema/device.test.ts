import { describe, expect, it } from 'vitest';
import { deviceReader, type ExpectedDevices } from '../../../src/fleet/schema/device.ts';
import { deviceId, groupId, organizationId } from '../../../src/lib/ids.ts';
import { listedDevice, policy } from '../fixtures.ts';

/** The organization of the recording. */
const read = deviceReader({ organizationId: organizationId(102270) });
const deviceOf = (row: unknown) => {
  const result = read(row);
  if (result.kind !== 'row') throw new Error(`not read: ${result.kind}`);
  return result.row;
};

describe('a device', () => {
  it('of the fast list has no details, no policies and no status', () => {
    expect(deviceOf(listedDevice(5))).toMatchObject({
      detail: null,
      policies: [],
      policyStatuses: [],
      policyCompliance: [],
      deviceStatus: null,
    });
  });

  it('is read from the fast list, with empty parts', () => {
    expect(deviceOf(listedDevice(5))).toMatchObject({
      id: 5,
      connected: false,
      deviceStatus: null,
      agentStatus: null,
      policyStatus: null,
    });
  });

  it('is read from its id alone, with everything else unknown', () => {
    const { id, organizationId: organization, name, deferrals, ...rest } = deviceOf({ id: 5 });
    expect([id, organization, name]).toEqual([5, 102270, '']);
    expect([...Object.values(rest), ...Object.values(deferrals)].filter((value) => value !== null)).toEqual(
      Array.from({ length: 5 }, () => []),
    );
  });

  it('keeps the readable fields of an unusual row', () => {
    const odd = {
      id: '5',
      name: 77,
      custom_name: {},
      tags: [null, 'critical', 3],
      ip_addrs: {},
      ip_addrs_private: '10.0.0.1',
      connected: 1,
      needs_reboot: 'false',
      pending: 'maybe',
      patches: '21',
      refresh_interval: [null],
      pending_patches: -3,
      uptime: 371873,
      server_group_id: 0,
      status: 'ready',
      create_time: 1651212000,
      last_refresh_time: '2022-04-29T06:06:13+0000',
    };
    expect(deviceOf(odd)).toMatchObject({
      id: 5,
      name: '77',
      customName: null,
      tags: ['critical', '3'],
      addresses: [],
      privateAddresses: ['10.0.0.1'],
      connected: true,
      needsReboot: false,
      pending: null,
      patches: 21,
      pendingPatches: null,
      uptime: 371873,
      groupId: null,
      deviceStatus: null,
      createTime: null,
      lastRefreshTime: Date.UTC(2022, 3, 29, 6, 6, 13),
    });
  });

  it('keeps 0, false and the empty text as values', () => {
    const device = deviceOf({
      ...listedDevice(5),
      name: '',
      patches: 0,
      connected: false,
      serial_number: '',
      uptime: '0',
    });
    expect(device).toMatchObject({ name: '', patches: 0, connected: false, serialNumber: '', uptime: 0 });
  });

  it('drops unknown fields', () => {
    expect(deviceOf({ id: 5, access_key: 'secret' })).not.toHaveProperty('access_key');
    expect(JSON.stringify(deviceOf({ id: 5, status: { access_key: 'secret' } }))).not.toContain('secret');
  });

  it.each([
    [{}],
    [{ id: null }],
    [{ id: 0 }],
    [{ id: -5 }],
    [{ id: 1.5 }],
    [{ id: 'five' }],
    [null],
    ['5'],
    [[]],
  ])('is unreadable without an id: %j', (row) => {
    expect(read(row)).toEqual({ kind: 'unreadable' });
  });

  it('of another organization is foreign', () => {
    expect(read({ ...listedDevice(5), organization_id: 8 })).toMatchObject({ kind: 'foreign' });
    expect(read({ id: 5, organization_id: '8' })).toMatchObject({ kind: 'foreign' });
  });
});

describe('a device of a filtered list', () => {
  const organization = organizationId(102270);
  const kindOf = (expectedRows: Omit<ExpectedDevices, 'organizationId'>, row: Record<string, unknown>) =>
    deviceReader({ organizationId: organization, ...expectedRows })({ id: 5, ...row }).kind;

  it.each([
    ['another group', { groupId: groupId(9) }, { server_group_id: 8 }, 'foreign'],
    ['the group', { groupId: groupId(9) }, { server_group_id: '9' }, 'row'],
    ['no group', { groupId: groupId(9) }, { server_group_id: null }, 'row'],
    ['another id', { deviceId: deviceId(6) }, {}, 'foreign'],
  ])('of %s', (_, expectedRows, row, expected) => {
    expect(kindOf(expectedRows, row)).toBe(expected);
  });
});

describe('the details of a device', () => {
  const detailOf = (detail: unknown) => deviceOf({ id: 5, detail }).detail;

  it.each([[{}], [null], [undefined], [[]], [[{}]], ['text'], [7]])('are null when they are %j', (detail) => {
    expect(detailOf(detail)).toBeNull();
  });

  it('have no logon when nobody logged on, and read one without a zone by the device’s clock', () => {
    expect(detailOf({ CPU: 'x', LAST_USER_LOGON: {} })?.lastLogon).toBeNull();
    expect(detailOf({ LAST_USER_LOGON: { USER: 'a', TIME: '2023-04-14 16:05' } })?.lastLogon).toEqual({
      source: null,
      user: 'a',
      time: Date.UTC(2023, 3, 14, 16, 5),
    });
    const detail = { LAST_USER_LOGON: { USER: 'a', TIME: '11/21/2022 1:34:28 AM' } };
    const device = deviceOf({ id: 5, timezone: 'UTC-0800', detail });
    expect(device.detail?.lastLogon?.time).toBe(Date.UTC(2022, 10, 21, 9, 34, 28));
  });

  it('have domain names from a list, and none from an object', () => {
    expect(detailOf({ FQDNS: {} })?.domainNames).toEqual([]);
    expect(detailOf({ FQDNS: ['a.example.com'] })?.domainNames).toEqual(['a.example.com']);
  });

  it.each<[unknown, number | null]>([
    ['0', 0],
    [12, 12],
    ['62,5', 62.5],
    ['62.5', 62.5],
    ['0,500', 0.5],
    ['1234,567', 1234.567],
    ['1.0E+12', 1e12],
    ['1,5e3', 1500],
    ['1 000 000', 1_000_000],
    ['1\u00a0000\u00a0000', 1_000_000],
    ['1\u202f000', 1000],
    ['1\u2009000,5', 1000.5],
    ['1’000’000', 1_000_000],
    ['1,234,567', 1_234_567],
    ['1.234.567', 1_234_567],
    ['1,234.5', 1234.5],
    ['1.234,5', 1234.5],
    ['1,000', null],
    ['1.000', null],
    ['12,345e3', null],
    ['1 000\u00a0000', null],
    ['1 00 000', null],
    ['-1', null],
    [-1, null],
    ['1e999', null],
    ['8 GB', null],
    ['', null],
    ['NaN', null],
    [null, null],
  ])('have the size %j read as %s', (sent, size) => {
    expect(detailOf({ RAM: sent })?.ramBytes).toBe(size);
  });

  it('keep sizes as an agent wrote them', () => {
    const [volume] = detailOf({ VOLUME: [{ VOLUME: 'C:', AVAIL: '1,000', FREE: '-1' }] })?.volumes ?? [];
    expect(volume).toMatchObject({ sizeBytes: null, freeBytes: null, sent: { size: '1,000', free: '-1' } });
  });

  it('contain no number that was not sent', () => {
    expect(detailOf({ RAM: '8 GB', DISKS: [{ SIZE: '9'.repeat(400) }] })).toMatchObject({
      ramBytes: null,
      disks: [{ sizeBytes: null }],
    });
  });
});

describe('the policies of a device', () => {
  it('are read without their configuration, and only an invalid one is left out', () => {
    const { policies } = deviceOf({
      id: 5,
      server_policies: [policy(3), null, { name: 'no id' }, policy(4)],
    });
    expect(policies.map(({ id }) => id)).toEqual([3, 4]);
    expect(JSON.stringify(policies)).not.toMatch(/a-script|a-secret|configuration/);
  });

  it('have the service’s status; [null] means none', () => {
    expect(deviceOf({ id: 5, policy_status: [null] }).policyStatuses).toEqual([]);
    expect(
      deviceOf({ id: 5, policy_status: [{ policy_id: 3, status: 0 }, null] }).policyStatuses,
    ).toMatchObject([{ policyId: 3, status: 0, policyName: null }]);
  });
});
