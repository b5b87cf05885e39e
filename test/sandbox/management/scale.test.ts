import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import { type JsonRow, rowOf, START, startService, type TestService } from './harness/service.ts';

const DEVICES = 1_500;

async function sizeOf(service: TestService, query: string): Promise<number> {
  return Number(rowOf((await service.get(`/events?countOnly=1&${query}`)).body)['size']);
}

async function everyRow(service: TestService, path: string): Promise<readonly JsonRow[]> {
  const found: JsonRow[] = [];
  for (let page = 0; ; page++) {
    const rows = await service.rows(`${path}${path.includes('?') ? '&' : '?'}page=${page}`);
    found.push(...rows);
    if (rows.length < 500) return found;
  }
}

describe('the size of the world', () => {
  it('goes up to a hundred thousand devices with a million events', async () => {
    const service = await startService({ devices: 100_000 });
    const last = await service.rows('/servers?page=199');
    expect(last).toHaveLength(500);
    expect(last[0]?.['total_count']).toBe(100_000);
    expect(await service.rows('/servers?page=200')).toEqual([]);
    expect(await sizeOf(service, '')).toBeGreaterThanOrEqual(1_000_000);
    const [newest] = await service.rows('/events?limit=1');
    const [oldest] = await service.rows(`/events?limit=1&page=${(await sizeOf(service, '')) - 1}`);
    expect(Number(newest?.['id']) - Number(oldest?.['id'])).toBe((await sizeOf(service, '')) - 1);
    for (const query of ['pending=1', 'exception=1', 'needsAttention=1', 'groupId=3111', 'policyId=2103'])
      expect(await service.rows(`/servers?${query}`), query).toHaveLength(500);
  });

  it('takes another number of events', async () => {
    const [few, many] = [await startService({ events: 100 }), await startService({ events: 5_000 })];
    expect((await sizeOf(many, '')) - (await sizeOf(few, ''))).toBe(4_900);
  });

  it('has only the guaranteed events where none are requested', async () => {
    const service = await startService({ events: 0 });
    expect(await sizeOf(service, '')).toBeLessThan(100);
    expect(await sizeOf(service, `serverId=${await service.idOf('web-01')}`)).toBe(5);
  });
});

