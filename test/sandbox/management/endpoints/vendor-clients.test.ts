/**
 * Calls as public clients of the service make them, most of them the vendor's own: automox-console-sdk-python, 2021;
 * automox-mcp 2.2.9; scripts of Templates_And_Examples and automox-tools; the Automox pack of demisto/content, 2022;
 * terraform-provider-automox, 2026.
 */
import { describe, expect, it } from 'vitest';
import { startService } from '../harness/service.ts';

describe('GET /policystats', () => {
  it('counts the devices of each policy by the status that they state', async () => {
    const service = await startService({ devices: 30 });
    const ids = (await service.rows('/servers')).map(({ id }) => id);
    const devices = await Promise.all(ids.map((id) => service.get(`/servers/${id}`)));
    const stated = devices.flatMap(({ body }) => Object(body).policy_status);
    const rows = await service.rows('/policystats');
    expect(rows.length).toBe((await service.rows('/policies')).length);
    for (const { policy_id, noncompliant, compliant, pending } of rows)
      expect([noncompliant, compliant, pending]).toEqual(
        [0, 1, 2].map(
          (wanted) => stated.filter((one) => one?.policy_id === policy_id && one?.status === wanted).length,
        ),
      );
  });
});

describe('POST /policies/{id}/action', () => {
  it('takes both from the query, without a body', async () => {
    const service = await startService();
    const query = `action=remediateServer&serverId=${await service.idOf('win-ts-01')}`;
    const answer = await service.raw(
      `/policies/2103/action?o=${service.management.organizationId}&${query}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${service.management.apiKey}` },
      },
    );
    expect(answer).toMatchObject({ status: 201, text: '' });
    expect(await service.rows(`/servers/${await service.idOf('win-ts-01')}/queues`)).toHaveLength(1);
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
  it('needs neither notes nor groups, and takes the organization as text', async () => {
    const { post, rows, management } = await startService();
    const sent = { ...PATCH_POLICY, organization_id: String(management.organizationId) };
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

describe('bodies that are no JSON or have numbers as text', () => {
  it('create a group from a form, with empty fields as null', async () => {
    const { raw, management } = await startService();
    const form = {
      name: 'Lab',
      notes: '',
      parent_server_group_id: '3110',
      refresh_interval: '360',
      policies: '',
    };
    const answer = await raw(`/servergroups?o=${management.organizationId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${management.apiKey}` },
      body: new URLSearchParams(form),
    });
    expect(answer).toMatchObject({
      status: 201,
      body: { parent_server_group_id: 3110, refresh_interval: 360 },
    });
  });

  it('queue a command from a form, and from JSON that calls itself a form', async () => {
    const service = await startService();
    const { apiKey, organizationId } = service.management;
    const queue = `/servers/${await service.idOf('desk-01')}/queues`;
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    for (const body of ['command_type_name=GetOS', '{"command_type_name":"Reboot"}'])
      expect(
        await service.raw(`${queue}?o=${organizationId}`, { method: 'POST', headers, body }),
      ).toMatchObject({ status: 201 });
  });

  it('create a group with its parent and its policies as text', async () => {
    const { post } = await startService();
    const sent = { name: 'Lab', refresh_interval: 1440, parent_server_group_id: '3110', policies: ['2101'] };
    expect(await post('/servergroups', sent)).toMatchObject({
      status: 201,
      body: { parent_server_group_id: 3110 },
    });
  });
});
