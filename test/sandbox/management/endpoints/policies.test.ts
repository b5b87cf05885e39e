import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../../src/lib/clock.ts';
import { madePerTest } from '../../../harness/use-started.ts';
import { type JsonRow, NEW_WORKLET as NEW, rowOf, startService } from '../harness/service.ts';

const service = madePerTest(startService);

const ALL_PATCHES = 2101;
const WORKLET = 2103;
const NOT_FOUND = { status: 404, body: { errors: ['Not found'] } };

async function read(id: unknown): Promise<JsonRow> {
  return rowOf((await service.get(`/policies/${id}`)).body);
}
async function named(name: string): Promise<JsonRow | undefined> {
  return (await service.rows('/policies')).find((row) => row['name'] === name);
}

/** What a request leaves out, and what the service says of it. */
const UNSET = {
  notes: '',
  schedule_weeks_of_month: 0,
  schedule_months: 0,
  server_groups: null,
  server_count: 0,
  next_remediation: null,
  status: 'inactive',
};

describe('GET /policies', () => {
  it('has whole rows, with scripts and secrets in them', async () => {
    const rows = await service.rows('/policies');
    expect(rows.map((row) => row['policy_type_name'])).toEqual([
      'patch',
      'patch',
      'custom',
      'required_software',
    ]);
    expect(rows[2]).toEqual({
      id: WORKLET,
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organization_id: service.management.organizationId,
      name: 'Disable SMBv1',
      policy_type_name: 'custom',
      configuration: {
        os_family: 'Windows',
        evaluation_code: expect.stringContaining('Get-WindowsOptionalFeature'),
        remediation_code: expect.stringContaining('$password'),
      },
      schedule_days: 254,
      schedule_weeks_of_month: 62,
      schedule_months: 8190,
      schedule_time: '02:00',
      next_remediation: '2026-03-11T02:00:00+0000',
      notes: 'Turns the old file sharing protocol off.',
      create_time: '2022-04-29T01:30:09+0000',
      server_groups: [3112, 3121],
      server_count: expect.any(Number),
      status: 'active',
      policy_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      account_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      use_scheduled_timezone: false,
      scheduled_timezone: null,
      community_worklet_id: null,
      community_worklet_uuid: null,
      policy_template_id: null,
      policy_template_uuid: null,
    });
  });

  it('has the document’s fields only where it is as documented', async () => {
    const service = await startService({ profile: 'documented' });
    const [policy] = await service.rows('/policies');
    expect(policy).not.toHaveProperty('use_scheduled_timezone');
  });

  it('counts the devices of the groups that link to it', async () => {
    const devices = [3112, 3121].map((id) => service.rows(`/servers?groupId=${id}`));
    const count = (await Promise.all(devices)).flat().length;
    expect(await read(WORKLET)).toMatchObject({ server_count: count });
  });

  it('is the same alone, in the list, and at a device', async () => {
    for (const row of await service.rows('/policies')) expect(await read(row['id'])).toEqual(row);
    const { server_policies } = await service.device('win-ts-01');
    expect(server_policies).toEqual([await read(ALL_PATCHES), await read(WORKLET)]);
  });

  it.each(['1', 'Disable', '2103x'])('does not find %s', async (id) => {
    expect(await service.get(`/policies/${id}`)).toMatchObject(NOT_FOUND);
    expect(await service.put(`/policies/${id}`, NEW)).toMatchObject(NOT_FOUND);
    expect(await service.post(`/policies/${id}/action`, { action: 'remediateAll' })).toMatchObject(NOT_FOUND);
  });
});

