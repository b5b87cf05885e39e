import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { DAY, HOUR, instant, MINUTE } from '../../../../src/lib/clock.ts';
import type { WorldRequest } from '../../../../src/sandbox/contracts/services.ts';
import { createRandom, uuidOf } from '../../../../src/sandbox/management/world/random.ts';
import {
  createDeviceTable,
  createInstallOutcomes,
  searchDevicesByName,
  seedWorld,
} from '../../../../src/sandbox/management/world/world.ts';
import { property } from '../../../harness/property.ts';
import { madePerTest } from '../../../harness/use-started.ts';
import { type JsonRow, rowOf, START, startService, type TestService } from '../harness/service.ts';

const service = madePerTest(startService);

function order(wanted: WorldRequest, on: TestService = service): readonly number[] {
  const result = on.management.world(wanted);
  if (!result.ok) throw new Error(result.error);
  return result.events;
}

async function eventsOf(ids: readonly number[]): Promise<readonly JsonRow[]> {
  const newest = await service.rows(`/events?limit=${Math.max(ids.length, 1)}`);
  return newest.filter(({ id }) => ids.includes(Number(id))).toReversed();
}

describe('event', () => {
  it('logs an event of any name on a device', async () => {
    const ids = order({ do: 'event', name: 'system.device.renamed', device: 'web-01' });
    expect(await eventsOf(ids)).toMatchObject([
      { name: 'system.device.renamed', server_name: 'web-01', policy_id: null },
    ]);
  });

  it('needs a name', async () => {
    expect(service.management.world({ do: 'event', device: 'web-01' })).toMatchObject({ ok: false });
  });
});

describe('patch-fails', () => {
  it('makes one event of the shape of live ones, and the patch stays missing', async () => {
    await service.clock.advance(HOUR);
    const ids = order({ do: 'patch-fails', device: 'web-01', patch: 'curl', reason: 'disk full' });
    const web = await service.device('web-01');
    expect(await eventsOf(ids)).toEqual([
      {
        id: ids[0],
        name: 'system.patch.failed',
        user_id: null,
        server_id: web['id'],
        organization_id: service.management.organizationId,
        policy_id: null,
        data: {
          ip: '203.0.113.147',
          os: 'Ubuntu 22.04',
          systemname: 'web-01',
          failure: 'disk full',
          patches: '"curl"',
        },
        server_name: 'web-01',
        policy_name: null,
        policy_type_name: null,
        create_time: '2026-03-10T13:00:00Z',
      },
    ]);
    expect(web['pending_patches']).toBe(3);
  });

  it('picks a missing patch of the device where none is named', async () => {
    const [event] = await eventsOf(order({ do: 'patch-fails', device: 'web-01' }));
    const { patches, failure } = rowOf(event?.['data']);
    expect(['"openssl"', '"linux-image-generic"', '"curl"']).toContain(patches);
    expect(failure).toEqual(expect.stringMatching(/./));
  });

  it('picks a device where none is named, and leaves those alone that people know by name', async () => {
    const ids = Array.from({ length: 40 }, () => order({ do: 'patch-fails' })).flat();
    const names = (await eventsOf(ids)).map((event) => event['server_name']);
    expect(new Set(names).size).toBeGreaterThan(20);
    for (const known of ['web-01', 'web-02', 'db-01', 'win-ts-01', 'kiosk-07', 'dup-01'])
      expect(names).not.toContain(known);
  });

  it('makes a patch missing that the device did not know, so that it can be tried again', async () => {
    const id = await service.idOf('web-01');
    order({ do: 'patch-fails', device: 'web-01', patch: 'acme-agent' });
    expect((await service.device('web-01'))['pending_patches']).toBe(4);
    await service.post(`/servers/${id}/queues`, { command_type_name: 'InstallUpdate', args: 'acme-agent' });
    await service.clock.advance(HOUR);
    expect((await service.device('web-01'))['pending_patches']).toBe(3);
    const [event] = await service.rows(`/events?serverId=${id}&limit=1`);
    expect(event).toMatchObject({ name: 'system.patch.applied', data: { patches: '"acme-agent"' } });
  });

  it('makes a patch missing again that was installed', async () => {
    const id = await service.idOf('web-02');
    const installed = (await service.rows(`/servers/${id}/packages`)).find((item) => item['installed']);
    order({ do: 'patch-fails', device: 'web-02', patch: String(installed?.['name']) });
    const now = (await service.rows(`/servers/${id}/packages`)).filter(
      ({ name }) => name === installed?.['name'],
    );
    expect(now).toEqual([expect.objectContaining({ installed: false, id: installed?.['id'] })]);
  });

  it('passes hostile names and reasons on as they are', async () => {
    const hostile = '<!channel> *x* `y` "z" \u0000\u202e & \n';
    const ids = order({
      do: 'patch-fails',
      device: '<!channel> & *bold*',
      patch: hostile,
      reason: hostile,
    });
    const [event] = await eventsOf(ids);
    expect(event).toMatchObject({
      server_name: '<!channel> & *bold*',
      data: { systemname: '<!channel> & *bold*', failure: hostile, patches: `"${hostile}"` },
    });
  });
});

