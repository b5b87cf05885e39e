import { beforeEach, describe, expect, it } from 'vitest';
import type { DevicePreviewFilter, FleetDeviceQuery, FleetEventFilter } from '../../../src/fleet/fleet.ts';
import type { FleetCommand } from '../../../src/fleet/model/actions.ts';
import { instant } from '../../../src/lib/clock.ts';
import { deviceId, groupId, policyId, serviceUserId } from '../../../src/lib/ids.ts';
import { useStarted } from '../../harness/use-started.ts';
import { idsOf, rowsOf, startStage } from './stage.ts';

const DEVICE = deviceId(4_004);
const GROUP = groupId(3_112);
const POLICY = policyId(2_103);
const day = (text: string) => instant(Date.parse(`${text}T00:00:00Z`));

describe.each(['documented', 'live'] as const)('the client reads the %s service', (profile) => {
  const stage = useStarted(() => startStage(profile));
  beforeEach(() => stage.management.reset());

  it.each<[string, FleetDeviceQuery, Readonly<Record<string, string | number>>]>([
    ['nothing', {}, {}],
    ['groupId', { groupId: GROUP }, { groupId: 3_112 }],
    ['missing patches', { missingPatches: true }, { patchStatus: 'missing' }],
    ['PowerShell', { shellVersion: '5.1', withDetails: true }, { PS_VERSION: '5.1' }],
    ['both', { groupId: GROUP, missingPatches: true }, { groupId: 3_112, patchStatus: 'missing' }],
  ])('GET /servers by %s', async (_, query, bare) => {
    stage.management.world({ do: 'patch-applies', device: 'desk-01' });
    const expected = idsOf(await stage.bare('/servers', bare));
    expect(expected.length).toBeGreaterThan(0);
    expect(idsOf(await rowsOf(stage.reader.devices(query)))).toEqual(expected);
    const all = await stage.bare('/servers');
    expect(expected.length < all.length).toBe(Object.keys(bare).length > 0);
  });

  it('GET /servers without the policies', async () => {
    const rows = await rowsOf(stage.reader.devices({ withoutPolicyStatus: true }));
    expect(rows.every(({ policyStatuses }) => policyStatuses.length === 0)).toBe(profile === 'live');
  });

  it('GET /servers/{id}', async () => {
    const [sent] = await stage.bare('/servers/4004');
    expect(await stage.reader.device(DEVICE)).toMatchObject({
      id: DEVICE,
      uuid: sent?.['uuid'],
      name: 'win-ts-01',
      customName: null,
      groupId: GROUP,
      osFamily: 'Windows',
      needsReboot: true,
      lastLoggedInUser: 'CORP\\jsmith',
      serialNumber: sent?.['serial_number'],
      pendingPatches: sent?.['pending_patches'],
      lastRefreshTime: Date.parse(String(sent?.['last_refresh_time']).replace('+0000', 'Z')),
      detail: {
        lastLogon: { user: 'CORP\\jsmith' },
        volumes: expect.arrayContaining([expect.objectContaining({ name: 'C:', systemDisk: true })]),
      },
    });
  });

  it('GET /servers/{id} fails as missing for an unknown device', async () => {
    await expect(stage.reader.device(deviceId(1))).rejects.toMatchObject({
      error: { kind: 'missing', status: 404 },
    });
  });

  it('GET /servers/{id}/packages, of several pages', async () => {
    const sent = [
      ...(await stage.bare('/servers/4009/packages')),
      ...(await stage.bare('/servers/4009/packages', { page: 1 })),
    ];
    const read = await rowsOf(stage.reader.packages(deviceId(4_009)));
    expect(read.length).toBeGreaterThan(500);
    expect(idsOf(read)).toEqual(idsOf(sent));
    expect(read.map(({ name, installed, severity }) => ({ name, installed, severity }))).toEqual(
      sent.map(({ name, installed, severity }) => ({ name, installed, severity })),
    );
  });

  it('GET /servers/{id}/queues', async () => {
    expect(await stage.reader.queue(DEVICE)).toEqual([]);
    await stage.writer.issue(DEVICE, { kind: 'reboot' });
    const [sent] = await stage.bare('/servers/4004/queues');
    expect(await stage.reader.queue(DEVICE)).toMatchObject([
      {
        id: sent?.['id'],
        type: 'Reboot',
        args: '',
        execTime: stage.clock.now(),
        response: null,
      },
    ]);
  });

  it.each<[string, FleetEventFilter, Readonly<Record<string, string | number>>]>([
    ['nothing', {}, {}],
    ['device', { deviceId: DEVICE }, { serverId: 4_004 }],
    ['policy', { policyId: POLICY }, { policyId: 2_103 }],
    ['user', { userId: serviceUserId(701) }, { userId: 701 }],
    ['name', { name: 'system.patch.failed' }, { eventName: 'system.patch.failed' }],
    ['first day', { after: day('2026-03-05') }, { startDate: '2026-03-05' }],
    ['last day', { before: day('2026-03-05') }, { endDate: '2026-03-05' }],
  ])('GET /events by %s, and their number', async (_, filter, bare) => {
    const expected = idsOf(await stage.bare('/events', bare));
    expect(expected.length).toBeGreaterThan(0);
    expect(idsOf(await rowsOf(stage.reader.events(filter)))).toEqual(expected);
    expect(idsOf(await rowsOf(stage.reader.events({ ...filter, pageSize: 100 })))).toEqual(expected);
    expect(await stage.reader.countEvents(filter)).toBe(expected.length);
    expect(expected.length < (await stage.bare('/events')).length).toBe(Object.keys(bare).length > 0);
  });

  it('GET /events of more than a page', async () => {
    stage.management.world({ do: 'storm', count: 60 });
    stage.management.world({ do: 'storm', count: 60 });
    const count = await stage.reader.countEvents();
    const rows = await rowsOf(stage.reader.events());
    expect(count).toBeGreaterThan(500);
    expect(new Set(idsOf(rows)).size).toBe(count);
  });

  it('GET /servergroups and GET /servergroups/{id}', async () => {
    const groups = await rowsOf(stage.reader.groups());
    expect(idsOf(groups)).toEqual(idsOf(await stage.bare('/servergroups')));
    const servers = groups.find(({ id }) => id === GROUP);
    expect(servers).toMatchObject({
      name: 'Windows servers',
      parentId: 3_110,
      refreshIntervalMinutes: 1_440,
      policyIds: [2_101, 2_103],
      wsus: { managed: true, server: 'http://wsus.example.com:8530' },
    });
    expect(await stage.reader.group(GROUP)).toEqual(servers);
  });

  it('GET /servergroups/{id} distinguishes a deleted group from a forbidden one', async () => {
    await expect(stage.reader.group(groupId(1))).rejects.toMatchObject({
      error: { kind: 'missing', status: 403 },
    });
  });

  it('GET /policies and GET /policies/{id}, without their configuration', async () => {
    const policies = await rowsOf(stage.reader.policies());
    expect(idsOf(policies)).toEqual(idsOf(await stage.bare('/policies')));
    const worklet = await stage.reader.policy(POLICY);
    expect(worklet).toEqual(policies.find(({ id }) => id === POLICY));
    expect(worklet).toMatchObject({
      name: 'Disable SMBv1',
      type: 'custom',
      schedule: { days: 254, time: '02:00' },
    });
    expect(JSON.stringify(policies)).not.toContain('not-for-chat');
  });

  it('GET /orgs, without their secret', async () => {
    const [sent] = await stage.bare('/orgs');
    const organizations = await rowsOf(stage.reader.organizations());
    expect(organizations).toMatchObject([
      { id: stage.management.organizationId, name: sent?.['name'], tier: sent?.['tier'] },
    ]);
    expect(JSON.stringify(organizations)).not.toContain(String(sent?.['access_key']));
  });

  const FILTERS: readonly (readonly [string, DevicePreviewFilter, RegExp, string])[] = [
    ['in', { field: 'os_family', op: 'in', values: ['Mac'] }, /^Mac$/, 'os_family'],
    ['not in', { field: 'os_family', op: 'not_in', values: ['Windows'] }, /^(Mac|Linux)$/, 'os_family'],
    ['in', { field: 'os_version_id', op: 'in', values: ['5103'] }, /^5103$/, 'os_version_id'],
    ['not in', { field: 'os_version_id', op: 'not_in', values: ['5103'] }, /^(?!5103)/, 'os_version_id'],
    ['like any', { field: 'hostname', op: 'like_any', values: ['web'] }, /web/, 'name'],
    ['not like any', { field: 'hostname', op: 'not_like_any', values: ['web'] }, /^(?!.*web)/, 'name'],
    ['like any', { field: 'tag', op: 'like_any', values: ['critical'] }, /critical/, 'tags'],
    ['not like any', { field: 'tag', op: 'not_like_any', values: ['critical'] }, /^(?!.*critical)/, 'tags'],
    [
      'like any',
      { field: 'ip_addr', op: 'like_any', values: ['10.20.15.161'] },
      /10\.20\.15\.161/,
      'ip_addrs_private',
    ],
    [
      'not like any',
      { field: 'ip_addr', op: 'not_like_any', values: ['10.20.15.161'] },
      /^(?!.*10\.20\.15\.161)/,
      'ip_addrs_private',
    ],
  ];
  it.each(FILTERS)('POST /policies/device-filters-preview %s: %o', async (_, filter, pattern, field) => {
    const [first, ...others] = idsOf(await stage.bare('/servergroups')).map(groupId);
    if (first === undefined) throw new Error('There are no groups.');
    const devices = await stage.bare('/servers');
    const expected = idsOf(devices.filter((device) => pattern.test(String(device[field]))));
    const query = { filters: [filter], groupIds: [first, ...others], pageSize: 7 } as const;
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(devices.length);
    expect(idsOf(await rowsOf(stage.reader.preview(query)))).toEqual(expected);
  });

  it('POST /policies/device-filters-preview with all its facts about a device', async () => {
    const filters = [{ field: 'hostname', op: 'like_any', values: ['win-ts-01'] }] as const;
    const [sent] = await stage.bare('/servers/4004');
    expect(await rowsOf(stage.reader.preview({ filters, groupIds: [GROUP] }))).toEqual([
      {
        id: DEVICE,
        name: 'win-ts-01',
        customName: null,
        groupId: GROUP,
        groupName: 'Windows servers',
        osFamily: 'Windows',
        osVersion: '10.0.20348',
        addresses: sent?.['ip_addrs'],
        privateAddresses: sent?.['ip_addrs_private'],
        tags: [],
      },
    ]);
  });
});