describe('POST /policies', () => {
  it('answers with 201 and nothing, and the policy is found by its name', async () => {
    expect(await service.post('/policies', NEW)).toMatchObject({ status: 201, text: '' });
    expect(await named(NEW.name)).toMatchObject({
      ...NEW,
      ...UNSET,
      create_time: '2026-03-10T12:00:00+0000',
    });
  });

  it('takes every field, and links the policy to its groups', async () => {
    const sent = {
      ...NEW,
      schedule_days: 62,
      schedule_weeks_of_month: 2,
      schedule_months: 8190,
      schedule_time: '23:59',
      notes: 'n',
      server_groups: [3140],
    };
    expect(await service.post('/policies', sent)).toMatchObject({ status: 201 });
    const made = await named(NEW.name);
    expect(made).toMatchObject({ ...sent, status: 'active' });
    expect((await service.get('/servergroups/3140')).body).toMatchObject({ policies: [made?.['id']] });
    const devices = await service.rows(`/servers?policyId=${made?.['id']}`);
    expect(devices).toHaveLength(Number(made?.['server_count']));
    expect(devices.length).toBeGreaterThan(0);
  });

  it.each([
    ['name', ' ', 'The name field is required.'],
    ['name', 'Disable SMBv1', 'The name must be unique.'],
    ['policy_type_name', 'worklet', 'The selected policy_type_name is invalid.'],
    ['configuration', [], 'The configuration must be an object.'],
    ['configuration', null, 'The configuration must be an object.'],
    ['schedule_days', 255, 'The schedule_days may not be greater than 254.'],
    ['schedule_weeks_of_month', 63, 'The schedule_weeks_of_month may not be greater than 62.'],
    ['schedule_months', -1, 'The schedule_months must be at least 0.'],
    ['schedule_time', '24:00', 'The schedule_time does not match the format H:i.'],
    ['notes', 1, 'The notes must be a string.'],
    ['server_groups', [{ id: 3140 }], 'The server_groups must be an integer.'],
    ['server_groups', null, 'The server_groups must be an array.'],
  ])('refuses %s: %j, and makes nothing', async (field, value, message) => {
    expect(await service.post('/policies', { ...NEW, [field]: value })).toMatchObject({
      status: 400,
      body: { errors: { [field]: [message] } },
    });
    expect(await service.rows('/policies')).toHaveLength(4);
  });

  it.each([
    ['patch', { patch_rule: 'all' }, 'filter_type'],
    ['custom', { evaluation_code: 'x', remediation_code: 'x' }, 'os_family'],
    ['custom', { os_family: 'Mac', remediation_code: 'x' }, 'evaluation_code'],
    ['required_software', { os_family: 'Mac', package_name: 'x', package_version: '1' }, 'installation_code'],
  ])('refuses a %s policy with only %j', async (type, configuration, missing) => {
    const sent = { ...NEW, policy_type_name: type, configuration };
    expect(await service.post('/policies', sent)).toMatchObject({
      status: 400,
      body: { errors: { configuration: [`The configuration.${missing} field is required.`] } },
    });
  });

  it.each([{ server_groups: [3140, 1] }, { organization_id: 1 }])('is forbidden with %j', async (field) => {
    expect(await service.post('/policies', { ...NEW, ...field })).toMatchObject({ status: 403 });
    expect(await service.rows('/policies')).toHaveLength(4);
  });
});

describe('PUT /policies/{id}', () => {
  it('leaves a policy that is sent as it was read as it is', async () => {
    const before = await service.rows('/policies');
    for (const row of before) {
      const sent = { ...row, server_groups: row['server_groups'] ?? [] };
      expect(await service.put(`/policies/${row['id']}`, sent)).toMatchObject({ status: 204, text: '' });
    }
    expect(await service.rows('/policies')).toEqual(before);
  });

  it('replaces the whole policy: what is left out is cleared, secrets and groups too', async () => {
    const before = await read(WORKLET);
    await service.put(`/policies/${WORKLET}`, { ...NEW, id: WORKLET });
    expect(await read(WORKLET)).toEqual({ ...before, ...NEW, ...UNSET });
  });

  it('is in the way of its own name without its id in the body', async () => {
    const { id, ...rest } = await read(WORKLET);
    expect(await service.put(`/policies/${id}`, rest)).toMatchObject({
      status: 400,
      body: { errors: { name: ['The name must be unique.'] } },
    });
  });

  it.each([
    ['id', { id: ALL_PATCHES }],
    ['name', { name: 'Require VPN client' }],
    [
      'policy_type_name',
      { policy_type_name: 'patch', configuration: { patch_rule: 'all', filter_type: 'all' } },
    ],
    ['configuration', { configuration: undefined }],
  ])('refuses another %s', async (field, change) => {
    const before = await read(WORKLET);
    expect(await service.put(`/policies/${WORKLET}`, { ...before, ...change })).toMatchObject({
      status: 400,
      body: { errors: { [field]: [expect.any(String)] } },
    });
    expect(await read(WORKLET)).toEqual(before);
  });
});

