import { describe, expect, it } from 'vitest';
import type { TagResult } from '../../../src/fleet/fleet.ts';
import type { ChangeFault, TagChange } from '../../../src/fleet/model/changes.ts';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { listedDevice } from '../fixtures.ts';
import { DEVICE, ORGANIZATION, scriptedFleet, until } from '../harness.ts';
import type { Reply, Seen } from '../scripted-server.ts';
import { jsonOf, sentOf } from './harness.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => deviceId(index + 1));
const device = (id: number, tags: readonly string[]) =>
  listedDevice(id, {
    organization_id: ORGANIZATION,
    server_group_id: 5,
    exception: false,
    custom_name: '',
    ip_addrs: [],
    tags,
  });
const change: TagChange = { add: ['new'], remove: ['old'] };
const batchBody = (devices: readonly number[]) => ({
  devices,
  actions: [
    { attribute: 'tags', action: 'apply', value: ['new'] },
    { attribute: 'tags', action: 'remove', value: ['old'] },
  ],
});
const confirmed = { notApplied: [], unconfirmed: [], alsoChanged: [] };
const kinds = (results: readonly TagResult[] | null) =>
  results?.map(({ deviceId: id, outcome }) => [id, outcome.kind]);
const idOf = (path: string) => Number(path.split('/').at(-1));
const posts = (requests: readonly Seen[]) => requests.filter(({ method }) => method === 'POST');

/** A service with the batch endpoint; `tagsOf` gives a device's tags after a batch was sent. */
function batching(reply: Reply, tagsOf: (id: number) => readonly string[], size = 1) {
  return ({ method, path, query }: Seen): Reply => {
    if (method === 'POST') return reply;
    if (path !== '/servers') return { body: device(idOf(path), tagsOf(idOf(path))) };
    const rows = ids(size).map((id) => ({ ...device(id, tagsOf(id)), total_count: size }));
    const start = Number(query['page']) * 500;
    return { body: rows.slice(start, start + 500) };
  };
}

/** Moves the clock until `work` is done: the checks of a batch are apart. */
async function finished<T>(work: Promise<T>, clock: ReturnType<typeof createManualClock>): Promise<T> {
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await clock.advance(1_000);
    await new Promise(setImmediate);
  }
  return work;
}

