/** Calls as the vendor's own clients make them: automox-console-sdk-python, 2021, and automox-mcp 2.2.9. */
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
