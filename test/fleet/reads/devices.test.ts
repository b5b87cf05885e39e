import { describe, expect, it } from 'vitest';
import type { FleetDeviceQuery, FleetEventFilter } from '../../../src/fleet/fleet.ts';
import { instant } from '../../../src/lib/clock.ts';
import { groupId, policyId, serviceUserId } from '../../../src/lib/ids.ts';
import { event, listedDevice } from '../fixtures.ts';
import { DEVICE, errorOf, ORGANIZATION, paged, pagesOf, queryOf, rowsOf, scriptedFleet } from '../harness.ts';

describe('a list of devices', () => {
  const always = { o: '7', limit: '500', page: '0' };

  it.each<[FleetDeviceQuery, Readonly<Record<string, string>>]>([
    [{}, {}],
    [{ groupId: groupId(5) }, { groupId: '5' }],
    [{ missingPatches: true }, { patchStatus: 'missing' }],
    [
      { shellVersion: '5.1', withDetails: true },
      { PS_VERSION: '5.1', include_details: '1' },
    ],
    [{ withoutPolicyStatus: true }, { exclude_policy_status: '1' }],
    [{ withoutPolicyStatus: false }, {}],
    [
      { groupId: groupId(5), missingPatches: true, withoutPolicyStatus: true },
      { groupId: '5', patchStatus: 'missing', exclude_policy_status: '1' },
    ],
  ])('of %j is requested with %j and nothing else', async (query, parameters) => {
    const { reader, service } = await scriptedFleet({ body: [] });
    await rowsOf(reader.devices(query));
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]).toMatchObject({ method: 'GET', path: '/servers', body: '' });
    expect(service.requests[0]?.query).toEqual({ ...always, ...parameters });
  });
});

const fleetOf = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    listedDevice(index + 1, { organization_id: ORGANIZATION, total_count: count }),
  );

describe('the devices', () => {
  it('of a fleet of 240 are one request', async () => {
    const { reader, service } = await scriptedFleet(paged(fleetOf(240)));
    const pages = await pagesOf(reader.devices());
    expect(pages.map(({ rows, total, unreadable }) => [rows.length, total, unreadable])).toEqual([
      [240, 240, 0],
    ]);
    expect(queryOf(service.requests)).toEqual([
      { method: 'GET', path: '/servers', query: { o: '7', limit: '500', page: '0' } },
    ]);
  });

  it('of a larger fleet are read page by page', async () => {
    const { reader, service } = await scriptedFleet(paged(fleetOf(1_100)));
    expect(await rowsOf(reader.devices())).toHaveLength(1_100);
    expect(service.requests.map(({ query }) => query['page'])).toEqual(['0', '1', '2']);
  });

  it('are all read from a service that caps its pages lower than asked', async () => {
    const rows = fleetOf(25);
    const { reader, service } = await scriptedFleet(({ query }) => {
      const page = Number(query['page']);
      return { body: rows.slice(page * 10, (page + 1) * 10) };
    });
    expect(await rowsOf(reader.devices())).toHaveLength(25);
    expect(service.requests).toHaveLength(3);
  });

  it('are refused when the service ignored the group', async () => {
    const { reader } = await scriptedFleet({ body: fleetOf(2) });
    const error = await errorOf(rowsOf(reader.devices({ groupId: groupId(5) })));
    expect(error).toMatchObject({ kind: 'unreadable', status: 200, detail: 'a row of another group' });
  });

  it('survive an unusual row and a row without an id among them', async () => {
    const body = [
      ...fleetOf(1),
      { ...listedDevice(2), organization_id: null, tags: null, name: 5 },
      { name: 'lost' },
      null,
    ];
    const { reader } = await scriptedFleet({ body });
    const [page] = await pagesOf(reader.devices());
    expect(page?.rows.map(({ id, name }) => [id, name])).toEqual([
      [1, 'device-1'],
      [2, '5'],
    ]);
    expect(page?.unreadable).toBe(2);
  });
});

describe('a device that the service marks as deleted', () => {
  const marked = (id: number, deleted: unknown) =>
    listedDevice(id, { organization_id: ORGANIZATION, deleted });

  it.each([true, 1, 'true', 'True'])('by %j is no device: read by id it is missing', async (deleted) => {
    const { reader } = await scriptedFleet({ body: marked(42, deleted) });
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({ kind: 'missing', status: 200 });
  });

  it('is in no list, is named as deleted, and does not count', async () => {
    const body = [marked(1, false), marked(2, true), marked(3, null)].map((row) => ({
      ...row,
      total_count: 3,
    }));
    const { reader, service } = await scriptedFleet({ body });
    const pages = await pagesOf(reader.devices());
    expect(pages.map(({ rows, total, deletedIds }) => [rows.map(({ id }) => id), total, deletedIds])).toEqual(
      [[[1, 3], 2, [2]]],
    );
    expect(service.requests).toHaveLength(1);
  });

  it('does not end a walk in which a page has nothing else', async () => {
    const all = [1, 2, 3, 4, 5].map((id) => ({ ...marked(id, id < 5), total_count: 5 }));
    const { reader } = await scriptedFleet(({ query }) => ({
      body: all.slice(Number(query['page']), Number(query['page']) + 1),
    }));
    expect((await rowsOf(reader.devices())).map(({ id }) => id)).toEqual([5]);
  });

  it('is in no preview', async () => {
    const { reader } = await scriptedFleet({
      body: { size: 2, results: [marked(1, true), marked(2, false)] },
    });
    const query = { filters: [], groupIds: [groupId(5)] };
    expect((await rowsOf(reader.preview(query))).map(({ id }) => id)).toEqual([2]);
  });
});