describe('tags of several devices', () => {
  it('are changed by one batch and read back', async () => {
    const { editor, service } = await scriptedFleet(
      batching({ body: { id: 'x', total_jobs: 2 } }, () => ['new']),
    );
    const results = await editor.tagDevices([DEVICE, deviceId(43), DEVICE], change);
    expect(results).toMatchObject([
      { deviceId: 42, outcome: { kind: 'done', result: { after: { tags: ['new'] }, ...confirmed } } },
      { deviceId: 43, outcome: { kind: 'done', result: { after: { tags: ['new'] }, ...confirmed } } },
    ]);
    expect(sentOf(posts(service.requests))).toEqual([
      { method: 'POST', path: '/servers/batch', query: { o: '7' }, body: batchBody([42, 43]) },
    ]);
    expect(
      service.requests
        .slice(1)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual(['GET /servers/42', 'GET /servers/43']);
  });

  it.each<[TagChange, readonly unknown[]]>([
    [{ add: ['a', 'b'], remove: [] }, [{ attribute: 'tags', action: 'apply', value: ['a', 'b'] }]],
    [{ add: [], remove: ['a'] }, [{ attribute: 'tags', action: 'remove', value: ['a'] }]],
  ])('%j sends only the requested actions', async (change, actions) => {
    const { editor, service } = await scriptedFleet(batching({ body: {} }, () => change.add));
    expect(kinds(await editor.tagDevices([DEVICE], change))).toEqual([[42, 'done']]);
    expect(jsonOf(posts(service.requests)[0]?.body ?? '')).toEqual({ devices: [42], actions });
  });

  it('are sent 500 devices at a time and looked up in the list', async () => {
    const { editor, service } = await scriptedFleet(batching({ body: {} }, () => ['new'], 1_001));
    const results = await editor.tagDevices(ids(1_001), change);
    expect(results).toHaveLength(1_001);
    expect(new Set(results?.map(({ outcome }) => outcome.kind))).toEqual(new Set(['done']));
    const sent = posts(service.requests).map(({ body }) => jsonOf(body)['devices']);
    expect(sent).toEqual([ids(1_001).slice(0, 500), ids(1_001).slice(500, 1_000), ids(1_001).slice(1_000)]);
    const lists = service.requests.filter(({ path }) => path === '/servers');
    // One page for the first chunk, two for the second; the last device is read by itself.
    expect(lists.map(({ query }) => query['page'])).toEqual(['0', '0', '1']);
    expect(lists[0]?.query).toEqual({ o: '7', limit: '500', page: '0', exclude_policy_status: '1' });
  });

  it('that show later are read again, only for devices that lack them', async () => {
    const clock = createManualClock(instant(Date.UTC(2026, 0, 1)));
    let looks = 0;
    const tagsOf = (id: number) => {
      if (id === 43) looks += 1;
      return id === 43 && looks < 3 ? ['old'] : ['new'];
    };
    const { editor, service } = await scriptedFleet(batching({ body: {} }, tagsOf), { clock });
    const results = await finished(editor.tagDevices([DEVICE, deviceId(43)], change), clock);
    expect(results?.map(({ outcome }) => outcome)).toMatchObject([
      { result: confirmed },
      { result: confirmed },
    ]);
    expect(service.requests.filter(({ path }) => path === '/servers/42')).toHaveLength(1);
    expect(service.requests.filter(({ path }) => path === '/servers/43')).toHaveLength(3);
    expect(posts(service.requests)).toHaveLength(1);
  });

  it('that never show are unconfirmed after four reads', async () => {
    const clock = createManualClock(instant(Date.UTC(2026, 0, 1)));
    const { editor, service } = await scriptedFleet(
      batching({ body: {} }, () => ['old']),
      { clock },
    );
    const results = await finished(editor.tagDevices([DEVICE], change), clock);
    expect(results).toMatchObject([
      { outcome: { kind: 'done', result: { after: { tags: ['old'] }, unconfirmed: ['tags'] } } },
    ]);
    expect(service.requests.filter(({ method }) => method === 'GET')).toHaveLength(4);
    expect(clock.now()).toBeGreaterThanOrEqual(Date.UTC(2026, 0, 1) + 10_000);
  });

  it('after a lost answer are done where they show, and unknown elsewhere', async () => {
    const clock = createManualClock(instant(Date.UTC(2026, 0, 1)));
    const tagsOf = (id: number) => (id === 42 ? ['new'] : ['old']);
    const { editor, service } = await scriptedFleet(batching('drop', tagsOf), { clock });
    const results = await finished(editor.tagDevices([DEVICE, deviceId(43)], change), clock);
    expect(kinds(results)).toEqual([
      [42, 'done'],
      [43, 'unknown'],
    ]);
    expect(posts(service.requests)).toHaveLength(1);
  });

  it.each([
    [400, 'refused'],
    [403, 'refused'],
    [429, 'unsent'],
  ])('answered by %i are %s for every device', async (status, kind) => {
    const { editor, service } = await scriptedFleet({ status });
    expect(kinds(await editor.tagDevices([DEVICE, deviceId(43)], change))).toEqual([
      [42, kind],
      [43, kind],
    ]);
    expect(service.requests).toHaveLength(1);
  });

  it.each<[string, TagChange, ChangeFault]>([
    ['no tag', { add: [], remove: [] }, { kind: 'nothing-named', what: 'tag' }],
    ['a blank tag', { add: [''], remove: [] }, { kind: 'blank-tag' }],
    ['a tag both ways', { add: ['a'], remove: ['a'] }, { kind: 'tag-both-ways', tag: 'a' }],
  ])('of %s are refused without a request', async (_, change, fault) => {
    const { editor, service } = await scriptedFleet({ body: {} });
    expect(await editor.tagDevices([DEVICE], change)).toMatchObject([
      { deviceId: 42, outcome: { kind: 'refused', error: { kind: 'invalid', status: null, fault } } },
    ]);
    expect(service.requests).toHaveLength(0);
  });

  it('of no device make no request', async () => {
    const { editor, service } = await scriptedFleet({ body: {} });
    expect(await editor.tagDevices([], change)).toEqual([]);
    expect(service.requests).toHaveLength(0);
  });
});

describe('tags of several devices without a batch endpoint', () => {
  it.each([
    ['of the documented service', 'documented', { status: 500 }, 0],
    ['of a live service that answers 404', 'live', { status: 404 }, 1],
    ['of a live service that answers 405', 'live', { status: 405 }, 1],
  ] as const)('%s are not changed, and the caller is told', async (_, dialect, batch, batches) => {
    const { editor, service } = await scriptedFleet(batch, { dialect });
    expect(await editor.tagDevices(ids(3), change)).toBeNull();
    expect(service.requests.map(({ method }) => method)).toEqual(Array(batches).fill('POST'));
  });

  it('are refused for a later batch alone, where an earlier one was taken', async () => {
    let sent = 0;
    const { editor } = await scriptedFleet((seen) => {
      if (seen.method === 'POST') sent += 1;
      const isSecond = seen.method === 'POST' && sent === 2;
      return isSecond ? { status: 404 } : batching({ body: {} }, () => ['new'], 501)(seen);
    });
    const outcomes = kinds(await editor.tagDevices(ids(501), change));
    expect(outcomes?.map(([, kind]) => kind)).toEqual([...Array(500).fill('done'), 'refused']);
  });
});

describe('tags that were sent', () => {
  it('are unconfirmed when the client is closed while it waits to read again', async () => {
    const clock = createManualClock(instant(Date.UTC(2026, 0, 1)));
    const { editor, service, close } = await scriptedFleet(
      batching({ status: 200, body: {} }, () => ['old']),
      { clock },
    );
    const tagging = editor.tagDevices(ids(1), change);
    await until(() => service.requests.length === 2);
    await close();
    expect(await tagging).toMatchObject([{ outcome: { kind: 'done', result: { unconfirmed: ['tags'] } } }]);
  });
});