describe('patch-applies', () => {
  it('installs a missing patch', async () => {
    const ids = order({ do: 'patch-applies', device: 'web-01', patch: 'linux-image-generic' });
    expect(await eventsOf(ids)).toMatchObject([
      { name: 'system.patch.applied', server_name: 'web-01', data: { patches: '"linux-image-generic"' } },
    ]);
    expect(await service.device('web-01')).toMatchObject({ pending_patches: 2, needs_reboot: true });
  });
});

describe('device-added and device-removed', () => {
  it('registers a device under the requested name, with an event', async () => {
    const ids = order({ do: 'device-added', name: 'fresh <@U1>' });
    const device = await service.device('fresh <@U1>');
    expect(await eventsOf(ids)).toMatchObject([
      {
        name: 'system.add',
        server_id: device['id'],
        server_name: 'fresh <@U1>',
        data: { systemname: 'fresh <@U1>' },
      },
    ]);
    expect(device).toMatchObject({ connected: true, total_count: 1, last_refresh_time: null });
    expect((await service.rows('/servers?limit=1'))[0]?.['total_count']).toBe(241);
    expect((await service.rows(`/servers/${device['id']}/packages`)).length).toBeGreaterThan(10);
  });

  it('gives names of its own that differ', async () => {
    const ids = [...order({ do: 'device-added' }), ...order({ do: 'device-added' })];
    const names = (await eventsOf(ids)).map((event) => event['server_name']);
    expect(new Set(names).size).toBe(2);
  });

  it('forgets a removed device: its reads are not found and its queue is gone', async () => {
    const id = await service.idOf('web-01');
    await service.post(`/servers/${id}/queues`, { command_type_name: 'Reboot' });
    const ids = order({ do: 'device-removed', device: 'web-01' });
    expect(await eventsOf(ids)).toMatchObject([
      { name: 'system.delete', server_id: id, server_name: 'web-01' },
    ]);
    for (const path of ['', '/packages', '/queues'])
      expect(await service.get(`/servers/${id}${path}`)).toMatchObject({ status: 404 });
    expect(await service.post(`/servers/${id}/queues`, { command_type_name: 'GetOS' })).toMatchObject({
      status: 404,
    });
    const newest = await service.rows('/events?limit=1');
    await service.clock.advance(HOUR);
    expect(await service.rows('/events?limit=1')).toEqual(newest);
  });
});

