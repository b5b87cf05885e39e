import { describe, expect, it } from 'vitest';
import { startService } from '../harness/service.ts';

describe('GET /orgs', () => {
  it('lists the organization of the key without being told one, its enrolment secret included', async () => {
    const service = await startService();
    const { apiKey, organizationId } = service.management;
    const headers = { authorization: `Bearer ${apiKey}` };
    const expected = [
      {
        id: organizationId,
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: expect.any(String),
        create_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/),
        tier: 'manage',
        device_limit: null,
        device_count: 240,
        soft_device_limit: null,
        parent_id: null,
        trial_end_time: null,
        metadata: {},
        access_key: expect.stringMatching(/./),
      },
    ];
    for (const path of ['/orgs', '/orgs?o=1', '/orgs?o=mine'])
      expect((await service.raw(path, { headers })).body).toEqual(expected);
  });

  it('counts the devices as they are', async () => {
    const service = await startService();
    await service.delete('/servers/4001');
    expect(await service.rows('/orgs')).toMatchObject([{ device_count: 239 }]);
  });
});
