import { describe, expect, it } from 'vitest';
import { groupId, policyId, queueEntryId } from '../../../src/lib/ids.ts';
import { recorded, recordedRow } from '../fixtures.ts';
import { DEVICE, errorOf, ORGANIZATION, paged, queryOf, rowsOf, scriptedFleet } from '../harness.ts';
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

describe('the packages of a device', () => {
  it('are read to their end', async () => {
    const row = recordedRow('packages-2026.json');
    const rows = Array.from({ length: 1_045 }, (_, index) => ({ ...row, id: index + 1, server_id: DEVICE }));
    const { reader, service } = await scriptedFleet(paged(rows));
    expect(await rowsOf(reader.packages(DEVICE))).toHaveLength(1_045);
    expect(service.requests.map(({ path, query }) => [path, query['o'], query['page']])).toEqual(
      ['0', '1', '2', '3'].map((page) => ['/servers/42/packages', '7', page]),
    );
  });

  it('are refused when one belongs to another device', async () => {
    const { reader } = await scriptedFleet({
      body: [{ ...recordedRow('packages-2026.json'), server_id: 43 }],
    });
    expect(await errorOf(rowsOf(reader.packages(DEVICE)))).toMatchObject({ kind: 'unreadable' });
  });
});

describe('the missing packages of all devices', () => {
  const NOT_MISSING = 'a package that is installed, or does not say';
  const missing = (id: number, device: number, more: Record<string, unknown> = {}) => ({
    ...recordedRow('packages-2026.json', 2),
    ...{ id, server_id: device, organization_id: 7, installed: false },
    ...more,
  });

  it('are read to their end in pages, whatever ids the service gives packages of two devices', async () => {
    const rows = Array.from({ length: 700 }, (_, at) => missing((at % 7) + 1, Math.floor(at / 7) + 1));
    const { reader, service } = await scriptedFleet(paged(rows));
    const read = await rowsOf(reader.missingPackages());
    expect(read).toHaveLength(700);
    expect(read[8]).toMatchObject({ deviceId: 2, item: { id: 2, installed: false } });
    expect(queryOf(service.requests)).toEqual(
      ['0', '1', '2'].map((page) => ({
        method: 'GET',
        path: '/orgs/7/packages',
        query: { o: '7', awaiting: '1', includeUnmanaged: '1', limit: '500', page },
      })),
    );
  });

  it.each([
    ['ignored the filter', { installed: true }, NOT_MISSING],
    ['does not say whether it is installed', { installed: null }, NOT_MISSING],
    ['names no device', { server_id: null }, 'a package without a device'],
    ['is of another organization', { organization_id: 8 }, 'a row of another organization'],
  ])('are refused when the service %s', async (_, more, detail) => {
    const { reader } = await scriptedFleet({ body: [missing(1, 1), missing(2, 1, more)] });
    expect(await errorOf(rowsOf(reader.missingPackages()))).toMatchObject({ kind: 'unreadable', detail });
  });
});

describe('the queue of a device', () => {
  it('is read as recorded', async () => {
    const { reader, service } = await scriptedFleet({ body: recorded('queue-2026.json') });
    expect(await reader.queue(DEVICE)).toMatchObject([
      {
        id: 555,
        type: 'Reboot',
        args: '',
        policyId: 99,
        execTime: Date.UTC(2026, 5, 5, 4, 9, 6),
        response: null,
        responseTime: null,
      },
    ]);
    expect(queryOf(service.requests)).toEqual([
      { method: 'GET', path: '/servers/42/queues', query: { o: '7' } },
    ]);
  });

  it('may be empty', async () => {
    const { reader } = await scriptedFleet({ body: [] });
    expect(await reader.queue(DEVICE)).toEqual([]);
  });

  it.each([
    ['another device', [{ ...recordedRow('queue-2026.json'), server_id: 43 }]],
    ['another organization', [{ ...recordedRow('queue-2026.json'), organization_id: 8 }]],
    ['no list', { id: 555 }],
    ['an entry without an id beside a good one', [recordedRow('queue-2026.json'), { server_id: 42 }]],
  ])('is refused as unreadable when the answer is of %s', async (_, body) => {
    const { reader } = await scriptedFleet({ body });
    expect(await errorOf(reader.queue(DEVICE))).toMatchObject({
      kind: 'unreadable',
      path: '/servers/{id}/queues',
    });
  });
});

describe('one entry of a queue', () => {
  const entry = queueEntryId(555);

  it('is read by its id', async () => {
    const answered = { ...recordedRow('queue-2026.json'), response: ['0', 'Installing', null] };
    const { reader, service } = await scriptedFleet({ body: answered });
    expect(await reader.queueEntry(DEVICE, entry)).toMatchObject({
      id: 555,
      response: { exitCode: 0 },
      responseTime: null,
    });
    expect(queryOf(service.requests)).toEqual([
      { method: 'GET', path: '/servers/42/queues/555', query: { o: '7' } },
    ]);
  });

  it('is null when the service no longer knows it', async () => {
    const { reader } = await scriptedFleet({ status: 404, body: { errors: ['Not found'] } });
    expect(await reader.queueEntry(DEVICE, entry)).toBeNull();
  });

  it.each([
    ['another entry', { ...recordedRow('queue-2026.json'), id: 556 }],
    ['another device', { ...recordedRow('queue-2026.json'), server_id: 43 }],
    ['nothing', []],
  ])('is refused as unreadable when the answer is of %s', async (_, body) => {
    const { reader } = await scriptedFleet({ body });
    expect(await errorOf(reader.queueEntry(DEVICE, entry))).toMatchObject({ kind: 'unreadable' });
  });
});
