import { describe, expect, it } from 'vitest';
import { madePerTest } from '../../../harness/use-started.ts';
import { type JsonRow, rowOf, startService, type TestService } from '../harness/service.ts';

const service = madePerTest(startService);

const PREVIEW = '/policies/device-filters-preview';

async function allGroups(): Promise<readonly unknown[]> {
  return (await service.rows('/servergroups')).map(({ id }) => id);
}

async function preview(service: TestService, filters: unknown, query = 'limit=200'): Promise<JsonRow> {
  const body = { device_filters: filters, server_groups: await allGroups() };
  const answer = await service.post(`${PREVIEW}?${query}`, body);
  expect(answer.status, answer.text).toBe(200);
  return rowOf(answer.body);
}

async function idsOf(filters: unknown): Promise<readonly unknown[]> {
  const ids: unknown[] = [];
  for (let page = 0; ; page++) {
    const { results } = await preview(service, filters, `limit=200&page=${page}`);
    if (!Array.isArray(results) || results.length === 0) return ids;
    ids.push(...results.map((row) => rowOf(row)['id']));
  }
}

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

describe('a filter', () => {
  const addresses = (row: JsonRow) => [...texts(row['ip_addrs']), ...texts(row['ip_addrs_private'])];

  it('on ip_addr looks at public and private addresses', async () => {
    const id = await service.idOf('web-01');
    const device = rowOf((await service.get(`/servers/${id}`)).body);
    for (const address of addresses(device))
      expect(await idsOf([{ field: 'ip_addr', op: 'like_any', value: [address] }])).toContain(id);
    expect(addresses(device).length).toBeGreaterThan(1);
  });

  it('on os_version_id compares whole numbers written as text', async () => {
    const rows = await service.rows('/servers');
    const wanted = rows[0]?.['os_version_id'];
    const expected = rows.filter((row) => row['os_version_id'] === wanted).map(({ id }) => id);
    expect(await idsOf([{ field: 'os_version_id', op: 'in', value: [String(wanted)] }])).toEqual(expected);
    const part = String(wanted).slice(0, -1);
    expect(await idsOf([{ field: 'os_version_id', op: 'in', value: [part] }])).toEqual([]);
  });

  it('is ANDed with the others, and none takes in everything', async () => {
    const web = { field: 'hostname', op: 'like_any', value: ['web'] };
    const critical = { field: 'tag', op: 'like_any', value: ['production'] };
    const both = await idsOf([web, critical]);
    const [one, other] = [await idsOf([web]), await idsOf([critical])];
    expect(both).toEqual(one.filter((id) => other.includes(id)));
    expect(both.length).toBeGreaterThan(0);
    expect(both.length).toBeLessThan(Math.min(one.length, other.length));
    expect(await idsOf([])).toHaveLength(240);
  });

  it.each([
    ['hostname', 'in', ['documented']],
    ['hostname', 'not_in', ['documented']],
    ['os_family', 'like_any', ['documented']],
    ['os_version_id', 'not_like_any', ['documented']],
    ['tag', 'not in', ['documented', 'live']],
    ['ip_addr', '=', ['documented', 'live']],
    ['os_version_id', '', ['documented', 'live']],
  ] as const)('on %s does not have the operator %j %j', async (field, op, profiles) => {
    for (const profile of profiles) {
      const service = await startService({ profile });
      const body = { device_filters: [{ field, op, value: ['x'] }], server_groups: [3111] };
      expect(await service.post(PREVIEW, body)).toMatchObject({
        status: 400,
        body: { errors: { device_filters: [`The selected op for ${field} is invalid.`] } },
      });
    }
  });

  it('takes every operator on every field live', async () => {
    const [web] = await idsOf([{ field: 'hostname', op: 'in', value: ['web-01'] }]);
    expect(web).toBe(4001);
    expect(await idsOf([{ field: 'hostname', op: 'in', value: ['web'] }])).toEqual([]);
    const others = await idsOf([{ field: 'hostname', op: 'not_in', value: ['web-01'] }]);
    expect(others).not.toContain(4001);
    const [version] = await service.rows('/servers?limit=1');
    const wanted = [{ field: 'os_version_id', op: 'like_any', value: [version?.['os_version_id']] }];
    expect(await idsOf(wanted)).toContain(4001);
  });

  it('names the units of a device in a list, live', async () => {
    const body = { device_filters: [], server_groups: [3112] };
    const { results } = rowOf((await service.post(PREVIEW, body)).body);
    expect(results).toContainEqual(expect.objectContaining({ organizational_unit: [expect.any(String)] }));
  });
});

