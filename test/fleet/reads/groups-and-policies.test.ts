import { describe, expect, it } from 'vitest';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { recordedRow } from '../fixtures.ts';
import { errorOf, ORGANIZATION, paged, rowsOf, scriptedFleet } from '../harness.ts';
import type { Reply, Seen } from '../scripted-server.ts';

const GROUP = groupId(5);

const group = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  organization_id: ORGANIZATION,
  name: `group-${id}`,
  parent_server_group_id: 1,
  refresh_interval: 1440,
  ...more,
});

const requestsIn = (requests: readonly Seen[]) =>
  requests.map(({ method, path, query }) => [method, path, query]);

describe('one group', () => {
  it('is read by its id', async () => {
    const { reader, service } = await scriptedFleet({ body: group(5) });
    expect(await reader.group(GROUP)).toMatchObject({ id: 5, name: 'group-5', parentId: 1 });
    expect(requestsIn(service.requests)).toEqual([['GET', '/servergroups/5', { o: '7' }]]);
  });

  it('is refused when the answer is another group', async () => {
    const { reader } = await scriptedFleet({ body: group(6) });
    expect(await errorOf(reader.group(GROUP))).toMatchObject({ kind: 'unreadable' });
  });

  const forbidden: Reply = { status: 403, body: { errors: ['No permission'] } };
  it.each<[string, Reply, string]>([
    ['gone when the list does not have it', { body: [] }, 'missing'],
    ['forbidden when the list is cut short', { body: [{ id: 6, total_count: 2 }] }, 'forbidden'],
    ['forbidden when it is listed', { body: [group(5, { total_count: 1 })] }, 'forbidden'],
    ['forbidden when the list is forbidden too', forbidden, 'forbidden'],
    ['forbidden when the list is incomplete', { body: [null] }, 'forbidden'],
  ])('that may not be read is %s', async (_, list, kind) => {
    const { reader, service } = await scriptedFleet(({ path }) =>
      path === '/servergroups' ? list : forbidden,
    );
    expect(await errorOf(reader.group(GROUP))).toMatchObject({
      kind,
      status: 403,
      path: '/servergroups/{id}',
    });
    expect(requestsIn(service.requests).slice(0, 2)).toEqual([
      ['GET', '/servergroups/5', { o: '7' }],
      ['GET', '/servergroups', { o: '7', limit: '500', page: '0' }],
    ]);
  });

  it.each([
    [401, 'unauthorized'],
    [402, 'forbidden'],
    [404, 'missing'],
  ])('answered by %i is %s without reading the list', async (status, kind) => {
    const { reader, service } = await scriptedFleet({ status });
    expect(await errorOf(reader.group(GROUP))).toMatchObject({ kind, status });
    expect(service.requests).toHaveLength(1);
  });
});

describe('policies', () => {
  const policy = {
    id: 9,
    organization_id: ORGANIZATION,
    name: 'Browsers',
    policy_type_name: 'patch',
    configuration: { evaluation_code: 'the-script', password: 'the-secret' },
  };

  it('are listed page by page', async () => {
    const { reader, service } = await scriptedFleet(({ query }) => ({
      body: query['page'] === '0' ? [policy] : [],
    }));
    expect(await rowsOf(reader.policies())).toMatchObject([{ id: 9, name: 'Browsers', type: 'patch' }]);
    expect(requestsIn(service.requests)[0]).toEqual([
      'GET',
      '/policies',
      { o: '7', limit: '500', page: '0' },
    ]);
  });

  it('are read one by one, without their scripts', async () => {
    const { reader, service } = await scriptedFleet({ body: policy });
    const read = await reader.policy(policyId(9));
    expect(read).toMatchObject({ id: 9, name: 'Browsers' });
    expect(JSON.stringify(read)).not.toMatch(/the-script|the-secret/);
    expect(requestsIn(service.requests)).toEqual([['GET', '/policies/9', { o: '7' }]]);
  });

  it('are missing when the service says so', async () => {
    const { reader } = await scriptedFleet({ status: 404, body: { errors: ['Not found'] } });
    expect(await errorOf(reader.policy(policyId(9)))).toMatchObject({ kind: 'missing', detail: 'Not found' });
  });
});

describe('organizations', () => {
  it('are all that the key sees, without their enrollment secrets', async () => {
    const rows = [7, 8].map((id) => ({ id, name: `org-${id}`, access_key: 'the-enrollment-secret' }));
    const { reader, service } = await scriptedFleet(({ query }) => ({
      body: query['page'] === '0' ? rows : [],
    }));
    const read = await rowsOf(reader.organizations());
    expect(read).toMatchObject([
      { id: 7, name: 'org-7' },
      { id: 8, name: 'org-8' },
    ]);
    expect(JSON.stringify(read)).not.toContain('the-enrollment-secret');
    // The only request without `o`.
    expect(requestsIn(service.requests)[0]).toEqual(['GET', '/orgs', { limit: '500', page: '0' }]);
  });
});

describe('the groups', () => {
  it('are read as recorded, the default group being its own parent', async () => {
    const { reader, service } = await scriptedFleet(paged(recordedGroups()));
    expect(await rowsOf(reader.groups())).toMatchObject([
      { id: 130910, name: '', parentId: 130910, policyIds: [211124, 211125] },
      { id: 131459, name: 'automox_group1', parentId: 130910, policyIds: [] },
    ]);
    expect(service.requests.map(({ path, query }) => [path, query['o']])).toEqual([
      ['/servergroups', '7'],
      ['/servergroups', '7'],
    ]);
  });

  const recordedGroups = () =>
    [0, 1].map((index) => ({
      ...recordedRow('servergroups-list-2022.json', index),
      organization_id: ORGANIZATION,
    }));
});