describe('POST /policies/{id}/action', () => {
  it('remediates one device through its queue, and an event says so', async () => {
    const id = await service.idOf('win-ts-01');
    const answer = await service.post(`/policies/${WORKLET}/action`, {
      action: 'remediateServer',
      serverId: id,
    });
    expect(answer).toMatchObject({ status: 201, text: '' });
    expect(await service.rows(`/servers/${id}/queues`)).toMatchObject([
      { command_type_name: `policy_${WORKLET}_remediate`, policy_id: WORKLET, response: null },
    ]);
    await service.clock.advance(2 * MINUTE);
    const [event] = await service.rows(`/events?policyId=${WORKLET}&serverId=${id}&limit=1`);
    expect(event).toMatchObject({
      name: 'system.policy.action',
      policy_name: 'Disable SMBv1',
      policy_type_name: 'custom',
      data: { status: 0 },
    });
  });

  it.each([
    ['alone', {}],
    ['with a device beside it that does not count', { serverId: 4004 }],
  ])('remediates every device of the policy, and no other: %s', async (_, more) => {
    await service.post(`/policies/${WORKLET}/action`, { action: 'remediateAll', ...more });
    const own = (await service.rows(`/servers?policyId=${WORKLET}`)).map(({ id }) => id);
    expect(own.length).toBeGreaterThan(1);
    for (const { id } of await service.rows('/servers'))
      expect(await service.rows(`/servers/${id}/queues`)).toHaveLength(own.includes(id) ? 1 : 0);
  });

  it('does not find a device that is not there', async () => {
    const body = { action: 'remediateServer', serverId: 1 };
    expect(await service.post(`/policies/${WORKLET}/action`, body)).toMatchObject(NOT_FOUND);
  });
});

describe('POST /policies', () => {
  it.each([
    ['notify_user', 'yes', 'The configuration.notify_user field must be true or false.'],
    ['notify_user_message_timeout', 14, 'The configuration.notify_user_message_timeout must be at least 15.'],
    [
      'custom_notification_deferment_periods',
      [1, 2, 3, 4],
      'The configuration.custom_notification_deferment_periods may not have more than 3 items.',
    ],
    [
      'custom_notification_deferment_periods',
      [4, 4],
      'The configuration.custom_notification_deferment_periods has a duplicate value.',
    ],
    [
      'custom_pending_reboot_notification_max_delays',
      -1,
      'The configuration.custom_pending_reboot_notification_max_delays must be at least 0.',
    ],
    [
      'custom_notification_reboot_message_mac',
      'x'.repeat(71),
      'The configuration.custom_notification_reboot_message_mac may not be greater than 70 characters.',
    ],
  ])('refuses the setting %s: %j', async (name, value, message) => {
    const configuration = { ...NEW.configuration, [name]: value };
    expect(await service.post('/policies', { ...NEW, configuration })).toMatchObject({
      status: 400,
      body: { errors: { configuration: [message] } },
    });
    expect(await service.rows('/policies')).toHaveLength(4);
  });

  it.each([
    [{ use_scheduled_timezone: true }, 'The scheduled_timezone field is required.'],
    [
      { use_scheduled_timezone: true, scheduled_timezone: 'Europe/Berlin' },
      'The scheduled_timezone format is invalid.',
    ],
  ])('refuses the time zone in %j', async (zone, message) => {
    expect(await service.post('/policies', { ...NEW, ...zone })).toMatchObject({
      status: 400,
      body: { errors: { scheduled_timezone: [message] } },
    });
  });

  // automox-mcp, CHANGELOG, seen 2026-06-03
  it('refuses device filters of the older shape', async () => {
    const configuration = { ...NEW.configuration, device_filters: [{ type: 'tag', tag_name: 'db' }] };
    expect(await service.post('/policies', { ...NEW, configuration })).toMatchObject({
      status: 400,
      body: {
        errors: {
          configuration: expect.arrayContaining([
            'The configuration.device_filters.field field is required.',
          ]),
        },
      },
    });
  });

  it.each([
    ['is for the devices that its filters match', { device_filters_enabled: true }, ['web-01']],
    ['without the switch of its filters is for all devices of its groups', {}, ['web-01', 'web-02']],
    [
      'with a filter of an unknown field is for the devices that the others match',
      {
        device_filters_enabled: true,
        device_filters: [
          { field: 'hostname', op: 'in', value: ['web-02'] },
          { field: 'device-id', op: 'in', value: [1] },
        ],
      },
      ['web-02'],
    ],
  ])('%s', async (_what, filters, names) => {
    const device_filters = [{ field: 'hostname', op: 'in', value: ['web-01'] }];
    const configuration = { ...NEW.configuration, device_filters, ...filters };
    const { server_group_id } = Object((await service.get(`/servers/${await service.idOf('web-01')}`)).body);
    await service.post('/policies', { ...NEW, configuration, server_groups: [server_group_id] });
    const id = (await service.rows('/policies')).find(({ name }) => name === NEW.name)?.['id'];
    const listed = await service.rows(`/servers?policyId=${id}`);
    const own = listed.map(({ name }) => name).filter((name) => name === 'web-01' || name === 'web-02');
    expect(own).toEqual(names);
    const single = await Promise.all(listed.map(({ id: one }) => service.get(`/servers/${one}`)));
    for (const { body } of single)
      expect(Object(body).policy_status).toContainEqual(expect.objectContaining({ policy_id: id }));
  });
});