const TOP = groupId(3_100);

const BRANCH = {
  name: 'Branch offices',
  refreshIntervalMinutes: 720,
  parentId: TOP,
  color: '#BD0FE1',
  notes: 'Seldom online.',
  osAutoUpdate: false,
  wsus: { enabled: true, server: 'http://branch.example.com:8530' },
  policyIds: [policyId(2_101)],
} as const;
const BRANCH_SENT = {
  name: 'Branch offices',
  refresh_interval: 720,
  parent_server_group_id: 3_100,
  ui_color: '#BD0FE1',
  notes: 'Seldom online.',
  enable_os_auto_update: false,
  wsus_config: expect.objectContaining({ is_managed: true, server_url: 'http://branch.example.com:8530' }),
  policies: [2_101],
};

describe.each(['documented', 'live'] as const)('the client writes to the %s service', (profile) => {
  const stage = useStarted(() => startStage(profile));
  beforeEach(() => stage.management.reset());

  it.each<[FleetCommand, string, string]>([
    [{ kind: 'scan' }, 'GetOS', ''],
    [{ kind: 'reboot' }, 'Reboot', ''],
    [{ kind: 'patch-all' }, 'InstallAllUpdates', ''],
    [{ kind: 'patch', packages: ['KB5042881', 'GoogleChrome'] }, 'InstallUpdate', 'KB5042881 GoogleChrome'],
    [{ kind: 'policy-test', policyId: POLICY }, 'policy_2103_test', ''],
    [{ kind: 'policy-remediate', policyId: POLICY }, 'policy_2103_remediate', ''],
  ])('a command to one device: %o', async (command, type, args) => {
    expect(await stage.writer.issue(DEVICE, command)).toEqual({ kind: 'accepted' });
    expect(await stage.bare('/servers/4004/queues')).toMatchObject([{ command_type_name: type, args }]);
    expect(await stage.bare('/servers/4003/queues')).toEqual([]);
  });

  it('a command to an unknown device is refused', async () => {
    expect(await stage.writer.issue(deviceId(1), { kind: 'reboot' })).toMatchObject({
      kind: 'refused',
      error: { kind: 'missing', status: 404 },
    });
  });

  it('POST /servergroups', async () => {
    const outcome = await stage.editor.createGroup(BRANCH);
    expect(outcome).toMatchObject({
      kind: 'done',
      result: {
        group: { name: 'Branch offices', refreshIntervalMinutes: 720, parentId: TOP },
        notApplied: [],
      },
    });
    const created = (await stage.bare('/servergroups')).filter(({ name }) => name === 'Branch offices');
    expect(created).toMatchObject([BRANCH_SENT]);
  });

  it('POST /servergroups refuses a refresh interval that the service would reject, before sending it', async () => {
    const least = profile === 'live' ? 240 : 360;
    const outcome = await stage.editor.createGroup({ ...BRANCH, refreshIntervalMinutes: least - 1 });
    expect(outcome).toMatchObject({ kind: 'refused', error: { kind: 'invalid', status: null } });
    const taken = await stage.editor.createGroup({ ...BRANCH, refreshIntervalMinutes: least });
    expect(taken).toMatchObject({ kind: 'done', result: { group: { refreshIntervalMinutes: least } } });
  });

  it('PUT /servergroups/{id}, keeping all other fields', async () => {
    const [before] = await stage.bare('/servergroups/3112');
    const outcome = await stage.editor.updateGroup(GROUP, { notes: 'Only at night.' });
    expect(outcome).toMatchObject({
      kind: 'done',
      result: { after: { notes: 'Only at night.', name: 'Windows servers' }, notApplied: [] },
    });
    const [after] = await stage.bare('/servergroups/3112');
    const { notes: _, wsus_config: wsus, ...kept } = before ?? {};
    expect(after).toMatchObject({ ...kept, notes: 'Only at night.' });
    expect(after?.['wsus_config']).toMatchObject({ is_managed: true, server_url: Object(wsus).server_url });
  });

  it('PUT /servergroups/{id} in every field', async () => {
    expect(await stage.editor.updateGroup(GROUP, BRANCH)).toMatchObject({
      kind: 'done',
      result: { notApplied: [] },
    });
    expect(await stage.bare('/servergroups/3112')).toMatchObject([BRANCH_SENT]);
  });

  it('DELETE /servergroups/{id}, whose devices move to the Default Group', async () => {
    expect(await stage.editor.deleteGroup(GROUP)).toEqual({ kind: 'done', result: { gone: true } });
    expect(await stage.bare('/servergroups/3112')).toEqual([]);
    expect(await stage.bare('/servers/4004')).toMatchObject([{ server_group_id: 3_100 }]);
  });

  it.each([
    ['group', { groupId: groupId(3_140) }, { server_group_id: 3_140 }],
    ['exception', { exception: true }, { exception: true }],
    ['custom name', { customName: 'Terminal server' }, { custom_name: 'Terminal server' }],
    ['tags', { tags: ['till', 'ground floor'] }, { tags: ['till', 'ground floor'] }],
    ['addresses', { addresses: ['203.0.113.77'] }, { ip_addrs: ['203.0.113.77'] }],
  ] as const)('PUT /servers/{id} in its %s, and in nothing else', async (_, change, sent) => {
    await stage.editor.updateDevice(DEVICE, { customName: 'TS', tags: ['a'], exception: false });
    const [before] = await stage.bare('/servers/4004');
    const outcome = await stage.editor.updateDevice(DEVICE, change);
    expect(outcome).toMatchObject({
      kind: 'done',
      result: { after: change, notApplied: [], alsoChanged: [] },
    });
    const [after] = await stage.bare('/servers/4004');
    const { server_group_id, exception, custom_name, tags, ip_addrs } = before ?? {};
    expect(after).toMatchObject({ server_group_id, exception, custom_name, tags, ip_addrs, ...sent });
  });

  it('PUT /servers/{id} removes a custom name', async () => {
    await stage.editor.updateDevice(DEVICE, { customName: 'TS' });
    const outcome = await stage.editor.updateDevice(DEVICE, { customName: null });
    expect(outcome).toMatchObject({ kind: 'done', result: { after: { customName: null }, notApplied: [] } });
    expect(await stage.bare('/servers/4004')).toMatchObject([
      { custom_name: profile === 'live' ? '' : null },
    ]);
  });

  it('tags of several devices, leaving their other tags alone', async () => {
    const ids = [deviceId(4_001), deviceId(4_003)];
    const retag = { add: ['till'], remove: ['production'] };
    const outcomes =
      profile === 'live'
        ? await stage.editor.tagDevices(ids, retag)
        : await Promise.all(
            ids.map(async (id) => ({
              deviceId: id,
              outcome: await stage.editor.updateDevice(id, { retag }),
            })),
          );
    expect(outcomes).toMatchObject(
      ids.map((id) => ({
        deviceId: id,
        outcome: { kind: 'done', result: { notApplied: [], unconfirmed: [], after: { id } } },
      })),
    );
    expect(await stage.bare('/servers/4001')).toMatchObject([{ tags: ['web', 'till'] }]);
    expect(await stage.bare('/servers/4003')).toMatchObject([{ tags: ['critical', 'till'] }]);
  });

  it('DELETE /servers/{id}', async () => {
    expect(await stage.editor.deleteDevice(DEVICE)).toEqual({ kind: 'done', result: { gone: true } });
    expect(await stage.bare('/servers/4004')).toEqual([]);
    expect(await stage.bare('/events', { serverId: 4_004, eventName: 'system.delete' })).toHaveLength(1);
  });

  it('POST /policies, found again by its name', async () => {
    const outcome = await stage.editor.createPolicy({
      name: 'Patch the tills',
      severities: ['critical', 'high'],
      notes: 'On workdays.',
      days: 62,
      time: '03:30',
      ...(profile === 'live' ? { timezone: 'UTC+0100' } : {}),
      groupIds: [groupId(3_140)],
      settings: { autoReboot: true, deferrals: 2, deferralHours: [2, 6], patchText: 'Updates!' },
    });
    expect(outcome).toMatchObject({
      kind: 'done',
      result: {
        after: { name: 'Patch the tills', groupIds: [3_140] },
        notApplied: [],
        unconfirmed: [],
        alsoChanged: [],
      },
    });
    const created = (await stage.bare('/policies')).filter(({ name }) => name === 'Patch the tills');
    expect(created).toMatchObject([
      {
        policy_type_name: 'patch',
        notes: 'On workdays.',
        schedule_days: 62,
        schedule_time: '03:30',
        server_groups: [3_140],
        ...(profile === 'live' ? { use_scheduled_timezone: true, scheduled_timezone: 'UTC+0100' } : {}),
        configuration: {
          patch_rule: 'filter',
          filter_type: 'severity',
          severity_filter: ['critical', 'high'],
          auto_patch: true,
          auto_reboot: true,
          notify_user: false,
          custom_notification_max_delays: 2,
          custom_notification_deferment_periods: [2, 6],
          custom_notification_patch_message: 'Updates!',
        },
      },
    ]);
  });

  it('PUT /policies/{id}, keeping the scripts and all other fields', async () => {
    const [before] = await stage.bare('/policies/2103');
    const outcome = await stage.editor.updatePolicy(POLICY, { notes: 'See the runbook.' });
    expect(outcome).toMatchObject({
      kind: 'done',
      result: { after: { notes: 'See the runbook.', name: 'Disable SMBv1' }, notApplied: [] },
    });
    expect(await stage.bare('/policies/2103')).toEqual([{ ...before, notes: 'See the runbook.' }]);
  });

  it('a write with a key that may only read is refused as forbidden, and changes nothing', async () => {
    const before = await stage.bare('/servers/4004');
    expect(await stage.readOnly.writer.issue(DEVICE, { kind: 'reboot' })).toMatchObject({
      kind: 'refused',
      error: { kind: 'forbidden', status: 403 },
    });
    expect(await stage.readOnly.editor.updateDevice(DEVICE, { exception: true })).toMatchObject({
      kind: 'refused',
      error: { kind: 'forbidden', status: 403 },
    });
    expect(await stage.bare('/servers/4004')).toEqual(before);
    expect(await stage.bare('/servers/4004/queues')).toEqual([]);
  });
});
