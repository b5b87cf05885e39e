import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/clock.ts';
import type { EventFilter } from '../../../src/fleet/fleet.ts';
import { policyId, serviceUserId } from '../../../src/ids.ts';
import { DEVICE, errorOf, rowsOf, scriptedFleet } from '../harness.ts';

const cases: readonly (readonly [EventFilter, Readonly<Record<string, string>>])[] = [
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
  it.each(cases)('of %j is asked for by %j and nothing else', async (filter, parameters) => {
    const { reader, service } = await scriptedFleet({ body: [] });
    await rowsOf(reader.events(filter));
    expect(service.requests.map(({ method, path, query }) => ({ method, path, query }))).toEqual([
      { method: 'GET', path: '/events', query: { o: '7', limit: '500', page: '0', ...parameters } },
    ]);
  });
});

describe('a count of events', () => {
  it.each(cases)('of %j keeps its filters %j and asks for no page', async (filter, parameters) => {
    const { reader, service } = await scriptedFleet({ body: { size: 1382, results: [] } });
    expect(await reader.countEvents(filter)).toBe(1382);
    expect(service.requests.map(({ method, path, query }) => ({ method, path, query }))).toEqual([
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
  ])('is refused where the answer is %s: a page of events counts nothing', async (_, body) => {
    const { reader } = await scriptedFleet({ body });
    expect(await errorOf(reader.countEvents())).toMatchObject({
      kind: 'unreadable',
      path: '/events',
      detail: 'a count was expected',
    });
  });
});
