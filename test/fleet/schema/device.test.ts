import { describe, expect, it } from 'vitest';
import { isUnanswered } from '../../../src/fleet/queue-entries.ts';
import { deviceReader, type ExpectedDevices } from '../../../src/fleet/schema/device.ts';
import { packageReader } from '../../../src/fleet/schema/package.ts';
import { queueEntryReader } from '../../../src/fleet/schema/queue-entry.ts';
import { deviceId, groupId, organizationId } from '../../../src/lib/ids.ts';
import { listedDevice, policy, recordedRow } from '../fixtures.ts';
import { rowIn } from './rows-of.ts';

/** The organization of the recording. */
const read = deviceReader({ organizationId: organizationId(102270) });
const deviceOf = (row: unknown) => rowIn(read(row));

describe('a device', () => {
  it('of the fast list has no details, no policies and no status', () => {
    expect(deviceOf(listedDevice(5))).toMatchObject({
      id: 5,
      connected: false,
      detail: null,
      policies: [],
      policyStatuses: [],
      policyCompliance: [],
      policyStatus: null,
      deviceStatus: null,
      agentStatus: null,
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

const readPackage = packageReader(organizationId(7), deviceId(42));
const packageOf = (row: unknown) => rowIn(readPackage(row));
const full = recordedRow('packages-2026.json');

describe('a package', () => {
  it('is read as recorded', () => {
    expect(packageOf(full)).toEqual({
      id: 1,
      name: '',
      displayName: 'Example App',
      version: '120.0.6099',
      installed: true,
      ignored: false,
      ignoredBy: [],
      deferredUntil: null,
      deferredBy: [],
      severity: 'high',
      cves: [],
      exploitedCves: [],
      cveScore: null,
      epssScore: null,
      requiresReboot: false,
    });
  });

  it('without a display name is shown by its machine name', () => {
    expect(packageOf(recordedRow('packages-2026.json', 1))).toMatchObject({
      name: 'example-cli',
      displayName: 'example-cli',
    });
    expect(packageOf({ ...full, name: 'KB1', display_name: '' })).toMatchObject({ displayName: 'KB1' });
  });

  it('has a severity of null when it was not determined, unlike "no_known_cves"', () => {
    expect(packageOf(recordedRow('packages-2026.json', 2)).severity).toBeNull();
    expect(packageOf(recordedRow('packages-2026.json', 1)).severity).toBe('no_known_cves');
  });

  it.each([
    ['"9.6"', '9.6', 9.6],
    ['9.6', 9.6, 9.6],
    ['0', 0, 0],
    ['text', 'high', null],
    ['null', null, null],
  ])('has a score from %s', (_, sent, score) => {
    expect(packageOf({ ...full, cve_score: sent }).cveScore).toBe(score);
  });

  it('keeps its CVEs, and leaves out invalid ones', () => {
    expect(packageOf({ ...full, cves: ['CVE-1', 'CVE-2'] }).cves).toEqual(['CVE-1', 'CVE-2']);
    expect(packageOf({ ...full, cves: [null, 'CVE-1'] }).cves).toEqual(['CVE-1']);
  });

  it('is ignored when the device or its group ignores it', () => {
    const byBoth = { ignored: true, group_ignored: true };
    expect(packageOf({ ...full, ignored: true })).toMatchObject({ ignored: true, ignoredBy: ['device'] });
    expect(packageOf({ ...full, group_ignored: true })).toMatchObject({
      ignored: true,
      ignoredBy: ['group'],
    });
    expect(packageOf({ ...full, ...byBoth }).ignoredBy).toEqual(['device', 'group']);
  });

  it.each([
    ['2026-01-01T00:00:00Z', '2026-02-01 00:00:00', Date.UTC(2026, 1, 1)],
    ['2026-03-01T00:00:00Z', '2026-02-01 00:00:00', Date.UTC(2026, 2, 1)],
    [null, '2026-02-01 00:00:00', Date.UTC(2026, 1, 1)],
    ['2026-03-01T00:00:00Z', null, Date.UTC(2026, 2, 1)],
    [null, null, null],
  ])(
    'deferred until %s by the device and %s by the group',
    (deferred_until, group_deferred_until, expected) => {
      const { deferredUntil, deferredBy } = packageOf({ ...full, deferred_until, group_deferred_until });
      expect(deferredUntil).toBe(expected);
      expect([deferredBy.includes('device'), deferredBy.includes('group')]).toEqual([
        deferred_until !== null,
        group_deferred_until !== null,
      ]);
    },
  );

  it('does not count as installed when the service did not say so', () => {
    expect(packageOf({ id: 1 })).toMatchObject({ installed: false, ignored: false, requiresReboot: false });
  });

  it('with owner 0 has none, and of another device is foreign', () => {
    expect(readPackage({ ...full, server_id: 0, organization_id: 0 }).kind).toBe('row');
    expect(readPackage({ ...full, server_id: 43 }).kind).toBe('foreign');
    expect(readPackage({ ...full, organization_id: 8 }).kind).toBe('foreign');
  });
});

const readEntry = queueEntryReader(organizationId(7), deviceId(42));
const entryWith = (response: unknown) =>
  rowIn(readEntry({ id: 555, server_id: 42, command_type_name: 'GetOS', response }));

describe('the response of a queue entry', () => {
  it.each([
    ['text', 'Rebooting', null],
    ['empty text', '', null],
    ['a number', 0, 0],
    ['a negative number', -1_073_741_502, -1_073_741_502],
    ['a code sent unsigned', 3_221_225_794, -1_073_741_502],
    ['a number as text', ' 3 ', 3],
    ['a hexadecimal number as text', '0xC0000142', -1_073_741_502],
    ['a list with a hexadecimal code', ['0x80070643', 'out', null], -2_147_023_293],
    ['words that begin with a number', '3 packages', null],
    ['a list of exit code, output and rest', ['0', 'Installing …', null], 0],
    ['a list with a number', [1, 'No space left', 'E: held'], 1],
    ['a list of words', ['Installing', 'Done'], null],
    ['a list in a list', [['0', 'Done', null]], 0],
    ['an object', { exit_code: '2', stdout: 'out', stderr: 'err' }, 2],
    ['an object in other letters', { exitCode: 0, Output: 'out' }, 0],
    ['an object around a list', { response: ['5', 'out', null] }, 5],
    ['an object of unknown fields', { phase: 'done' }, null],
    ['a list as JSON text', '["0","Installing",null]', 0],
    ['an object as JSON text', '{"exit_code":1,"output":"out"}', 1],
    ['JSON text inside JSON text', '"[\\"0\\",\\"out\\"]"', 0],
    ['half a JSON', '["0", "Inst', null],
    ['true', true, null],
  ])('is read as %s, without what the device printed', (_what, sent, exitCode) => {
    const entry = entryWith(sent);
    expect(entry.response).toEqual({ exitCode });
    expect(isUnanswered(entry)).toBe(false);
  });

  it.each([
    ['null', null],
    ['nothing', undefined],
    ['an empty list', []],
    ['a list of nulls', [null, null]],
    ['an empty object', {}],
  ])('is null when it is %s', (_what, sent) => {
    const entry = entryWith(sent);
    expect(entry.response).toBeNull();
    expect(isUnanswered(entry)).toBe(true);
  });

  it('of any depth is read safely', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(500)}"out"${']'.repeat(500)}`);
    expect(entryWith(deep).response).toEqual({ exitCode: null });
  });
});
