import { describe, expect, it } from 'vitest';
import type { ChangeFault, DeviceChange } from '../../../src/fleet/model/changes.ts';
import { groupId } from '../../../src/lib/ids.ts';
import { listedDevice } from '../fixtures.ts';
import { DEVICE, ORGANIZATION } from '../harness.ts';
import type { Reply } from '../scripted-server.ts';
import { jsonOf, sentOf, storedThing, type Thing } from './harness.ts';

const device = (more: Thing = {}): Thing =>
  listedDevice(DEVICE, {
    organization_id: ORGANIZATION,
    server_group_id: 5,
    exception: false,
    tags: ['a', 'b'],
    custom_name: '',
    ip_addrs: ['192.0.2.1'],
    status: { device_status: 'ready' },
    ...more,
  });
const whole = {
  server_group_id: 5,
  exception: false,
  tags: ['a', 'b'],
  custom_name: '',
  ip_addrs: ['192.0.2.1'],
};
const fine = { notApplied: [], unconfirmed: [], alsoChanged: [] };
/** A service that accepts everything. */
const taking = (before: Thing) => ({
  reply: { status: 204 },
  after: (sent: Thing) => ({ body: { ...before, ...sent } }),
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
    expect(outcome).toMatchObject({ kind: 'done', result: { after: { id: 42, ...change }, ...fine } });
    const body = { ...whole, ...changed };
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
      result: { after: { customName: null }, ...fine },
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
    const { editor, writes } = await storedThing(device(more), { reply: { status: 204 } });
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
    const { editor, service } = await storedThing(device(), { reply: { status: 204 } });
    expect(await editor.updateDevice(DEVICE, change)).toMatchObject({ kind: 'refused', error: { fault } });
    expect(service.requests).toHaveLength(0);
  });

  it('names what was not applied, what is not shown, and what else changed', async () => {
    const after = { ...device({ exception: true, tags: ['z'] }), custom_name: undefined };
    const { editor } = await storedThing(device(), {
      reply: { status: 204 },
      after: () => ({ body: after }),
    });
    const change = { groupId: groupId(6), exception: true, customName: 'Front desk' };
    expect(await editor.updateDevice(DEVICE, change)).toMatchObject({
      kind: 'done',
      result: { notApplied: ['groupId'], unconfirmed: ['customName'], alsoChanged: ['tags'] },
    });
  });

  it('ignores the order of tags', async () => {
    const after = device({ tags: ['b', 'a', 'a'], exception: true });
    const { editor } = await storedThing(device(), {
      reply: { status: 204 },
      after: () => ({ body: after }),
    });
    expect(await editor.updateDevice(DEVICE, { exception: true })).toMatchObject({ result: fine });
  });

  it('that cannot be read back is done, but none of it is confirmed', async () => {
    const { editor } = await storedThing(device(), {
      reply: { status: 204 },
      after: () => ({ status: 404 }),
    });
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
        result: { after: { exception: true }, ...fine },
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
    const { editor, writes } = await storedThing({ status: 'odd' }, { reply: { status: 204 } });
    expect(await editor.updateDevice(DEVICE, { exception: true })).toMatchObject({
      kind: 'refused',
      error: { method: 'GET' },
    });
    expect(writes()).toHaveLength(0);
  });
});

const ERROR_WITH_200: Reply = { body: { errors: ['This device is in use'] } };

describe('the deletion of a device', () => {
  it('is one request, and then a read', async () => {
    const { editor, service } = await storedThing(device(), {
      reply: { status: 204 },
      after: () => ({ status: 404 }),
    });
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
    ['with an error in its answer is done when it is gone', ERROR_WITH_200, { status: 404 }, 'done'],
    [
      'with an error in its answer is unknown when it still exists',
      ERROR_WITH_200,
      { body: device() },
      'unknown',
    ],
    ['with a lost answer is unknown when the read fails', 'drop', { status: 403 }, 'unknown'],
  ])('%s', async (_, reply, after, kind) => {
    const { editor, writes } = await storedThing(device(), { reply, after: () => after });
    expect(await editor.deleteDevice(DEVICE)).toMatchObject({ kind });
    expect(writes()).toHaveLength(1);
  });
});
