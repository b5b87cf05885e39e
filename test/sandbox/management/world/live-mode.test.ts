import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../../src/lib/clock.ts';
import { LISTED_EVENT_NAMES } from '../../../../src/sandbox/management/coverage/listed-values.ts';
import { type JsonRow, rowOf, START, startService, type TestService } from '../harness/service.ts';

const FIXED_NAMES = ['web-01', 'web-02', 'db-01', 'win-ts-01', 'kiosk-07', 'dup-01', '<!channel> & *bold*'];

const at = (value: unknown): number => Date.parse(String(value));
const listOf = (value: unknown): readonly JsonRow[] => (Array.isArray(value) ? value.map(rowOf) : []);
const byId = (rows: readonly JsonRow[]): ReadonlyMap<unknown, JsonRow> =>
  new Map(rows.map((row) => [row['id'], row]));

/** Every event, newest first. */
async function eventsOf(service: TestService): Promise<readonly JsonRow[]> {
  const { body } = await service.get('/events?countOnly=1');
  const pages = Math.ceil(Number(rowOf(body)['size']) / 500);
  const rows = Array.from({ length: pages }, (_, page) => service.rows(`/events?page=${page}`));
  return (await Promise.all(rows)).flat();
}

type Lived = {
  readonly service: TestService;
  readonly before: ReadonlyMap<unknown, JsonRow>;
  readonly after: ReadonlyMap<unknown, JsonRow>;
  /** Events since then, newest first. */
  readonly events: readonly JsonRow[];
};

/** A world after some time in live mode, with all of its devices before and after. */
async function live(ms: number): Promise<Lived> {
  const service = await startService();
  const all = async () => byId(await service.rows('/servers?include_details=1'));
  const before = await all();
  const [newest] = await service.rows('/events?limit=1');
  service.management.world({ do: 'live' });
  await service.clock.advance(ms);
  const events = (await eventsOf(service)).filter(({ id }) => Number(id) > Number(newest?.['id']));
  return { service, before, after: await all(), events };
}

