/**
 * Calls as public clients of the service make them, most of them the vendor's own: automox-console-sdk-python, 2021;
 * automox-mcp 2.2.9; scripts of Templates_And_Examples and automox-tools; the Automox pack of demisto/content, 2022;
 * terraform-provider-automox, 2026.
 */
import { describe, expect, it } from 'vitest';
import { startService } from '../harness/service.ts';

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