describe('device-offline and device-online', () => {
  it('take a device away and bring it back without an event, and its uptime goes on', async () => {
    const before = await service.device('web-01');
    expect(order({ do: 'device-offline', device: 'web-01' })).toEqual([]);
    await service.clock.advance(DAY);
    const gone = await service.device('web-01');
    expect(gone).toMatchObject({ connected: false, last_disconnect_time: '2026-03-10T12:00:00+0000' });
    expect(Date.parse(String(gone['last_process_time']))).toBeLessThanOrEqual(START);
    expect(order({ do: 'device-online', device: 'web-01' })).toEqual([]);
    expect(await service.device('web-01')).toMatchObject({
      connected: true,
      uptime: before['uptime'],
      needs_reboot: true,
      last_process_time: '2026-03-11T12:00:00+0000',
      last_disconnect_time: '2026-03-10T12:00:00+0000',
    });
  });

  it('change nothing where the device is so already', async () => {
    const [web, kiosk] = [await service.device('web-01'), await service.device('kiosk-07')];
    order({ do: 'device-online', device: 'web-01' });
    order({ do: 'device-offline', device: 'kiosk-07' });
    expect(await service.device('web-01')).toEqual(web);
    expect(await service.device('kiosk-07')).toEqual(kiosk);
  });
});

describe('grouped alerts', () => {
  it('is one patch failing for one reason on 200 different devices, ids ascending', async () => {
    const ids = order({ do: 'storm' });
    const events = await eventsOf(ids);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(events).toHaveLength(200);
    expect(new Set(events.map((event) => event['server_id'])).size).toBe(200);
    const causes = events.map(({ data }) => [rowOf(data)['patches'], rowOf(data)['failure']].join());
    expect(new Set(causes).size).toBe(1);
  });

  it('takes its size, patch and reason', async () => {
    const ids = order({ do: 'storm', count: 3, patch: 'KB1', reason: 'no' });
    expect(await eventsOf(ids)).toMatchObject(
      Array.from({ length: 3 }, () => ({ data: { patches: '"KB1"', failure: 'no' } })),
    );
  });

  it.each([0, -1, 2.5, Number.NaN, 241])('of %s devices is refused and changes nothing', async (count) => {
    const newest = await service.rows('/events?limit=1');
    expect(service.management.world({ do: 'storm', count })).toMatchObject({ ok: false });
    expect(await service.rows('/events?limit=1')).toEqual(newest);
  });
});

describe('the end of a storm', () => {
  it('installs its patch where it is missing, on as many devices as asked', async () => {
    const failed = await eventsOf(order({ do: 'storm', count: 5, patch: 'acme-agent' }));
    const some = await eventsOf(order({ do: 'storm-fixed', count: 2 }));
    const rest = await eventsOf(order({ do: 'storm-fixed', patch: 'acme-agent' }));
    expect([some.length, rest.length]).toEqual([2, 3]);
    for (const event of [...some, ...rest])
      expect(event).toMatchObject({ name: 'system.patch.applied', data: { patches: '"acme-agent"' } });
    const devicesOf = (events: readonly JsonRow[]) =>
      events.map((event) => Number(event['server_id'])).toSorted();
    expect(devicesOf([...some, ...rest])).toEqual(devicesOf(failed));
    expect(service.management.world({ do: 'storm-fixed' })).toEqual({
      ok: false,
      error: 'no device misses acme-agent',
    });
  });
});

describe('an event that is listed late', () => {
  it('is in no list and no count before, and then in its place with its own time', async () => {
    const count = async () => Number(rowOf((await service.get('/events?countOnly=1')).body)['size']);
    const before = await count();
    const [late] = order({ do: 'patch-fails', device: 'web-01', listed: 10 * MINUTE });
    const [next] = order({ do: 'patch-applies', device: 'web-02' });
    const newest = async () => (await service.rows('/events?limit=2')).map(({ id }) => Number(id));
    expect(await count()).toBe(before + 1);
    expect(await newest()).not.toContain(late);
    await service.clock.advance(10 * MINUTE);
    expect(await newest()).toEqual([next, late]);
    expect(await count()).toBe(before + 2);
  });
});

it('an event may state no time', async () => {
  const ids = order({ do: 'patch-applies', device: 'web-01', time: null });
  expect(await eventsOf(ids)).toMatchObject([{ create_time: null }]);
});

