import { describe, expect, it } from 'vitest';
import { DAY } from '../../../../src/lib/clock.ts';
import { rowOf, START, startService } from '../harness/service.ts';

const PACKAGE_FIELDS =
  `id server_id package_id software_id installed ignored group_ignored deferred_until group_deferred_until
  name version repo cves cve_score agent_severity severity package_version_id os_name os_version os_version_id create_time
  requires_reboot patch_classification_category_id patch_scope is_uninstallable secondary_id is_managed impact
  organization_id`.split(/\s+/);

describe('GET /servers/{id}/packages', () => {
  it('has every field of the document', async () => {
    const service = await startService();
    for (const item of await service.rows('/servers/4001/packages')) {
      expect(Object.keys(item)).toEqual(expect.arrayContaining(PACKAGE_FIELDS));
      expect(item).toMatchObject({ server_id: 4001, organization_id: service.management.organizationId });
    }
  });

  it('says how bad a missing patch is', async () => {
    const service = await startService();
    const [openssl] = await service.rows('/servers/4001/packages');
    expect(openssl).toMatchObject({
      name: 'openssl',
      severity: 'critical',
      cves: ['CVE-2024-5535', 'CVE-2024-4741'],
      cve_score: '9.1',
    });
  });

  it('says where it is patched and how it is classified, as far as that is known', async () => {
    const service = await startService();
    const windows = await service.rows(`/servers/${await service.idOf('win-ts-01')}/packages`);
    const linux = await service.rows('/servers/4001/packages');
    const kinds = (field: string) => new Set([...windows, ...linux].map((item) => typeof item[field]));
    expect(kinds('impact')).toEqual(new Set(['number', 'object']));
    expect(kinds('patch_scope')).toEqual(new Set(['string', 'object']));
    expect(kinds('patch_classification_category_id')).toEqual(new Set(['number', 'object']));
    // Examined and without any, or not examined.
    const cves = [...windows, ...linux].map((item) => item['cves']);
    expect(cves).toContainEqual([]);
    expect(cves).toContain(null);
  });

  it('goes on over more than one page, each package once', async () => {
    const service = await startService();
    const id = await service.idOf('build-01');
    const first = await service.rows(`/servers/${id}/packages`);
    const second = await service.rows(`/servers/${id}/packages?page=1`);
    expect(first).toHaveLength(500);
    expect(second.length).toBeGreaterThan(100);
    expect(new Set([...first, ...second].map((item) => item['id'])).size).toBe(first.length + second.length);
  });

  it('lacks display names only live', async () => {
    const service = await startService({ profile: 'documented' });
    for (const { id } of (await service.rows('/servers')).slice(0, 20))
      for (const item of await service.rows(`/servers/${id}/packages`))
        expect(item['display_name']).toEqual(expect.any(String));
  });
});

describe('GET /servergroups', () => {
  it('has bare rows of the recorded shape', async () => {
    const service = await startService();
    const groups = await service.rows('/servergroups');
    expect(groups[0]).toMatchObject({
      name: '',
      ui_color: null,
      notes: '',
      enable_os_auto_update: null,
      wsus_config: null,
    });
    expect(groups.find(({ name }) => name === 'Windows servers')).toMatchObject({
      wsus_config: { is_managed: true, server_url: 'http://wsus.example.com:8530' },
    });
    expect(groups.reduce((sum, group) => sum + Number(group['server_count']), 0)).toBe(240);
  });

  it.each(['live', 'documented'] as const)(
    'has an empty list of policies where there are none, %s',
    async (profile) => {
      const service = await startService({ profile });
      const kiosks = (await service.rows('/servergroups')).find(({ name }) => name === 'Kiosks');
      expect(kiosks?.['policies']).toEqual([]);
    },
  );
});