describe('the events of a large fleet', () => {
  it('are newest first over all pages, each once, ten for a device', async () => {
    const service = await startService({ devices: DEVICES });
    const events = await everyRow(service, '/events');
    const ids = events.map(({ id }) => Number(id));
    const times = events.map((event) => Date.parse(String(event['create_time'])));
    expect(ids).toEqual(ids.map((_, index) => Number(ids[0]) - index));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(events.length).toBeGreaterThanOrEqual(10 * DEVICES);
  });

  it('speak of a device only while it was there', async () => {
    const service = await startService({ devices: DEVICES });
    const rows = await everyRow(service, '/servers');
    const devices = new Map(rows.map((row) => [row['id'], row]));
    const events = (await everyRow(service, '/events')).filter((event) => devices.has(event['server_id']));
    expect(events.length).toBeGreaterThan(5 * DEVICES);
    const early = events.filter((event) => {
      const made = String(devices.get(event['server_id'])?.['create_time']);
      return Date.parse(String(event['create_time'])) < Date.parse(made);
    });
    const late = events.filter((event) => {
      const gone = devices.get(event['server_id']);
      const left = Date.parse(String(gone?.['last_disconnect_time']));
      return gone?.['connected'] === false && Date.parse(String(event['create_time'])) > left;
    });
    expect([early, late]).toEqual([[], []]);
  });

  it.each([
    ['serverId=4003', 'server_id', 4003],
    ['eventName=system.notification.response', 'name', 'system.notification.response'],
    ['policyId=2104', 'policy_id', 2104],
    ['userId=703', 'user_id', 703],
    ['eventName=system.policy.action&policyId=2103', 'policy_id', 2103],
  ])('%s gives those and no others, over all pages', async (query, field, value) => {
    const service = await startService({ devices: DEVICES });
    service.management.world({ do: 'live' });
    await service.clock.advance(6 * HOUR);
    service.management.world({ do: 'quiet' });
    const name = new URLSearchParams(query).get('eventName');
    const expected = (await everyRow(service, '/events')).filter(
      (event) => event[field] === value && (name === null || event['name'] === name),
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(await everyRow(service, `/events?${query}`)).toEqual(expected);
    expect(await sizeOf(service, query)).toBe(expected.length);
  });

  it('begin and end at the days asked for, also together with another filter', async () => {
    const service = await startService({ devices: DEVICES });
    const day = (ago: number): string => new Date(START - ago * DAY).toISOString().slice(0, 10);
    const query = `startDate=${day(4)}&endDate=${day(2)}`;
    const all = await everyRow(service, '/events');
    const within = all.filter(({ create_time: at }) => String(at) >= day(4) && String(at) < day(2));
    expect(await everyRow(service, `/events?${query}`)).toEqual(within);
    expect(await sizeOf(service, query)).toBe(within.length);
    const failed = within.filter(({ name }) => name === 'system.patch.failed');
    expect(await everyRow(service, `/events?${query}&eventName=system.patch.failed`)).toEqual(failed);
  });

  it('end before they begin where the days are the wrong way round', async () => {
    const service = await startService({ devices: DEVICES });
    const query = 'startDate=2026-03-09&endDate=2026-03-02';
    expect(await service.rows(`/events?${query}`)).toEqual([]);
    expect(await sizeOf(service, query)).toBe(0);
  });

  it('stay as they were when a device changes and goes', async () => {
    const service = await startService({ devices: DEVICES });
    const id = await service.idOf('web-01');
    const before = await service.rows(`/events?serverId=${id}`);
    service.management.world({ do: 'patch-fails', device: 'web-01' });
    const edit = { server_group_id: 3140, exception: true, ip_addrs: ['192.0.2.9'], custom_name: 'other' };
    expect(await service.put(`/servers/${id}`, edit)).toMatchObject({ status: 204 });
    service.management.world({ do: 'device-removed', device: 'web-01' });
    const after = await service.rows(`/events?serverId=${id}`);
    expect(after.slice(2)).toEqual(before);
    expect(before.length).toBeGreaterThan(5);
  });
});

describe('a large fleet', () => {
  it('keeps what requests and commands changed, wherever it is', async () => {
    const service = await startService({ devices: DEVICES });
    const [row] = (await service.rows('/servers?page=2')).filter(
      (device) => device['connected'] === true && Number(device['pending_patches']) > 0,
    );
    const id = Number(row?.['id']);
    await service.post(`/servers/${id}/queues`, { command_type_name: 'InstallAllUpdates' });
    await service.clock.advance(HOUR);
    service.management.world({ do: 'device-offline', device: String(id) });
    const again = (await service.rows('/servers?page=2')).find((device) => device['id'] === id);
    expect(again).toMatchObject({ pending_patches: 0, connected: false });
    expect(rowOf((await service.get(`/servers/${id}`)).body)).toMatchObject({ pending_patches: 0 });
  });

  it('counts the devices of its groups as they come, go and move', async () => {
    const service = await startService({ devices: DEVICES });
    const standing = async () => {
      const rows = await everyRow(service, '/servers');
      const groups = await service.rows('/servergroups');
      return groups.map(({ id, server_count: count }) => [
        count,
        rows.filter((row) => row['server_group_id'] === id).length,
      ]);
    };
    for (const [count, actual] of await standing()) expect(count).toBe(actual);
    service.management.world({ do: 'device-added' });
    service.management.world({ do: 'device-removed', device: 'web-02' });
    const moved = await service.put('/servers/4001', { server_group_id: 3140, exception: false });
    expect(moved.status).toBe(204);
    expect(await service.delete('/servergroups/3121')).toMatchObject({ status: 204 });
    expect(await standing()).toHaveLength(10);
    for (const [count, actual] of await standing()) expect(count).toBe(actual);
  });
});