describe('a world in live mode', () => {
  it('makes every event of the document within three days', async () => {
    const { events } = await live(3 * DAY);
    expect(new Set(events.map(({ name }) => name))).toEqual(new Set<unknown>(LISTED_EVENT_NAMES));
  });

  it('gains and loses devices, each with its event', async () => {
    const { before, after, events } = await live(DAY);
    const named = (name: string) =>
      events.filter((event) => event['name'] === name).map((row) => row['server_id']);
    const gained = [...after.keys()].filter((id) => !before.has(id));
    const lost = [...before.keys()].filter((id) => !after.has(id));
    expect(gained.length).toBeGreaterThan(0);
    expect(lost.length).toBeGreaterThan(0);
    expect(named('system.add')).toEqual(expect.arrayContaining(gained));
    expect(named('system.delete')).toEqual(expect.arrayContaining(lost));
  });

  it('lets devices go away and come back', async () => {
    const { before, after } = await live(DAY);
    const stayed = [...after.values()].filter(({ id }) => before.has(id));
    const was = (row: JsonRow) => before.get(row['id'])?.['connected'];
    expect(stayed.some((row) => was(row) === true && row['connected'] === false)).toBe(true);
    expect(stayed.some((row) => was(row) === false && row['connected'] === true)).toBe(true);
  });

  it('lets people log in on devices, and the details say when', async () => {
    const { before, after } = await live(DAY);
    const logged = [...after.values()].filter((row) => {
      const user = before.get(row['id'])?.['last_logged_in_user'];
      return user !== undefined && user !== row['last_logged_in_user'];
    });
    expect(logged.some((row) => row['os_family'] !== 'Windows')).toBe(true);
    for (const row of logged) {
      const logon = rowOf(rowOf(row['detail'])['LAST_USER_LOGON']);
      expect(logon['USER']).toBe(row['last_logged_in_user']);
      // Windows writes it by its own clock, without a zone.
      if (row['os_family'] !== 'Windows') expect(at(logon['TIME'])).toBeGreaterThan(START);
    }
  });

  it('scans a device that is new', async () => {
    const { before, after } = await live(DAY);
    const fresh = [...after.values()].filter(({ id }) => !before.has(id));
    expect(fresh.some((row) => at(row['last_refresh_time']) > at(row['create_time']))).toBe(true);
  });

  it('counts the notices of a device, and what was put off', async () => {
    const { before, after, events } = await live(DAY);
    const told = [...after.values()].filter(({ id }) => before.has(id));
    const grew = (field: string) =>
      told.filter((row) => Number(row[field]) > Number(before.get(row['id'])?.[field]));
    const about = (name: string) =>
      new Set(events.filter((event) => event['name'] === name).map((event) => event['server_id']));
    for (const field of ['notification_count', 'reboot_notification_count']) {
      expect(grew(field).length, field).toBeGreaterThan(0);
      for (const { id } of grew(field)) expect(about('system.notification.sent')).toContain(id);
    }
    expect(grew('patch_deferral_count').length + grew('reboot_deferral_count').length).toBeGreaterThan(0);
    for (const row of [...grew('patch_deferral_count'), ...grew('reboot_deferral_count')])
      expect(about('system.notification.response')).toContain(row['id']);
  });

  it('says what waits for an answer, and what a user put off', async () => {
    const { after } = await live(DAY);
    for (const field of [
      'is_delayed_by_notification',
      'reboot_is_delayed_by_notification',
      'is_delayed_by_user',
      'reboot_is_delayed_by_user',
    ])
      expect([...after.values()].filter((row) => row[field] === true).length, field).toBeGreaterThan(0);
  });

  it('runs policies: the status is as old as the run', async () => {
    const { after, events } = await live(DAY);
    const runs = events.filter(({ name, server_id: id }) => name === 'system.policy.action' && after.has(id));
    expect(runs.length).toBeGreaterThan(0);
    const older = runs.filter((run) => {
      const entries = listOf(after.get(run['server_id'])?.['policy_status']);
      const entry = entries.find((status) => status['policy_id'] === run['policy_id']);
      return at(entry?.['create_time']) < at(run['create_time']);
    });
    expect(older).toEqual([]);
  });

  it('has policies that end in codes of both kinds, and events without data', async () => {
    const { events } = await live(3 * DAY);
    const actions = events.filter(({ name }) => name === 'system.policy.action');
    const kinds = actions.map(({ data }) => (data === null ? 'null' : typeof rowOf(data)['status']));
    expect(new Set(kinds)).toEqual(new Set(['null', 'number', 'string']));
  });

  it('leaves the devices alone that people know by name', async () => {
    const { service, before, after, events } = await live(3 * DAY);
    const known = (row: JsonRow) => FIXED_NAMES.includes(String(row['name']));
    const facts = (rows: ReadonlyMap<unknown, JsonRow>) =>
      [...rows.values()]
        .filter(known)
        .map((row) =>
          ['id', 'connected', 'pending_patches', 'needs_reboot', 'last_logged_in_user'].map((f) => row[f]),
        );
    expect(facts(after)).toEqual(facts(before));
    expect(events.filter((event) => FIXED_NAMES.includes(String(event['server_name'])))).toEqual([]);
    expect(facts(after)).toHaveLength(8);
    expect(service.management.isLive()).toBe(true);
  });

  it('is the same at every start', async () => {
    const [one, other] = [await live(DAY), await live(DAY)];
    expect(one.events).toEqual(other.events);
    expect([...one.after]).toEqual([...other.after]);
  });
});

describe('a policy that has run', () => {
  it('makes its status new, and its next run is tonight while something is left to do', async () => {
    const service = await startService();
    const id = await service.idOf('web-02');
    const entryOf = async (policyId: number): Promise<JsonRow | undefined> =>
      listOf((await service.device('web-02'))['policy_status']).find(
        (entry) => entry['policy_id'] === policyId,
      );
    const before = await entryOf(2101);
    expect(before?.['next_remediation']).toBe('2026-03-11T02:00:00+0000');
    await service.post(`/servers/${id}/queues`, { command_type_name: 'policy_2101_remediate' });
    await service.clock.advance(10 * MINUTE);
    const after = await entryOf(2101);
    expect(at(after?.['create_time'])).toBeGreaterThan(START);
    expect(at(before?.['create_time'])).toBeLessThan(START);
    expect(after).toMatchObject({ status: 1, next_remediation: null, id: before?.['id'] });
  });

  it('is as old as the scan where a scan came after it', async () => {
    const service = await startService();
    const id = await service.idOf('web-02');
    await service.post(`/servers/${id}/queues`, { command_type_name: 'policy_2101_test' });
    await service.clock.advance(HOUR);
    await service.post(`/servers/${id}/queues`, { command_type_name: 'GetOS' });
    await service.clock.advance(HOUR);
    const device = await service.device('web-02');
    for (const entry of listOf(device['policy_status']))
      expect(entry['create_time']).toBe(device['last_refresh_time']);
  });
});