describe('POST /policies/device-filters-preview', () => {
  it.each([
    ['no filters', undefined],
    ['filters that are no list', { field: 'tag', op: 'like_any', value: ['x'] }],
    ['a clause of the old shape', ['web']],
    ['a field that is not there', [{ field: 'name', op: 'like_any', value: ['x'] }]],
    ['no operator', [{ field: 'tag', value: ['x'] }]],
    ['a value that is no list', [{ field: 'tag', op: 'like_any', value: 'x' }]],
    ['a value that is neither text nor number', [{ field: 'os_version_id', op: 'in', value: [{}] }]],
    ['a family in other letters', [{ field: 'os_family', op: 'in', value: ['windows'] }]],
  ])('refuses %s', async (_, device_filters) => {
    const answer = await service.post(PREVIEW, { device_filters, server_groups: [3111] });
    expect(answer).toMatchObject({ status: 400, body: { errors: { device_filters: [expect.any(String)] } } });
  });

  it.each([
    ['documented', 400, { errors: { server_groups: ['The server_groups field is required.'] } }],
    ['live', 500, { errors: ['Server Error'] }],
  ] as const)('%s: without groups is answered with %d', async (profile, status, body) => {
    const service = await startService({ profile });
    for (const sent of [{ device_filters: [] }, {}, { device_filters: [], server_groups: [] }])
      expect(await service.post(PREVIEW, sent)).toMatchObject({ status, body });
  });

  it('refuses groups that are no numbers, and is forbidden for one that is not there', async () => {
    const send = (server_groups: unknown) => service.post(PREVIEW, { device_filters: [], server_groups });
    expect(await send('3111')).toMatchObject({ status: 400 });
    expect(await send(['3111'])).toMatchObject({ status: 400 });
    expect(await send([3111, 1])).toMatchObject({ status: 403 });
  });

  it('looks at the groups that are named, and not at those under them', async () => {
    const { body } = await service.post(`${PREVIEW}?limit=200`, {
      device_filters: [],
      server_groups: [3110, 3111],
    });
    const expected = await service.rows('/servers?groupId=3111');
    expect(rowOf(body)).toMatchObject({ size: expected.length });
  });

  it.each([
    ['documented', { custom_name: '', ip_addr: expect.any(String), ip_addrs_prviate: expect.any(Array) }],
    [
      'live',
      {
        ...{ custom_name: '', organizational_unit: expect.any(Array) },
        ...{ ip_addrs: expect.any(Array), ip_addrs_private: expect.any(Array) },
      },
    ],
  ] as const)('writes a row as %s does', async (profile, own) => {
    const service = await startService({ profile });
    const [web] = await service.rows('/servers?limit=1');
    const { results } = await preview(service, [{ field: 'hostname', op: 'like_any', value: ['WEB-01'] }]);
    expect(results).toEqual([
      {
        id: web?.['id'],
        uuid: web?.['uuid'],
        name: 'web-01',
        server_group: {
          id: 3111,
          organization_id: service.management.organizationId,
          name: 'Linux servers',
          refresh_interval: 360,
          parent_server_group_id: 3110,
        },
        os_version: web?.['os_version'],
        os_family: 'Linux',
        tags: ['web', 'production'],
        ...own,
      },
    ]);
  });
});