describe('one device', () => {
  const row = listedDevice(DEVICE, { organization_id: ORGANIZATION });

  it.each([
    ['an object', row],
    ['an array of one', [row]],
  ])('is read from %s', async (_, body) => {
    const { reader, service } = await scriptedFleet({ body });
    expect(await reader.device(DEVICE)).toMatchObject({ id: 42, name: 'device-42' });
    expect(queryOf(service.requests)).toEqual([{ method: 'GET', path: '/servers/42', query: { o: '7' } }]);
  });

  it.each([
    ['another device', { ...row, id: 43 }, 'a row of another device'],
    ['another organization', { ...row, organization_id: 8 }, 'a row of another organization'],
    ['an array of two', [row, row], 'one object was expected'],
    ['an empty array', [], 'one object was expected'],
    ['null', null, 'one object was expected'],
    ['a text', '"gone"', 'one object was expected'],
    ['nothing', undefined, 'one object was expected'],
  ])('is refused as unreadable when the answer is %s', async (_, body, detail) => {
    const { reader } = await scriptedFleet({ body });
    expect(await errorOf(reader.device(DEVICE))).toEqual({
      kind: 'unreadable',
      method: 'GET',
      path: '/servers/{id}',
      status: 200,
      detail,
    });
  });
});

describe('an error with a good status', () => {
  const row = listedDevice(DEVICE, { organization_id: ORGANIZATION });
  const DECLINED = { kind: 'unreadable', status: 200, declined: true } as const;

  it.each<[string, unknown, string]>([
    ['errors', { errors: ['Not found'] }, 'Not found'],
    ['errors beside no rows', { errors: ['Down'], size: 0, results: [] }, 'Down'],
    ['an error in a list', [{ error: { code: 7, message: 'Down' } }], 'Down'],
    ['an error beside an id', { ...row, error: 'Down' }, 'Down'],
    ['no success', { success: false, message: 'Down' }, 'Down'],
    ['no success as text', { success: 'false' }, ''],
    ['a failing status', { status: 'error', message: 'Down' }, 'Down'],
    ['a failing code', { message: 'Down', code: 503 }, 'Down'],
    ['problem details', { title: 'Down', status: 500 }, 'Down'],
    ['a page', '<html><title>sign in</title></html>', 'a web page instead of JSON'],
  ])('is neither a device nor an empty list: %s', async (_, body, detail) => {
    const { reader } = await scriptedFleet({ body });
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({ ...DECLINED, detail });
    expect(await errorOf(rowsOf(reader.devices()))).toMatchObject({ ...DECLINED, detail });
    expect(await errorOf(reader.queue(DEVICE))).toMatchObject({ ...DECLINED, detail });
  });

  it.each<[string, unknown]>([
    ['no errors', { ...row, errors: [], error: null, success: true }],
    ['a message', { ...row, message: 'Down', code: 500, status: { device_status: 'ready' } }],
  ])('is not seen in a device with %s', async (_, body) => {
    const { reader } = await scriptedFleet({ body });
    expect(await reader.device(DEVICE)).toMatchObject({ id: 42 });
  });

  it('is no empty list when it stands in every row', async () => {
    const { reader } = await scriptedFleet({ body: [{ error: 'Down' }, { error: 'Down' }] });
    expect(await errorOf(rowsOf(reader.devices()))).toMatchObject({ kind: 'unreadable' });
  });
});

const cases: readonly (readonly [FleetEventFilter, Readonly<Record<string, string>>])[] = [
  [{}, {}],
  [{ deviceId: DEVICE }, { serverId: '42' }],
  [{ policyId: policyId(9) }, { policyId: '9' }],
  [{ userId: serviceUserId(3) }, { userId: '3' }],
  [{ name: 'system.add' }, { eventName: 'system.add' }],
  [{ after: instant(Date.UTC(2026, 0, 5, 23, 59)) }, { startDate: '2026-01-05' }],
  [{ before: instant(Date.UTC(2026, 0, 6)) }, { endDate: '2026-01-06' }],
  [
    { deviceId: DEVICE, name: 'system.patch.failed', after: instant(0), before: instant(86_400_000) },
    { serverId: '42', eventName: 'system.patch.failed', startDate: '1970-01-01', endDate: '1970-01-02' },
  ],
];

