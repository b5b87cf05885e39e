import { describe, expect, it } from 'vitest';
import type { DevicePreviewFilter, PreviewQuery } from '../../../src/fleet/fleet.ts';
import { collectRows, createSharedReader } from '../../../src/fleet/reads/read-helpers.ts';
import { createManualClock, instant, SECOND } from '../../../src/lib/clock.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { START } from '../../requests/requests-setup.ts';
import { createSimulatedFleet } from '../../requests/simulated-fleet.ts';
import { listedDevice } from '../fixtures.ts';
import { DEVICE, errorOf, ORGANIZATION, pagesOf, rowsOf, scriptedFleet, until } from '../harness.ts';
import type { Reply, Seen } from '../scripted-server.ts';

describe('a read that fails', () => {
  const row = { body: listedDevice(DEVICE, { organization_id: ORGANIZATION }) };

  it.each<[string, Reply]>([
    ['a fault of the service', { status: 500, body: { errors: ['Oops'] } }],
    ['a gateway’s page', { status: 502, body: '<html>' }],
    ['an overload with a wait', { status: 503, headers: { 'retry-after': '0' } }],
    ['a dropped connection', 'drop'],
    ['a connection cut inside the body', { cut: '{"id":' }],
  ])('is retried after %s', async (_, reply) => {
    const { reader, service } = await scriptedFleet([reply, reply, row]);
    expect(await reader.device(DEVICE)).toMatchObject({ id: 42 });
    expect(service.requests).toHaveLength(3);
  });

  it('is given up after three attempts', async () => {
    const { reader, service } = await scriptedFleet({ status: 500, body: { errors: ['Oops'] } });
    expect(await errorOf(reader.device(DEVICE))).toEqual({
      kind: 'broken',
      method: 'GET',
      path: '/servers/{id}',
      status: 500,
      detail: 'Oops',
    });
    expect(service.requests).toHaveLength(3);
  });

  it.each<[string, Reply, string]>([
    ['a bad key', { status: 401 }, 'unauthorized'],
    ['a missing right', { status: 403 }, 'forbidden'],
    ['an absent device', { status: 404 }, 'missing'],
    ['a wrong question', { status: 400 }, 'invalid'],
    ['half a JSON', { body: '{"id":' }, 'unreadable'],
    ['a page', { body: '<html>' }, 'unreadable'],
  ])('is not retried after %s', async (_, reply, kind) => {
    const { reader, service } = await scriptedFleet(reply);
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({ kind });
    expect(service.requests).toHaveLength(1);
  });

  it('is not retried when the answer is too large', async () => {
    const { reader, service } = await scriptedFleet(row, { maxResponseBytes: 100 });
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({ kind: 'too-large' });
    expect(service.requests).toHaveLength(1);
  });

  it('is retried when one attempt timed out', async () => {
    const { reader, service } = await scriptedFleet(['hang', row], { attemptMs: 50 });
    expect(await reader.device(DEVICE)).toMatchObject({ id: 42 });
    expect(service.requests).toHaveLength(2);
  });

  it('ends at its deadline', async () => {
    const { reader, service } = await scriptedFleet('hang');
    expect(await errorOf(reader.device(DEVICE, { deadlineMs: 50 }))).toMatchObject({ kind: 'timeout' });
    expect(service.requests).toHaveLength(1);
  });

  it('ends with the caller’s reason when the caller gives up between two attempts', async () => {
    const abort = new AbortController();
    // The jitter is computed right before the wait between two attempts.
    const random = () => {
      setImmediate(() => abort.abort(new Error('went home')));
      return 0.9;
    };
    const { reader, service } = await scriptedFleet({ status: 500 }, { random });
    await expect(reader.device(DEVICE, { signal: abort.signal })).rejects.toThrow('went home');
    expect(service.requests).toHaveLength(1);
  });
});

