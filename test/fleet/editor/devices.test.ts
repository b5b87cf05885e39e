import { describe, expect, it } from 'vitest';
import type { TagResult } from '../../../src/fleet/fleet.ts';
import type { ChangeFault, DeviceChange, GroupChange, TagChange } from '../../../src/fleet/model/changes.ts';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { listedDevice } from '../fixtures.ts';
import { DEVICE, ORGANIZATION, scriptedFleet, until } from '../harness.ts';
import type { Reply, Seen } from '../scripted-server.ts';
import {
  becoming,
  jsonOf,
  NOTHING_ELSE,
  sentOf,
  stored,
  storedThing,
  TAKEN,
  type Thing,
  taking,
} from './harness.ts';

const WHOLE = {
  server_group_id: 5,
  exception: false,
  tags: ['a', 'b'],
  custom_name: '',
  ip_addrs: ['192.0.2.1'],
};
const device = (more: Thing = {}): Thing =>
  listedDevice(DEVICE, {
    organization_id: ORGANIZATION,
    ...WHOLE,
    status: { device_status: 'ready' },
    ...more,
  });

describe('a change of a device', () => {
  it.each<[DeviceChange, Thing]>([
    [{ groupId: groupId(6) }, { server_group_id: 6 }],
    [{ exception: true }, { exception: true }],
    [{ tags: ['c'] }, { tags: ['c'] }],
    [{ tags: [] }, { tags: [] }],
    [{ customName: 'Front desk' }, { custom_name: 'Front desk' }],
    [{ addresses: ['192.0.2.9', '2001:db8::1'] }, { ip_addrs: ['192.0.2.9', '2001:db8::1'] }],
    [{ addresses: [] }, { ip_addrs: [] }],
    [
      { groupId: groupId(6), exception: true, tags: ['c'] },
      { server_group_id: 6, exception: true, tags: ['c'] },
    ],
  ])('of %j is sent with all other fields, and read back', async (change, changed) => {
    const { editor, service } = await storedThing(device(), taking(device()));
    const outcome = await editor.updateDevice(DEVICE, change);
    expect(outcome).toMatchObject({
      kind: 'done',
      result: { after: { id: 42, ...change }, ...NOTHING_ELSE },
    });
    const body = { ...WHOLE, ...changed };
    expect(sentOf(service.requests)).toEqual([
      { method: 'GET', path: '/servers/42', query: { o: '7' }, body: null },
      {
        method: 'PUT',
        path: '/servers/42',
        query: { o: '7', server_group_id: String(body.server_group_id) },
        body,
      },
      { method: 'GET', path: '/servers/42', query: { o: '7' }, body: null },
    ]);
    expect(service.requests[1]?.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  it.each([
    ['live', ''],
    ['documented', null],
  ] as const)('removes the custom name in the %s dialect', async (dialect, name) => {
    const before = device({ custom_name: 'Front desk' });
    const { editor, writes } = await storedThing(before, taking(before), { dialect });
    expect(await editor.updateDevice(DEVICE, { customName: null })).toMatchObject({
      kind: 'done',
      result: { after: { customName: null }, ...NOTHING_ELSE },
    });
    expect(sentOf(writes())).toMatchObject([{ body: { custom_name: name } }]);
  });

  it.each([['no addresses', { ip_addrs: [] }, ['custom_name', 'exception', 'server_group_id', 'tags']]])(
    'of a device with %s sends only what is known',
    async (_, more, fields) => {
      const { editor, writes } = await storedThing(device(more), taking(device(more)));
      expect(await editor.updateDevice(DEVICE, { exception: true })).toMatchObject({ kind: 'done' });
      expect(Object.keys(jsonOf(writes()[0]?.body ?? '')).sort()).toEqual(fields);
    },
  );

  it.each([
    ['its group', { server_group_id: undefined }, 'device-group'],
    ['whether it is an exception', { exception: null }, 'device-exception'],
    ['its tags', { tags: undefined }, 'device-tags'],
    ['its tags but null', { tags: null }, 'device-tags'],
    ['tags that are texts', { tags: ['a', { name: 'b' }] }, 'device-tags'],
    ['its name', { custom_name: undefined }, 'device-name'],
  ])('is refused when the service does not state %s, which would get lost', async (_, more, what) => {
    const { editor, writes } = await storedThing(device(more), TAKEN);
    expect(await editor.updateDevice(DEVICE, { addresses: ['192.0.2.9'] })).toEqual({
      kind: 'refused',
      error: {
        kind: 'invalid',
        method: 'PUT',
        path: '/servers/{id}',
        status: null,
        detail: '',
        fault: { kind: 'not-shown', what },
      },
    });
    expect(writes()).toHaveLength(0);
  });

  it.each<[string, DeviceChange, ChangeFault]>([
    ['nothing', {}, { kind: 'nothing-named', what: 'change' }],
    ['a blank tag', { tags: ['a', ' '] }, { kind: 'blank-tag' }],
    ['no address', { addresses: ['192.0.2.256'] }, { kind: 'no-address', address: '192.0.2.256' }],
  ])('of %s is refused without a request', async (_, change, fault) => {
    const { editor, service } = await storedThing(device(), TAKEN);
    expect(await editor.updateDevice(DEVICE, change)).toMatchObject({ kind: 'refused', error: { fault } });
    expect(service.requests).toHaveLength(0);
  });

  it('names what was not applied, what is not shown, and what else changed', async () => {
    const after = { ...device({ exception: true, tags: ['z'] }), custom_name: undefined };
    const { editor } = await storedThing(device(), becoming({ body: after }));
    const change = { groupId: groupId(6), exception: true, customName: 'Front desk' };
    expect(await editor.updateDevice(DEVICE, change)).toMatchObject({
      kind: 'done',
      result: { notApplied: ['groupId'], unconfirmed: ['customName'], alsoChanged: ['tags'] },
    });
  });

  it('ignores the order of tags', async () => {
    const after = device({ tags: ['b', 'a', 'a'], exception: true });
    const { editor } = await storedThing(device(), becoming({ body: after }));
    expect(await editor.updateDevice(DEVICE, { exception: true })).toMatchObject({ result: NOTHING_ELSE });
  });

  it('that cannot be read back is done, but none of it is confirmed', async () => {
    const { editor } = await storedThing(device(), becoming({ status: 404 }));
    expect(await editor.updateDevice(DEVICE, { exception: true, tags: [] })).toEqual({
      kind: 'done',
      result: { after: null, notApplied: [], unconfirmed: ['exception', 'tags'], alsoChanged: [] },
    });
  });

  it.each<[Reply, string]>([
    [{ status: 400 }, 'refused'],
    [{ status: 403 }, 'refused'],
    [{ status: 429 }, 'unsent'],
    [{ status: 500 }, 'unknown'],
    ['drop', 'unknown'],
    [{ status: 200, cut: '{' }, 'unknown'],
  ])('answered by %j, and not visible afterwards, is %s', async (reply, kind) => {
    const { editor, writes } = await storedThing(device(), { reply });
    expect(await editor.updateDevice(DEVICE, { exception: true })).toMatchObject({
      kind,
      error: { method: 'PUT' },
    });
    expect(writes()).toHaveLength(1);
  });

  it.each<[Reply]>([[{ status: 500 }], ['drop'], [{ status: 504 }]])(
    'answered by %j, and visible afterwards, is done',
    async (reply) => {
      const { editor, writes } = await storedThing(device(), { ...taking(device()), reply });
      expect(await editor.updateDevice(DEVICE, { exception: true })).toMatchObject({
        kind: 'done',
        result: { after: { exception: true }, ...NOTHING_ELSE },
      });
      expect(writes()).toHaveLength(1);
    },
  );

  it('whose answer was lost stays unknown where the reading back fails or shows a part of it', async () => {
    const part = device({ exception: true });
    for (const after of [{ status: 404 }, { body: part }]) {
      const { editor } = await storedThing(device(), { reply: { status: 500 }, after: () => after });
      expect(await editor.updateDevice(DEVICE, { exception: true, tags: [] })).toMatchObject({
        kind: 'unknown',
      });
    }
  });

  it('of a device that cannot be read is refused, and nothing is sent', async () => {
    const { editor, writes } = await storedThing({ status: 'odd' }, TAKEN);
    expect(await editor.updateDevice(DEVICE, { exception: true })).toMatchObject({
      kind: 'refused',
      error: { method: 'GET' },
    });
    expect(writes()).toHaveLength(0);
  });
});

const DECLINED: Reply = { body: { errors: ['This device is in use'] } };

describe('the deletion of a device', () => {
  it('is one request, and then a read', async () => {
    const { editor, service } = await storedThing(device(), becoming({ status: 404 }));
    expect(await editor.deleteDevice(DEVICE)).toEqual({ kind: 'done', result: { gone: true } });
    expect(sentOf(service.requests)).toEqual([
      { method: 'DELETE', path: '/servers/42', query: { o: '7' }, body: null },
      { method: 'GET', path: '/servers/42', query: { o: '7' }, body: null },
    ]);
  });

  it.each<[string, Reply, boolean]>([
    ['the service still shows it', { body: device() }, false],
    ['the service cannot be read', { status: 403 }, false],
    ['the service shows it as deleted', { body: device({ deleted: true }) }, true],
  ])('says whether it is gone where %s', async (_, after, gone) => {
    const { editor } = await storedThing(device(), { reply: { status: 204 }, after: () => after });
    expect(await editor.deleteDevice(DEVICE)).toEqual({ kind: 'done', result: { gone } });
  });

  it.each<[string, Reply, Reply, string]>([
    ['is refused by 403', { status: 403 }, { body: device() }, 'refused'],
    ['is refused by 404', { status: 404 }, { status: 404 }, 'refused'],
    ['with a lost answer is done when the device is gone', 'drop', { status: 404 }, 'done'],
    ['with a lost answer is unknown when the device still exists', 'drop', { body: device() }, 'unknown'],
    ['with an error in its answer is done when it is gone', DECLINED, { status: 404 }, 'done'],
    ['with an error in its answer is unknown when it still exists', DECLINED, { body: device() }, 'unknown'],
    ['with a lost answer is unknown when the read fails', 'drop', { status: 403 }, 'unknown'],
  ])('%s', async (_, reply, after, kind) => {
    const { editor, writes } = await storedThing(device(), { reply, after: () => after });
    expect(await editor.deleteDevice(DEVICE)).toMatchObject({ kind });
    expect(writes()).toHaveLength(1);
  });
});

const frontDesk = device({ custom_name: 'Front desk' });
const group = stored({
  name: 'Kiosks',
  refresh_interval: 360,
  notes: '',
  policies: [3, 4],
  wsus_config: undefined,
});
const nowhere = { reply: { status: 500 } };

describe('a device compared with the wanted change', () => {
  it.each<[DeviceChange, readonly string[]]>([
    [{ customName: 'Front desk', exception: false, groupId: groupId(5) }, []],
    [{ retag: { add: ['a'], remove: ['c'] } }, []],
    [{ retag: { add: ['c'], remove: [] } }, ['tags']],
    [{ retag: { add: [], remove: ['b'] }, exception: true }, ['exception', 'tags']],
    [{ customName: null }, ['customName']],
  ])('%j is not applied in %j', async (change, notApplied) => {
    const { editor, writes } = await storedThing(frontDesk, nowhere);
    const found = { notApplied, unconfirmed: [], alsoChanged: [] };
    expect(await editor.checkDevice(DEVICE, change)).toMatchObject(found);
    expect(writes()).toEqual([]);
  });
});

describe('a group compared with the wanted change', () => {
  it.each<[GroupChange, object]>([
    [
      { name: 'Kiosks', color: 'pine green', policyIds: [] },
      { notApplied: ['policyIds'], unconfirmed: [] },
    ],
    [
      { notes: '', wsus: { enabled: true } },
      { notApplied: [], unconfirmed: ['wsus'] },
    ],
    [{ refreshIntervalMinutes: 720 }, { notApplied: ['refreshIntervalMinutes'] }],
  ])('%j', async (change, found) => {
    const { editor, writes } = await storedThing(group, nowhere);
    expect(await editor.checkGroup(groupId(5), change)).toMatchObject(found);
    expect(writes()).toEqual([]);
  });
});

describe('tags that are added and removed with other fields', () => {
  it('are merged into the current tags when the change is made', async () => {
    const { editor, writes } = await storedThing(frontDesk, taking(frontDesk));
    const change = { retag: { add: ['c'], remove: ['a'] }, exception: true };
    expect(await editor.updateDevice(DEVICE, change)).toMatchObject({
      kind: 'done',
      result: { notApplied: [], alsoChanged: [], after: { tags: ['b', 'c'] } },
    });
    expect(writes().map(({ body }) => jsonOf(body))).toMatchObject([{ tags: ['b', 'c'], exception: true }]);
  });

  it.each<[TagChange, ChangeFault]>([
    [{ add: [' '], remove: [] }, { kind: 'blank-tag' }],
    [
      { add: [], remove: [] },
      { kind: 'nothing-named', what: 'tag' },
    ],
    [
      { add: ['a'], remove: ['a'] },
      { kind: 'tag-both-ways', tag: 'a' },
    ],
  ])('%j is refused before sending', async (retag, fault) => {
    const { editor, service } = await storedThing(frontDesk, nowhere);
    expect(await editor.updateDevice(DEVICE, { retag })).toMatchObject({ kind: 'refused', error: { fault } });
    expect(service.requests).toEqual([]);
  });
});

const ids = (count: number) => Array.from({ length: count }, (_, index) => deviceId(index + 1));
const tagged = (id: number, tags: readonly string[]) => device({ id, tags });
const change: TagChange = { add: ['new'], remove: ['old'] };
const batchBody = (devices: readonly number[]) => ({
  devices,
  actions: [
    { attribute: 'tags', action: 'apply', value: ['new'] },
    { attribute: 'tags', action: 'remove', value: ['old'] },
  ],
});
const kinds = (results: readonly TagResult[] | null) =>
  results?.map(({ deviceId: id, outcome }) => [id, outcome.kind]);
const idOf = (path: string) => Number(path.split('/').at(-1));
const posts = (requests: readonly Seen[]) => requests.filter(({ method }) => method === 'POST');

/** A service with the batch endpoint; `tagsOf` gives a device's tags after a batch was sent. */
function batching(reply: Reply, tagsOf: (id: number) => readonly string[], size = 1) {
  return ({ method, path, query }: Seen): Reply => {
    if (method === 'POST') return reply;
    if (path !== '/servers') return { body: tagged(idOf(path), tagsOf(idOf(path))) };
    const rows = ids(size).map((id) => ({ ...tagged(id, tagsOf(id)), total_count: size }));
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
      { deviceId: 42, outcome: { kind: 'done', result: { after: { tags: ['new'] }, ...NOTHING_ELSE } } },
      { deviceId: 43, outcome: { kind: 'done', result: { after: { tags: ['new'] }, ...NOTHING_ELSE } } },
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
      { result: NOTHING_ELSE },
      { result: NOTHING_ELSE },
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
