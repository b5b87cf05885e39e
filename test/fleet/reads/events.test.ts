import { describe, expect, it } from 'vitest';
import type { FleetEventFilter } from '../../../src/fleet/fleet.ts';
import { instant } from '../../../src/lib/clock.ts';
import { policyId, serviceUserId } from '../../../src/lib/ids.ts';
import { event } from '../fixtures.ts';
import { DEVICE, errorOf, pagesOf, queryOf, rowsOf, scriptedFleet } from '../harness.ts';

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

  it('are filtered by device and name, in the spelling of the service', async () => {
    const { reader, service } = await scriptedFleet([{ body: [event(1)] }, { body: [] }]);
    await rowsOf(reader.events({ deviceId: DEVICE, name: 'system.patch.failed' }));
    expect(service.requests[0]?.query).toEqual({
      o: '7',
      serverId: '42',
      eventName: 'system.patch.failed',
      limit: '500',
      page: '0',
    });
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