describe('GET /orgs/{id}/packages', () => {
  it('has the organization in its path and needs no other', async () => {
    const { raw, management } = await startService();
    const headers = { authorization: `Bearer ${management.apiKey}` };
    const answer = await raw(`/orgs/${management.organizationId}/packages?limit=1`, { headers });
    expect(answer).toMatchObject({ status: 200, body: [{ id: expect.any(Number) }] });
  });
});

describe('PUT /policies/{id}', () => {
  it('takes a policy without groups as it was read', async () => {
    const { post, put, rows } = await startService();
    const { id: _id, ...policy } = (await rows('/policies'))[0] ?? {};
    expect(await post('/policies', { ...policy, name: 'Alone', server_groups: [] })).toMatchObject({
      status: 201,
    });
    const read = (await rows('/policies')).find(({ name }) => name === 'Alone');
    expect(read).toMatchObject({ server_groups: null });
    expect(await put(`/policies/${read?.['id']}`, { ...read, notes: 'x' })).toMatchObject({ status: 204 });
  });
});

/** As AutomoxCommunity/Templates_And_Examples, CreatePrimaryPatchPolicy.ps1, sends it. */
const PATCH_POLICY = {
  name: 'TEMPLATE-Primary-Patch-Policy',
  policy_type_name: 'patch',
  configuration: { filter_type: 'exclude', patch_rule: 'filter', filters: ['*Preview*'], auto_patch: true },
  schedule_days: 0,
  schedule_weeks_of_month: 0,
  schedule_months: 0,
  schedule_time: '02:00',
};

describe('POST /policies', () => {
  it('needs neither notes nor groups', async () => {
    const { post, rows, management } = await startService();
    const sent = { ...PATCH_POLICY, organization_id: management.organizationId };
    expect(await post('/policies', sent)).toMatchObject({ status: 201 });
    const made = (await rows('/policies')).find(({ name }) => name === sent.name);
    expect(made).toMatchObject({
      organization_id: management.organizationId,
      notes: '',
      server_groups: null,
    });
    expect(await post('/policies', sent)).toMatchObject({ status: 400 });
  });

  it.each([
    [{ os_family: 'windows', evaluation_code: 'x', remediation_code: 'x' }, 'custom'],
    [{ filter_type: 'all', patch_rule: 'advanced' }, 'patch'],
    [
      { filter_type: 'all', patch_rule: 'advanced', advanced_filter: [{ left: 'x', op: 'is', right: 'y' }] },
      'patch',
    ],
  ])('refuses a configuration of %j', async (configuration, type) => {
    const { post, management } = await startService();
    const sent = { ...PATCH_POLICY, organization_id: management.organizationId, policy_type_name: type };
    expect(await post('/policies', { ...sent, configuration })).toMatchObject({
      status: 400,
      body: { errors: { configuration: [expect.any(String)] } },
    });
  });

  it('takes rules with a left side, a condition and a right side', async () => {
    const { post, management } = await startService();
    const rules = [{ left: 'patch-source', condition: 'is', right: 'windowsupdate' }];
    const configuration = { filter_type: 'all', patch_rule: 'advanced', advanced_filter: rules };
    const sent = { ...PATCH_POLICY, organization_id: management.organizationId, configuration };
    expect(await post('/policies', sent)).toMatchObject({ status: 201 });
  });
});