describe('a request for a device', () => {
  it('takes an id as well as a name', async () => {
    const id = await service.idOf('web-02');
    const [event] = await eventsOf(order({ do: 'patch-fails', device: String(id) }));
    expect(event?.['server_name']).toBe('web-02');
  });

  it.each(['patch-fails', 'patch-applies', 'device-removed', 'device-offline', 'device-online'] as const)(
    '%s is refused for one that is not there, and for a name that two have',
    async (deed) => {
      const newest = await service.rows('/events?limit=1');
      expect(service.management.world({ do: deed, device: 'web-99"' })).toEqual({
        ok: false,
        error: 'no device is named "web-99\\""',
      });
      expect(service.management.world({ do: deed, device: 'dup-01' })).toEqual({
        ok: false,
        error: 'several devices are named "dup-01": use an id (4006, 4007)',
      });
      expect(await service.rows('/events?limit=1')).toEqual(newest);
    },
  );
});

async function install(name: string, args?: string): Promise<void> {
  const command = args === undefined ? 'InstallAllUpdates' : 'InstallUpdate';
  const body = { command_type_name: command, ...(args === undefined ? {} : { args }) };
  await service.post(`/servers/${await service.idOf(name)}/queues`, body);
  await service.clock.advance(HOUR);
}

async function newest(name: string, limit: number) {
  const rows = await service.rows(`/events?serverId=${await service.idOf(name)}&limit=${limit}`);
  return rows.map((row) => ({ name: row['name'], data: row['data'] }));
}

const pending = async (name: string) => (await service.device(name))['pending_patches'];

describe('installs-fail', () => {
  it('lets installs fail with an event, and the patches stay missing', async () => {
    expect(service.management.world({ do: 'installs-fail' })).toEqual({ ok: true, events: [] });
    await install('web-01', 'openssl');
    expect(await newest('web-01', 1)).toMatchObject([
      {
        name: 'system.patch.failed',
        data: { patches: '"openssl"', failure: expect.stringMatching(/installer ended/) },
      },
    ]);
    expect(await pending('web-01')).toBe(3);
  });

  it('of one patch fails that one alone', async () => {
    service.management.world({ do: 'installs-fail', device: 'web-01', patch: 'curl' });
    await install('web-01');
    const [applied, failed] = await newest('web-01', 2);
    expect(failed).toMatchObject({ name: 'system.patch.failed', data: { patches: '"curl"' } });
    expect(applied).toMatchObject({ name: 'system.patch.applied' });
    expect(await pending('web-01')).toBe(1);
  });

  it('leaves other devices alone', async () => {
    service.management.world({ do: 'installs-fail', device: 'web-02' });
    await install('web-01');
    expect(await pending('web-01')).toBe(0);
  });

  it('ends with installs-work, and with a reset', async () => {
    service.management.world({ do: 'installs-fail' });
    service.management.world({ do: 'installs-work' });
    await install('web-01', 'curl');
    expect(await pending('web-01')).toBe(2);
    service.management.world({ do: 'installs-fail' });
    service.management.reset();
    await install('web-01', 'curl');
    expect(await pending('web-01')).toBe(2);
  });

  it('names a device that is not there', async () => {
    expect(service.management.world({ do: 'installs-fail', device: 'nowhere' })).toMatchObject({ ok: false });
  });
});

describe('what was decided', () => {
  it('is the newest order about an install', () => {
    const installs = createInstallOutcomes();
    const web = { deviceId: 1, patch: 'curl' };
    installs.decide({}, true);
    installs.decide({ deviceId: 1 }, false);
    expect([installs.fails(web), installs.fails({ ...web, deviceId: 2 })]).toEqual([false, true]);
    installs.decide({ patch: 'curl' }, true);
    expect(installs.fails(web)).toBe(true);
    installs.decide({}, false);
    expect([installs.fails(web), installs.fails({ ...web, deviceId: 2 })]).toEqual([false, false]);
  });
});

const { devices } = seedWorld({ devices: 240 }, instant(1_800_000_000_000));

