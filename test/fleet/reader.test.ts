import { describe, expect, it } from 'vitest';
import { createManualClock, instant } from '../../src/clock.ts';
import { groupId } from '../../src/ids.ts';
import { event, listedDevice, recorded, recordedRow } from './fixtures.ts';
import { DEVICE, errorOf, ORGANIZATION, pagesOf, rowsOf, scriptedFleet, until } from './harness.ts';
import type { Reply, Seen } from './scripted-server.ts';

const fleetOf = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    listedDevice(index + 1, { organization_id: ORGANIZATION, total_count: count }),
  );
/** Rows by page, as the service cuts them. */
function paged(rows: readonly unknown[]): (seen: Seen) => Reply {
  return ({ query }) => {
    const [page, limit] = [Number(query['page']), Number(query['limit'])];
    return { body: rows.slice(page * limit, (page + 1) * limit) };
  };
}
const asked = (requests: readonly Seen[]) =>
  requests.map(({ method, path, query }) => ({ method, path, query }));

describe('the devices', () => {
  it('of a fleet of 240 are one request', async () => {
    const { reader, service } = await scriptedFleet(paged(fleetOf(240)));
    const pages = await pagesOf(reader.devices());
    expect(pages.map(({ rows, total, unreadable }) => [rows.length, total, unreadable])).toEqual([
      [240, 240, 0],
    ]);
    expect(asked(service.requests)).toEqual([
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

  it('are filtered by group and by pending patches, with 0 and 1 for booleans', async () => {
    const rows = fleetOf(1).map((row) => ({ ...row, server_group_id: 5, pending: null }));
    const { reader, service } = await scriptedFleet({ body: rows });
    await rowsOf(reader.devices({ groupId: groupId(5), pending: true }));
    await rowsOf(reader.devices({ pending: false }));
    expect(service.requests.map(({ query }) => query)).toEqual([
      { o: '7', groupId: '5', pending: '1', limit: '500', page: '0' },
      { o: '7', pending: '0', limit: '500', page: '0' },
    ]);
  });

  it('are refused where the service ignored the group', async () => {
    const { reader } = await scriptedFleet({ body: fleetOf(2) });
    const error = await errorOf(rowsOf(reader.devices({ groupId: groupId(5) })));
    expect(error).toMatchObject({ kind: 'unreadable', status: 200, detail: 'a row of another group' });
  });

  it('survive an odd row and a row without an id beside them', async () => {
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

describe('one device', () => {
  const row = listedDevice(DEVICE, { organization_id: ORGANIZATION });

  it.each([
    ['an object', row],
    ['an array of one', [row]],
  ])('is read from %s', async (_, body) => {
    const { reader, service } = await scriptedFleet({ body });
    expect(await reader.device(DEVICE)).toMatchObject({ id: 42, name: 'device-42' });
    expect(asked(service.requests)).toEqual([{ method: 'GET', path: '/servers/42', query: { o: '7' } }]);
  });

  it.each([
    ['another device', { ...row, id: 43 }, 'a row of another device'],
    ['another organization', { ...row, organization_id: 8 }, 'a row of another organization'],
    ['an array of two', [row, row], 'one object was expected'],
    ['an empty array', [], 'one object was expected'],
    ['null', null, 'one object was expected'],
    ['a text', '"gone"', 'one object was expected'],
    ['nothing', undefined, 'one object was expected'],
    ['errors with a good status', { errors: ['Not found'] }, 'one object was expected'],
  ])('is refused as unreadable where the answer is %s', async (_, body, detail) => {
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

  it('are refused where one is of another device', async () => {
    const { reader } = await scriptedFleet({
      body: [{ ...recordedRow('packages-2026.json'), server_id: 43 }],
    });
    expect(await errorOf(rowsOf(reader.packages(DEVICE)))).toMatchObject({ kind: 'unreadable' });
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
    expect(asked(service.requests)).toEqual([
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
  ])('is refused as unreadable where the answer is of %s', async (_, body) => {
    const { reader } = await scriptedFleet({ body });
    expect(await errorOf(reader.queue(DEVICE))).toMatchObject({
      kind: 'unreadable',
      path: '/servers/{id}/queues',
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
    expect(asked(service.requests)).toEqual([
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
  ])('are refused where the service ignored the %s', async (what, more) => {
    const { reader } = await scriptedFleet({ body: [event(2), event(1, more)] });
    const error = await errorOf(rowsOf(reader.events({ deviceId: DEVICE, name: 'system.patch.failed' })));
    expect(error).toMatchObject({ kind: 'unreadable', detail: `a row of another ${what}` });
  });

  it('of another organization are left out and counted: one of them must not silence the others', async () => {
    const foreign = event(3, { organization_id: 8, total_count: 2 });
    const { reader, service } = await scriptedFleet({ body: [foreign, event(2, { total_count: 2 })] });
    const pages = await Array.fromAsync(reader.events());
    expect(pages.map(({ rows, strays }) => [rows.map(({ id }) => id), strays])).toEqual([[[2], 1]]);
    expect(service.requests).toHaveLength(1);
  });

  it('are read from an envelope too', async () => {
    const { reader, service } = await scriptedFleet({ body: { size: 1, results: [event(1)] } });
    expect(await pagesOf(reader.events())).toMatchObject([{ total: 1, rows: [{ id: 1 }] }]);
    expect(service.requests).toHaveLength(1);
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

describe('a read that fails', () => {
  const row = { body: listedDevice(DEVICE, { organization_id: ORGANIZATION }) };

  it.each<[string, Reply]>([
    ['a fault of the service', { status: 500, body: { errors: ['Oops'] } }],
    ['a gateway’s page', { status: 502, body: '<html>' }],
    ['an overload with a wait', { status: 503, headers: { 'retry-after': '0' } }],
    ['a dropped connection', 'drop'],
    ['a connection cut inside the body', { cut: '{"id":' }],
  ])('is asked again after %s', async (_, reply) => {
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
  ])('is not asked again after %s', async (_, reply, kind) => {
    const { reader, service } = await scriptedFleet(reply);
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({ kind });
    expect(service.requests).toHaveLength(1);
  });

  it('is not asked again where the answer is too large', async () => {
    const { reader, service } = await scriptedFleet(row, { maxResponseBytes: 100 });
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({ kind: 'too-large' });
    expect(service.requests).toHaveLength(1);
  });

  it('is asked again when one attempt timed out', async () => {
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
    // The jitter is drawn right before the wait between two attempts.
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

  it('fails at once where the wait is longer than its deadline, and so do all others until the clock has passed it', async () => {
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
      kind: 'refused',
      error: { kind: 'throttled', retryAfterMs: 60_000 },
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