describe('a throttled read', () => {
  const row = { body: listedDevice(DEVICE, { organization_id: ORGANIZATION }) };
  const start = instant(Date.UTC(2026, 0, 1));

  it('fails at once when the wait exceeds its deadline, and so do all others until the clock has passed it', async () => {
    const clock = createManualClock(start);
    const { reader, writer, service } = await scriptedFleet([{ status: 429 }, row], { clock });
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({
      kind: 'throttled',
      status: 429,
      retryAfterMs: 60_000,
    });
    expect(await errorOf(reader.device(DEVICE, { lane: 'person' }))).toMatchObject({
      kind: 'throttled',
      status: null,
    });
    expect(await writer.issue(DEVICE, { kind: 'scan' })).toMatchObject({
      kind: 'unsent',
      error: { kind: 'throttled', retryAfterMs: 60_000 },
      retryAfterMs: 60_000,
    });
    expect(service.requests).toHaveLength(1);
    await clock.advance(60_000);
    expect(await reader.device(DEVICE)).toMatchObject({ id: 42 });
  });

  it('waits for what Retry-After says, on the clock', async () => {
    const clock = createManualClock(start);
    const { reader, service } = await scriptedFleet(
      (_, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '5' } } : row),
      { clock },
    );
    const reading = reader.device(DEVICE);
    await until(() => service.requests.length === 1);
    // The pause begins when the answer is read, which may be a few turns later.
    let answered = false;
    void reading.finally(() => {
      answered = true;
    });
    while (!answered) {
      await clock.advance(1_000);
      await new Promise(setImmediate);
    }
    expect(await reading).toMatchObject({ id: 42 });
    expect(clock.now() - start).toBeGreaterThanOrEqual(5_000);
  });

  it('waits for the date that Retry-After says, by the service’s own time', async () => {
    const headers = { date: 'Thu, 01 Jan 2026 12:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 12:00:40 GMT' };
    const { reader } = await scriptedFleet({ status: 429, headers });
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({ kind: 'throttled', retryAfterMs: 40_000 });
  });
});

describe('a person who waits', () => {
  it('is served before background work that came earlier', async () => {
    const row = listedDevice(DEVICE, { organization_id: ORGANIZATION });
    const held: (() => void)[] = [];
    const { reader, service } = await scriptedFleet(
      ({ path }) =>
        new Promise<Reply>((resolve) => {
          held.push(() => resolve({ body: path === '/servers/42' ? row : [] }));
        }),
      { concurrency: 1 },
    );
    const background = [rowsOf(reader.groups()), rowsOf(reader.events())];
    await until(() => held.length === 1);
    const person = reader.device(DEVICE, { lane: 'person' });
    for (let answered = 0; answered < 3; answered += 1) {
      await until(() => held.length > answered);
      held[answered]?.();
    }
    await Promise.all([...background, person]);
    expect(service.requests.map(({ path }) => path)).toEqual(['/servergroups', '/servers/42', '/events']);
  });
});

it('reads groups and policies once for many devices, and again after half a minute', async () => {
  const clock = createManualClock(START);
  const fleet = createSimulatedFleet(clock);
  const reader = createSharedReader(fleet.reader, clock);
  const readAll = async () => {
    fleet.world.reads = [];
    for (let device = 0; device < 100; device += 1) {
      await Promise.all([collectRows(reader.groups()), collectRows(reader.policies())]);
      await reader.policy(policyId(12));
    }
    return fleet.world.reads;
  };
  expect(await readAll()).toEqual(['groups', 'policies', 'policy']);
  await clock.advance(31 * SECOND);
  expect(await readAll()).toEqual(['groups', 'policies', 'policy']);
});

it('reads again what could not be read', async () => {
  const clock = createManualClock(START);
  const { reader } = createSimulatedFleet(clock);
  let fails = true;
  const shared = createSharedReader(
    { ...reader, policy: (id) => (fails ? Promise.reject(new Error('down')) : reader.policy(id)) },
    clock,
  );
  await expect(shared.policy(policyId(12))).rejects.toThrow('down');
  fails = false;
  expect(await shared.policy(policyId(12))).toMatchObject({ id: 12 });
});

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
