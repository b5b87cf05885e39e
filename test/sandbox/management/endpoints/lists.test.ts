import { describe, expect, it } from 'vitest';
import { DAY } from '../../../../src/lib/clock.ts';
import { madePerTest } from '../../../harness/use-started.ts';
import { rowOf, startService, type TestService } from '../harness/service.ts';

const service = madePerTest(startService);

describe('GET /servers/{id}/packages', () => {
  it('says how bad a missing patch is', async () => {
    const [openssl] = await service.rows('/servers/4001/packages');
    expect(openssl).toMatchObject({
      name: 'openssl',
      severity: 'critical',
      cves: ['CVE-2024-5535', 'CVE-2024-4741'],
      cve_score: '9.1',
    });
  });

  it('says where it is patched and how it is classified, as far as that is known', async () => {
    const windows = await service.rows(`/servers/${await service.idOf('win-ts-01')}/packages`);
    const linux = await service.rows('/servers/4001/packages');
    const kinds = (field: string) => new Set([...windows, ...linux].map((item) => typeof item[field]));
    expect(kinds('impact')).toEqual(new Set(['number', 'object']));
    expect(kinds('patch_scope')).toEqual(new Set(['string', 'object']));
    expect(kinds('patch_classification_category_id')).toEqual(new Set(['number', 'object']));
    // Examined and without any, or not examined.
    const cves = [...windows, ...linux].map((item) => item['cves']);
    expect(cves).toContainEqual([]);
    expect(cves).toContain(null);
  });

  it('goes on over more than one page, each package once', async () => {
    const id = await service.idOf('build-01');
    const first = await service.rows(`/servers/${id}/packages`);
    const second = await service.rows(`/servers/${id}/packages?page=1`);
    expect(first).toHaveLength(500);
    expect(second.length).toBeGreaterThan(100);
    expect(new Set([...first, ...second].map((item) => item['id'])).size).toBe(first.length + second.length);
  });
});

describe('GET /servergroups', () => {
  it('has bare rows of the recorded shape', async () => {
    const groups = await service.rows('/servergroups');
    expect(groups[0]).toMatchObject({
      name: '',
      ui_color: null,
      notes: '',
      enable_os_auto_update: null,
      wsus_config: null,
    });
    expect(groups.find(({ name }) => name === 'Windows servers')).toMatchObject({
      wsus_config: { is_managed: true, server_url: 'http://wsus.example.com:8530' },
    });
    expect(groups.reduce((sum, group) => sum + Number(group['server_count']), 0)).toBe(240);
  });

  it.each(['live', 'documented'] as const)(
    'has an empty list of policies where there are none, %s',
    async (profile) => {
      const service = await startService({ profile });
      const kiosks = (await service.rows('/servergroups')).find(({ name }) => name === 'Kiosks');
      expect(kiosks?.['policies']).toEqual([]);
    },
  );
});

describe('GET /events', () => {
  it('counts midnight to the day that begins', async () => {
    await service.clock.advance(DAY / 2);
    service.management.world({ do: 'patch-fails', device: 'web-01' });
    expect(await service.rows('/events?startDate=2026-03-11')).toMatchObject([
      { create_time: '2026-03-11T00:00:00Z' },
    ]);
    const [before] = await service.rows('/events?endDate=2026-03-11&limit=1');
    expect(before?.['create_time']).not.toBe('2026-03-11T00:00:00Z');
  });

  it.each([
    ['countOnly=true', 'countOnly', 'The countOnly field must be true or false.'],
    ['startDate=10.03.2026', 'startDate', 'The startDate does not match the format Y-m-d.'],
    ['endDate=2026-02-31', 'endDate', 'The endDate does not match the format Y-m-d.'],
    ['serverId=web-01', 'serverId', 'The serverId must be an integer.'],
  ])('refuses %s', async (query, field, message) => {
    const answer = await service.get(`/events?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [message] } } });
  });

  it('has data of every kind, null among them', async () => {
    const [failed] = await service.rows('/events?eventName=system.patch.failed');
    expect(rowOf(failed?.['data'])).toEqual({
      // Some devices have no public address; then the private one is returned.
      ip: expect.any(String),
      os: expect.any(String),
      systemname: failed?.['server_name'],
      failure: expect.any(String),
      patches: expect.stringMatching(/^"[^"]+"$/),
    });
    const [login] = await service.rows('/events?eventName=user.login');
    expect(login).toMatchObject({ data: null, server_id: null, server_name: null });
    const actions = await service.rows('/events?eventName=system.policy.action');
    const told = actions.filter(({ data }) => data !== null);
    expect(told.length).toBeLessThan(actions.length);
    const codes = new Set(told.map(({ data }) => typeof rowOf(data)['status']));
    expect(codes).toEqual(new Set(['number', 'string']));
  });
});

describe.each(['/servers', '/events', '/servergroups', '/servers/4001/packages', '/policies', '/orgs'])(
  '%s',
  (path) => {
    it('names each parameter that it refuses', async () => {
      expect(await service.get(`${path}?limit=501&page=x`)).toMatchObject({
        status: 400,
        body: {
          errors: {
            limit: ['The limit may not be greater than 500.'],
            page: ['The page must be an integer.'],
          },
        },
      });
    });

    it('ignores parameters that it does not know', async () => {
      expect(await service.get(`${path}?count_only=1&hostname=x&limit=1`)).toMatchObject({ status: 200 });
    });
  },
);

describe('GET /orgs', () => {
  it('lists the organization of the key without being told one, its enrolment secret included', async () => {
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
    await service.delete('/servers/4001');
    expect(await service.rows('/orgs')).toMatchObject([{ device_count: 239 }]);
  });
});

const pathOf = ({ management }: TestService, query = '') =>
  `/orgs/${management.organizationId}/packages?awaiting=1&includeUnmanaged=1${query}`;

describe('GET /orgs/{id}/packages', () => {
  it('has the packages that each device is missing, as the device’s own list has them', async () => {
    const service = await startService({ devices: 30 });
    const listed = await service.rows(pathOf(service));
    for (const { id } of await service.rows('/servers')) {
      const own = (await service.rows(`/servers/${id}/packages`)).filter(
        (item) => item['installed'] === false,
      );
      expect(listed.filter((item) => item['server_id'] === id)).toEqual(own);
    }
    expect(listed.length).toBeGreaterThan(30);
  });

  it('goes on over pages, each row once, to an empty one', async () => {
    const service = await startService({ devices: 30 });
    const all = await service.rows(pathOf(service));
    const pages = await Promise.all(
      [0, 1, 2].map((page) => service.rows(pathOf(service, `&limit=20&page=${page}`))),
    );
    expect(pages.flat()).toEqual(all.slice(0, 60));
    expect(await service.rows(pathOf(service, '&page=9'))).toEqual([]);
  });

  it('is not there as documented, and not for another organization', async () => {
    const documented = await startService({ profile: 'documented' });
    expect(await documented.get(pathOf(documented))).toMatchObject({ status: 404 });
    const live = await startService();
    expect(await live.get('/orgs/1/packages')).toMatchObject({ status: 403 });
  });
});