describe('a list of events', () => {
  it.each(cases)('of %j is requested with %j and nothing else', async (filter, parameters) => {
    const { reader, service } = await scriptedFleet({ body: [] });
    await rowsOf(reader.events(filter));
    expect(queryOf(service.requests)).toEqual([
      { method: 'GET', path: '/events', query: { o: '7', limit: '500', page: '0', ...parameters } },
    ]);
  });
});

describe('a count of events', () => {
  it.each(cases)('of %j has its filters %j and no page', async (filter, parameters) => {
    const { reader, service } = await scriptedFleet({ body: { size: 1382, results: [] } });
    expect(await reader.countEvents(filter)).toBe(1382);
    expect(queryOf(service.requests)).toEqual([
      { method: 'GET', path: '/events', query: { o: '7', countOnly: '1', ...parameters } },
    ]);
  });

  it.each([
    ['an envelope', { size: 0, results: [] }, 0],
    ['a bare number', '17', 17],
  ])('is read from %s', async (_, body, expected) => {
    const { reader } = await scriptedFleet({ body });
    expect(await reader.countEvents()).toBe(expected);
  });

  it.each([
    ['a list', []],
    ['nothing', undefined],
    ['a negative size', { size: -1 }],
  ])('is refused when the answer is %s, because a page of events is no count', async (_, body) => {
    const { reader } = await scriptedFleet({ body });
    expect(await errorOf(reader.countEvents())).toMatchObject({
      kind: 'unreadable',
      path: '/events',
      detail: 'a count was expected',
    });
  });
});

describe('the events', () => {
  it('of an idle poll are one request', async () => {
    const { reader, service } = await scriptedFleet({ body: [event(9), event(8)] });
    for await (const { rows } of reader.events({ after: instant(Date.UTC(2026, 0, 5, 23)), pageSize: 100 })) {
      expect(rows.map(({ id }) => id)).toEqual([9, 8]);
      break;
    }
    expect(queryOf(service.requests)).toEqual([
      { method: 'GET', path: '/events', query: { o: '7', startDate: '2026-01-05', limit: '100', page: '0' } },
    ]);
  });

  it.each([
    ['device', { server_id: 43 }],
    ['name', { name: 'system.add' }],
  ])('are refused when the service ignored the %s', async (what, more) => {
    const { reader } = await scriptedFleet({ body: [event(2), event(1, more)] });
    const error = await errorOf(rowsOf(reader.events({ deviceId: DEVICE, name: 'system.patch.failed' })));
    expect(error).toMatchObject({ kind: 'unreadable', detail: `a row of another ${what}` });
  });

  it.each([
    ['policy', { policyId: policyId(9) }, { policy_id: 9, user_id: 3 }],
    ['user', { userId: serviceUserId(3) }, { policy_id: 9, user_id: 3 }],
  ])(
    'are refused when the service ignored the %s, also where they name none',
    async (what, filter, named) => {
      const asked = await scriptedFleet([{ body: [event(2, named)] }, { body: [] }]);
      expect((await rowsOf(asked.reader.events(filter))).map(({ id }) => id)).toEqual([2]);
      const ignored = await scriptedFleet({ body: [event(2, named), event(1)] });
      expect(await errorOf(rowsOf(ignored.reader.events(filter)))).toMatchObject({
        kind: 'unreadable',
        detail: `a row without a ${what}: the service ignored the filter`,
      });
      expect(ignored.service.requests).toHaveLength(1);
    },
  );

  it('of another organization are left out and counted, so that one of them cannot silence the others', async () => {
    const foreign = event(3, { organization_id: 8, total_count: 2 });
    const { reader, service } = await scriptedFleet([
      { body: [foreign, event(2, { total_count: 2 })] },
      { body: [] },
    ]);
    const pages = await Array.fromAsync(reader.events());
    expect(pages.map(({ rows, foreignRows }) => [rows.map(({ id }) => id), foreignRows])).toEqual([[[2], 1]]);
    expect(service.requests).toHaveLength(2);
  });

  it('are read from an envelope too', async () => {
    const { reader } = await scriptedFleet([{ body: { size: 1, results: [event(1)] } }, { body: [] }]);
    expect(await pagesOf(reader.events())).toMatchObject([{ total: 1, rows: [{ id: 1 }] }]);
  });

  it('are read on to an empty page, whatever total the service states', async () => {
    const wrong = { total_count: 1 };
    const { reader, service } = await scriptedFleet([
      { body: [event(3, wrong)] },
      { body: [event(2, wrong)] },
      { body: [] },
    ]);
    expect((await rowsOf(reader.events())).map(({ id }) => id)).toEqual([3, 2]);
    expect(service.requests).toHaveLength(3);
  });
});
