import { describe, expect, it } from 'vitest';
import { deviceReader } from '../../../src/fleet/schema/device.ts';
import { organizationId } from '../../../src/ids.ts';
import { listedDevice, recordedRow } from '../fixtures.ts';

/** The organization of the recording. */
const read = deviceReader({ organizationId: organizationId(102270) });
const deviceOf = (row: unknown) => {
  const result = read(row);
  if (result.kind !== 'row') throw new Error(`not read: ${result.kind}`);
  return result.row;
};

describe('a device', () => {
  it('is read as recorded', () => {
    expect(deviceOf(recordedRow('servers-list-2022.json'))).toEqual({
      id: 1676461,
      organizationId: 102270,
      groupId: 130910,
      name: 'DESKTOP-VQE5236',
      customName: null,
      osFamily: 'Windows',
      osName: '10 Home Single Language',
      osVersion: '10.0.19043',
      agentVersion: '1.0-38',
      tags: [],
      addresses: [],
      privateAddresses: [],
      serialNumber: 'SERIAL000',
      lastLoggedInUser: 'DESKTOP-VQE5236\\user',
      connected: false,
      needsReboot: false,
      pending: false,
      compliant: true,
      exception: false,
      needsAttention: false,
      lastScanFailed: false,
      patches: 21,
      pendingPatches: 0,
      uptime: 49,
      deviceStatus: 'not-ready',
      agentStatus: 'disconnected',
      policyStatus: 'compliant',
      createTime: Date.UTC(2022, 3, 29, 5, 57, 43),
      lastUpdateTime: null,
      lastRefreshTime: Date.UTC(2022, 3, 29, 6, 6, 13),
      lastProcessTime: Date.UTC(2022, 3, 29, 14, 3, 58),
      lastDisconnectTime: Date.UTC(2022, 3, 29, 14, 4, 24),
      nextPatchTime: null,
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

  it('is read from its id alone: everything else was not said', () => {
    const {
      id,
      organizationId: organization,
      name,
      tags,
      addresses,
      privateAddresses,
      ...rest
    } = deviceOf({ id: 5 });
    expect([id, organization, name, tags, addresses, privateAddresses]).toEqual([5, 102270, '', [], [], []]);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  });

  it('keeps what can be read of an odd row, field by field', () => {
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
      pending_patches: [null],
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

  it('drops fields that nobody knows', () => {
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
