import { describe, expect, it } from 'vitest';
import { createManualClock, DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { createManagement } from '../../../src/sandbox/management/management.ts';
import { createWire } from '../../../src/sandbox/wire/wire.ts';
import { madePerTest } from '../../harness/use-started.ts';
import {
  type JsonRow,
  NEW_WORKLET,
  rowOf,
  START,
  startService,
  type TestService,
} from './harness/service.ts';
import { LISTED_EVENT_NAMES } from './interface/endpoints.ts';

const service = madePerTest(startService);

const FIXED_NAMES = ['web-01', 'web-02', 'db-01', 'win-ts-01', 'kiosk-07', 'dup-01', '<!channel> & *bold*'];

async function rowsNamed(name: string): Promise<readonly JsonRow[]> {
  return (await service.rows('/servers')).filter((row) => row['name'] === name);
}

async function groupId(name: string): Promise<unknown> {
  return (await service.rows('/servergroups')).find((group) => group['name'] === name)?.['id'];
}

async function packagesOf(id: unknown): Promise<readonly JsonRow[]> {
  const pages = await Promise.all([0, 1].map((page) => service.rows(`/servers/${id}/packages?page=${page}`)));
  return pages.flat();
}

function isMissing(item: JsonRow): boolean {
  const held = item['deferred_until'] !== null || item['group_deferred_until'] !== null;
  return item['installed'] === false && item['ignored'] === false && item['group_ignored'] === false && !held;
}

describe('the named devices', () => {
  const facts = [
    {
      name: 'web-01',
      group: 'Linux servers',
      is: { os_family: 'Linux', connected: true, needs_reboot: true, pending_patches: 3, pending: true },
    },
    { name: 'web-02', group: 'Linux servers', is: { os_family: 'Linux', connected: true } },
    { name: 'db-01', group: 'Database servers', is: { connected: true, needs_reboot: false } },
    {
      name: 'win-ts-01',
      group: 'Windows servers',
      is: {
        os_family: 'Windows',
        connected: true,
        needs_reboot: true,
        last_logged_in_user: 'CORP\\jsmith',
      },
    },
    { name: 'kiosk-07', group: 'Kiosks', is: { connected: false, os_family: 'Windows' } },
    { name: '<!channel> & *bold*', group: 'Kiosks', is: { display_name: '<!channel> & *bold*' } },
  ];
  it.each(facts)('$name is as the design says', async ({ name, group, is }) => {
    const found = await rowsNamed(name);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ ...is, server_group_id: await groupId(group) });
  });

  it('db-01 alone has the tag critical', async () => {
    const tagged = (await service.rows('/servers')).filter(({ tags }) => String(tags).includes('critical'));
    expect(tagged.map(({ name }) => name)).toEqual(['db-01']);
  });

  it('kiosk-07 has been away for nine days', async () => {
    const [kiosk] = await rowsNamed('kiosk-07');
    expect(Date.parse(String(kiosk?.['last_disconnect_time']))).toBe(START - 9 * DAY);
    expect(Date.parse(String(kiosk?.['last_process_time']))).toBeLessThan(START - 9 * DAY);
    expect(kiosk?.['status']).toMatchObject({ device_status: 'not-ready', agent_status: 'disconnected' });
  });

  it('web-01 lacks exactly three packages, one of which asks for a reboot', async () => {
    const missing = (await packagesOf(await service.idOf('web-01'))).filter(isMissing);
    expect(missing.map(({ name }) => name)).toEqual(['openssl', 'linux-image-generic', 'curl']);
    expect(missing.filter((item) => item['requires_reboot'])).toHaveLength(1);
  });

  it('the two called dup-01 differ in group, serial number and last contact', async () => {
    const twins = await rowsNamed('dup-01');
    expect(twins).toHaveLength(2);
    for (const field of ['id', 'server_group_id', 'serial_number', 'last_process_time'])
      expect(new Set(twins.map((twin) => twin[field])).size, field).toBe(2);
  });

  it('no other name begins with one of theirs, however large the fleet', async () => {
    const service = await startService({ devices: 3_000 });
    const pages = await Promise.all(
      Array.from({ length: 6 }, (_, page) => service.rows(`/servers?page=${page}`)),
    );
    const names = pages.flat().map(({ name, custom_name }) => [String(name), String(custom_name)]);
    const others = names.flat().filter((name) => !FIXED_NAMES.includes(name));
    expect(names).toHaveLength(3_000);
    expect(others.filter((name) => FIXED_NAMES.some((fixed) => name.startsWith(fixed)))).toEqual([]);
  });
});

