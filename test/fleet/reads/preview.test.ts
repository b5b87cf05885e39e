import { describe, expect, it } from 'vitest';
import type { DevicePreviewFilter, PreviewQuery } from '../../../src/fleet/fleet.ts';
import { groupId } from '../../../src/lib/ids.ts';
import { errorOf, pagesOf, rowsOf, scriptedFleet } from '../harness.ts';
import type { Reply, Seen } from '../scripted-server.ts';

const GROUPS = [groupId(5), groupId(6)] as const;
const previewed = (id: number) => ({ id, name: `device-${id}`, server_group: { id: 5, name: 'five' } });
const linux: DevicePreviewFilter = { field: 'os_family', op: 'in', values: ['Linux'] };

/** Rows by page, in the envelope of the service. */
function enveloped(count: number): (seen: Seen) => Reply {
  const rows = Array.from({ length: count }, (_, index) => previewed(index + 1));
  return ({ query }) => {
    const [page, limit] = [Number(query['page']), Number(query['limit'])];
    return { body: { size: count, results: rows.slice(page * limit, (page + 1) * limit) } };
  };
}

describe('a preview', () => {
  it('starts at the requested page', async () => {
    const { reader, service } = await scriptedFleet({ body: { size: 30, results: [previewed(21)] } });
    for await (const page of reader.preview({ filters: [], groupIds: GROUPS, pageSize: 10, firstPage: 2 })) {
      expect(page.total).toBe(30);
      break;
    }
    expect(service.requests).toMatchObject([{ query: { limit: '10', page: '2' } }]);
  });

  it('sends the filters and the groups, as a read', async () => {
    const { reader, service } = await scriptedFleet(enveloped(2));
    const tagged: DevicePreviewFilter = { field: 'tag', op: 'not_like_any', values: ['lab', 'old'] };
    expect(await pagesOf(reader.preview({ filters: [linux, tagged], groupIds: GROUPS }))).toMatchObject([
      { total: 2, rows: [{ id: 1, groupName: 'five' }, { id: 2 }] },
    ]);
    expect(service.requests).toMatchObject([
      {
        method: 'POST',
        path: '/policies/device-filters-preview',
        query: { o: '7', limit: '200', page: '0' },
        headers: { 'content-type': 'application/json' },
      },
    ]);
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
      device_filters: [
        { field: 'os_family', op: 'in', value: ['Linux'] },
        { field: 'tag', op: 'not_like_any', value: ['lab', 'old'] },
      ],
      server_groups: [5, 6],
    });
  });

  it('is read when its envelope is inside a list', async () => {
    const { reader } = await scriptedFleet({ body: [{ size: 2, results: [previewed(1), previewed(2)] }] });
    expect(await pagesOf(reader.preview({ filters: [], groupIds: GROUPS }))).toMatchObject([
      { total: 2, rows: [{ id: 1 }, { id: 2 }] },
    ]);
  });

  it('takes several envelopes in a list for no list', async () => {
    const envelope = { size: 2, results: [previewed(1)] };
    const { reader } = await scriptedFleet(({ query }) => ({
      body: query['page'] === '0' ? [envelope, envelope] : [],
    }));
    const read = rowsOf(reader.preview({ filters: [], groupIds: GROUPS }));
    expect(await errorOf(read)).toMatchObject({ kind: 'unreadable', detail: 'no row could be read' });
  });

  it('is walked until all devices were seen', async () => {
    const { reader, service } = await scriptedFleet(enveloped(450));
    expect(await rowsOf(reader.preview({ filters: [], groupIds: GROUPS }))).toHaveLength(450);
    expect(service.requests.map(({ query }) => [query['limit'], query['page']])).toEqual([
      ['200', '0'],
      ['200', '1'],
      ['200', '2'],
    ]);
  });

  it.each([
    ['live', 'not_in'],
    ['documented', 'not in'],
  ] as const)('in the %s dialect spells the negation of “in” as “%s”', async (dialect, op) => {
    const { reader, service } = await scriptedFleet(enveloped(0), { dialect });
    const filter: DevicePreviewFilter = { field: 'os_version_id', op: 'not_in', values: ['1'] };
    await rowsOf(reader.preview({ filters: [filter], groupIds: GROUPS, pageSize: 1 }));
    expect(service.requests[0]?.query).toMatchObject({ limit: '1' });
    expect(JSON.parse(service.requests[0]?.body ?? '')).toMatchObject({ device_filters: [{ op }] });
  });

  it('is retried after a fault of the service, because it is a read', async () => {
    const { reader, service } = await scriptedFleet([
      { status: 503, headers: { 'retry-after': '0' } },
      { body: { size: 0, results: [] } },
    ]);
    expect(await rowsOf(reader.preview({ filters: [], groupIds: GROUPS }))).toEqual([]);
    expect(service.requests).toHaveLength(2);
  });

  it.each<[string, PreviewQuery, string]>([
    ['no group', { filters: [linux], groupIds: [] }, 'a preview needs at least one group'],
    [
      'a filter without values',
      { filters: [{ ...linux, values: [] }], groupIds: GROUPS },
      'a filter needs at least one value',
    ],
    ['a page of nothing', { filters: [], groupIds: GROUPS, pageSize: 0 }, 'a page has 1 to 200 devices'],
    ['a page too large', { filters: [], groupIds: GROUPS, pageSize: 201 }, 'a page has 1 to 200 devices'],
    ['half a device', { filters: [], groupIds: GROUPS, pageSize: 1.5 }, 'a page has 1 to 200 devices'],
  ])('of %s is refused without being sent', async (_, query, detail) => {
    const { reader, service } = await scriptedFleet(enveloped(1));
    const failed = await errorOf(rowsOf(reader.preview(query)));
    expect(failed).toMatchObject({ kind: 'invalid', method: 'POST', status: null, detail });
    expect(service.requests).toHaveLength(0);
  });
});