test('devices are found by a part of their name in whatever case', () => {
  const found = searchDevicesByName(devices, 'WEB-0', 20).map(({ value }) => value);
  expect(found).toEqual(expect.arrayContaining(['web-01', 'web-02']));
  expect(found.every((name) => name.startsWith('web-0'))).toBe(true);
});

test('of several with one name each is named by its id', () => {
  const found = searchDevicesByName(devices, 'dup-01', 20);
  expect(found).toHaveLength(2);
  for (const { value, label } of found) expect(label).toBe(`dup-01 · #${value}`);
});

test('at most the requested number is listed, and none where none matches', () => {
  expect(searchDevicesByName(devices, '', 5)).toHaveLength(5);
  expect(searchDevicesByName(devices, 'no such device', 5)).toEqual([]);
  expect(searchDevicesByName(createDeviceTable([]), '', 5)).toEqual([]);
});

describe('live and quiet', () => {
  it('nothing happens spontaneously unless live mode is on', async () => {
    const newest = await service.rows('/events?limit=1');
    const connected = (await service.rows('/servers')).map((row) => row['connected']);
    await service.clock.advance(3 * DAY);
    expect(await service.rows('/events?limit=1')).toEqual(newest);
    expect((await service.rows('/servers')).map((row) => row['connected'])).toEqual(connected);
  });

  it('live mode lasts until quiet', async () => {
    const [before] = await service.rows('/events?limit=1');
    expect(order({ do: 'live' })).toEqual([]);
    await service.clock.advance(4 * HOUR);
    const happened = (await service.rows('/events')).filter(({ id }) => Number(id) > Number(before?.['id']));
    expect(happened.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['system.patch.failed', 'system.patch.applied', 'user.login']),
    );
    order({ do: 'quiet' });
    const newest = await service.rows('/events?limit=1');
    await service.clock.advance(4 * HOUR);
    expect(await service.rows('/events?limit=1')).toEqual(newest);
  });

  it('says whether live mode is on, also after events and after a reset', async () => {
    expect(service.management.isLive()).toBe(false);
    order({ do: 'live' });
    await service.clock.advance(HOUR);
    expect(service.management.isLive()).toBe(true);
    order({ do: 'quiet' });
    expect(service.management.isLive()).toBe(false);
    order({ do: 'live' });
    service.management.reset();
    expect(service.management.isLive()).toBe(false);
  });

  it('live twice is still one live mode', async () => {
    const [once, twice] = [await startService(), await startService()];
    order({ do: 'live' }, once);
    order({ do: 'live' }, twice);
    order({ do: 'live' }, twice);
    await Promise.all([once.clock.advance(2 * HOUR), twice.clock.advance(2 * HOUR)]);
    expect(await twice.rows('/events')).toEqual(await once.rows('/events'));
  });
});

describe('seeded chance', () => {
  it('repeats itself for the same seed', () => {
    const [one, other] = [createRandom('a'), createRandom('a')];
    const draw = (random: typeof one) => Array.from({ length: 50 }, () => random.next());
    expect(draw(one)).toEqual(draw(other));
    expect(draw(createRandom('b'))).not.toEqual(draw(createRandom('a')));
  });

  it('stays inside its bounds and reaches both', () => {
    const random = createRandom('bounds');
    const drawn = new Set(Array.from({ length: 500 }, () => random.int(3, 7)));
    expect([...drawn].sort()).toEqual([3, 4, 5, 6, 7]);
  });

  property([fc.string(), fc.uniqueArray(fc.integer()), fc.nat({ max: 50 })])(
    'samples different items, and no more than there are',
    (seed, items, count) => {
      const sample = createRandom(seed).sample(items, count);
      expect(sample).toHaveLength(Math.min(count, items.length));
      expect(new Set(sample).size).toBe(sample.length);
      expect(items).toEqual(expect.arrayContaining([...sample]));
    },
  );

  it('will not pick from nothing', () => {
    expect(() => createRandom('x').pick([])).toThrow('nothing to pick');
  });

  it('makes well-formed uuids', () => {
    expect(uuidOf('x')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuidOf('x')).not.toBe(uuidOf('y'));
  });
});