describe('the fleet', () => {
  it('has 240 devices over three families', async () => {
    const rows = await service.rows('/servers');
    expect(rows).toHaveLength(240);
    expect(new Set(rows.map((row) => row['os_family']))).toEqual(new Set(['Linux', 'Mac', 'Windows']));
    expect(rows.filter((row) => row['connected'] === false).length).toBeGreaterThan(10);
  });

  it('takes another size, but keeps the named devices', async () => {
    const service = await startService({ devices: 1 });
    const names = (await service.rows('/servers')).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(FIXED_NAMES));
  });

  it('has groups in three levels under a blank Default group that is its own parent', async () => {
    const groups = await service.rows('/servergroups');
    const parents = new Map(groups.map((group) => [group['id'], group['parent_server_group_id']]));
    const root = groups.filter((group) => group['name'] === '');
    expect(root).toHaveLength(1);
    expect(parents.get(root[0]?.['id'])).toBe(root[0]?.['id']);
    const depth = (id: unknown): number => (parents.get(id) === id ? 1 : 1 + depth(parents.get(id)));
    expect(Math.max(...groups.map((group) => depth(group['id'])))).toBe(3);
    const [servers, linux] = [await groupId('Servers'), await groupId('Linux servers')];
    expect(parents.get(linux)).toBe(servers);
  });

  it('counts in every row what its package list holds', async () => {
    for (const row of (await service.rows('/servers')).slice(0, 60)) {
      const packages = await packagesOf(row['id']);
      expect(packages.filter(isMissing), String(row['name'])).toHaveLength(Number(row['pending_patches']));
      expect(packages.filter((item) => !item['installed'])).toHaveLength(Number(row['patches']));
      expect(packages.filter((item) => item['installed']).length).toBeGreaterThan(10);
    }
  });

  it('has packages of every kind that a reader must tell apart', async () => {
    const rows = await service.rows('/servers');
    const lists = await Promise.all(rows.slice(0, 120).map((row) => packagesOf(row['id'])));
    const packages = lists.flat();
    const severities = new Set(packages.map((item) => item['severity']));
    expect(severities).toEqual(new Set(['critical', 'high', 'medium', 'low', 'no_known_cves', null]));
    const some = (test: (item: JsonRow) => boolean) => packages.some(test);
    expect(some((item) => Array.isArray(item['cves']) && item['cves'].length > 1)).toBe(true);
    expect(some((item) => item['ignored'] === true)).toBe(true);
    expect(some((item) => item['group_ignored'] === true)).toBe(true);
    expect(some((item) => item['deferred_until'] !== null)).toBe(true);
    expect(some((item) => item['group_deferred_until'] !== null)).toBe(true);
    expect(some((item) => /^KB\d+$/.test(String(item['name'])))).toBe(true);
    expect(some((item) => /^\{[0-9A-F-]{36}\}$/.test(String(item['name'])))).toBe(true);
    expect(some((item) => !('display_name' in item))).toBe(true);
    expect(packages.filter((item) => /\s/.test(String(item['name'])))).toEqual([]);
  });

  it('has thirty days of history, and some of it for every named device', async () => {
    const { body } = await service.get('/events?countOnly=1');
    expect(Number(rowOf(body)['size'])).toBeGreaterThan(300);
    const events = [...(await service.rows('/events?page=0')), ...(await service.rows('/events?page=1'))];
    const times = events.map((event) => Date.parse(String(event['create_time'])));
    expect(times.filter((time) => time > START - 31 * DAY).length).toBeGreaterThan(300);
    expect(Math.max(...times)).toBeLessThan(START - MINUTE);
    expect(new Set(events.map(({ name }) => name))).toEqual(new Set(LISTED_EVENT_NAMES));
    const web = await service.rows(`/events?serverId=${await service.idOf('web-01')}`);
    expect(web.length).toBeGreaterThan(2);
  });
});