describe('GET /events', () => {
  it('is newest first, by id and by time', async () => {
    const service = await startService();
    const events = await service.rows('/events');
    const ids = events.map(({ id }) => Number(id));
    const times = events.map((event) => Date.parse(String(event['create_time'])));
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it.each([
    ['live', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
    ['documented', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/],
  ] as const)('writes times as %s does', async (profile, form) => {
    const service = await startService({ profile });
    for (const event of await service.rows('/events')) expect(event['create_time']).toMatch(form);
  });

  it.each([
    ['serverId=4001', 'server_id', 4001],
    ['eventName=system.patch.failed', 'name', 'system.patch.failed'],
    ['policyId=2103', 'policy_id', 2103],
    ['userId=702', 'user_id', 702],
  ])('%s gives those and no others, and counts them', async (query, field, value) => {
    const service = await startService();
    const pages = await Promise.all([0, 1].map((page) => service.rows(`/events?page=${page}`)));
    const expected = pages.flat().filter((event) => event[field] === value);
    expect(expected.length).toBeGreaterThan(0);
    expect(await service.rows(`/events?${query}`)).toEqual(expected);
    const count = await service.get(`/events?${query}&countOnly=1`);
    expect(count.body).toEqual({ size: expected.length, results: [] });
  });

  it('takes days as UTC, from the start day on and up to the end day', async () => {
    const service = await startService();
    const day = (daysAgo: number) => new Date(START - daysAgo * DAY).toISOString().slice(0, 10);
    const events = await service.rows(`/events?startDate=${day(3)}&endDate=${day(2)}`);
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) expect(String(event['create_time']).slice(0, 10)).toBe(day(3));
  });

  it('counts midnight to the day that begins', async () => {
    const service = await startService();
    await service.clock.advance(DAY / 2);
    service.management.world({ do: 'patch-fails', device: 'web-01' });
    expect(await service.rows('/events?startDate=2026-03-11')).toMatchObject([
      { create_time: '2026-03-11T00:00:00Z' },
    ]);
    const [before] = await service.rows('/events?endDate=2026-03-11&limit=1');
    expect(before?.['create_time']).not.toBe('2026-03-11T00:00:00Z');
  });

  it.each([
    ['countOnly=true', 'countOnly', 'The countOnly field must be true or false.'],
    ['startDate=10.03.2026', 'startDate', 'The startDate does not match the format Y-m-d.'],
    ['endDate=2026-02-31', 'endDate', 'The endDate does not match the format Y-m-d.'],
    ['serverId=web-01', 'serverId', 'The serverId must be an integer.'],
  ])('refuses %s', async (query, field, message) => {
    const service = await startService();
    const answer = await service.get(`/events?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [message] } } });
  });

  it('has data of every kind, null among them', async () => {
    const service = await startService();
    const [failed] = await service.rows('/events?eventName=system.patch.failed');
    expect(rowOf(failed?.['data'])).toEqual({
      // Some devices have no public address; then the private one is returned.
      ip: expect.any(String),
      os: expect.any(String),
      systemname: failed?.['server_name'],
      failure: expect.any(String),
      patches: expect.stringMatching(/^"[^"]+"$/),
    });
    const [login] = await service.rows('/events?eventName=user.login');
    expect(login).toMatchObject({ data: null, server_id: null, server_name: null });
    const actions = await service.rows('/events?eventName=system.policy.action');
    const told = actions.filter(({ data }) => data !== null);
    expect(told.length).toBeLessThan(actions.length);
    const codes = new Set(told.map(({ data }) => typeof rowOf(data)['status']));
    expect(codes).toEqual(new Set(['number', 'string']));
  });

  it.each([
    ['live', 'string'],
    ['documented', 'number'],
  ] as const)('names notifications as %s does', async (profile, type) => {
    const service = await startService({ profile });
    const [sent] = await service.rows('/events?eventName=system.notification.sent');
    expect(typeof rowOf(sent?.['data'])['notification_id']).toBe(type);
  });
});