/** A fleet with everything that a larger one has: each test reads all of every device. */
const start = () => startService({ devices: 60 });

async function everything(service: TestService): Promise<unknown> {
  const servers = await service.rows('/servers?include_details=1&include_next_patch_time=1');
  const of = (what: string) => Promise.all(servers.map(({ id }) => service.rows(`/servers/${id}/${what}`)));
  return {
    servers,
    packages: await of('packages'),
    queues: await of('queues'),
    groups: await service.rows('/servergroups'),
    policies: await service.rows('/policies'),
    events: [await service.rows('/events'), await service.rows('/events?page=1')],
  };
}

/** Commands, requests and live mode, with clock moves between them. */
async function exercise(service: TestService): Promise<void> {
  const { world } = service.management;
  world({ do: 'live' });
  world({ do: 'storm', count: 30 });
  world({ do: 'device-added' });
  world({ do: 'device-removed' });
  await service.post('/servers/4001/queues', { command_type_name: 'Reboot' });
  await service.post('/servers/4004/queues', { command_type_name: 'InstallAllUpdates' });
  await service.post('/servers/4005/queues', { command_type_name: 'GetOS' });
  const group = { name: 'Lab', refresh_interval: 720, parent_server_group_id: 3110, policies: [2103] };
  await service.post('/servergroups', group);
  await service.put('/servergroups/3111', { ...group, name: 'Linux' });
  await service.delete('/servergroups/3120');
  await service.post('/policies', { ...NEW_WORKLET, server_groups: [3112] });
  await service.post('/policies/2103/action', { action: 'remediateAll' });
  await service.put('/servers/4008', { server_group_id: 3112, exception: true, tags: ['moved'] });
  const actions = [{ attribute: 'tags', action: 'apply', value: ['many'] }];
  await service.post('/servers/batch', { devices: [4001, 4008], actions });
  await service.clock.advance(50 * SECOND);
  world({ do: 'patch-fails' });
  await service.clock.advance(20 * MINUTE);
  await service.post('/servers/4002/queues', { command_type_name: 'GetOS' });
}

describe('the same', () => {
  it('seed is used at every start', async () => {
    expect(await everything(await start())).toEqual(await everything(await start()));
  });

  it('actions at the same times lead to the same world', async () => {
    const [one, other] = [await start(), await start()];
    const seed = await everything(one);
    await exercise(one);
    await exercise(other);
    expect(await everything(one)).toEqual(await everything(other));
    expect(await everything(one)).not.toEqual(seed);
  });
});

describe('a reset', () => {
  it('restores the seed, as it is at the time of the reset', async () => {
    const [stirred, fresh] = [await start(), await start()];
    await exercise(stirred);
    await stirred.clock.advance(HOUR);
    await fresh.clock.advance(stirred.clock.now() - fresh.clock.now());
    stirred.management.reset();
    fresh.management.reset();
    expect(await everything(stirred)).toEqual(await everything(fresh));
  });

  it.each(['reset', 'stop'] as const)('%s cancels what was planned', async (end) => {
    const clock = createManualClock(START);
    const planned: number[] = [];
    const at: typeof clock.at = (due, task) => {
      planned.push(due);
      return clock.at(due, task);
    };
    const watched = { ...clock, at };
    const management = await createManagement({ clock: watched, wire: createWire({ clock }) });
    management.world({ do: 'live' });
    await clock.advance(HOUR);
    expect(planned.length).toBeGreaterThan(10);
    await management[end]();
    planned.length = 0;
    await clock.advance(HOUR);
    expect(planned).toEqual([]);
    await management.stop();
    clock.stop();
  });

  it('repeats what comes after it', async () => {
    const [again, first] = [await start(), await start()];
    await exercise(again);
    await first.clock.advance(again.clock.now() - first.clock.now());
    again.management.reset();
    first.management.reset();
    await exercise(again);
    await exercise(first);
    expect(await everything(again)).toEqual(await everything(first));
  });
});
