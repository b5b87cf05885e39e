import { describe, expect, it } from 'vitest';
import { type JsonRow, rowOf, startService } from '../harness/service.ts';

const OFFSET_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/;

/** The fields of §2.2. */
const FIELDS =
  `id os_version_id server_group_id organization_id uuid name instance_id refresh_interval last_update_time
  last_refresh_time uptime needs_reboot timezone tags deleted create_time os_version os_name os_family ip_addrs
  ip_addrs_private patches detail agent_version custom_name exception total_count server_policies policy_status
  last_scan_failed pending compliant display_name commands pending_patches connected last_process_time next_patch_time
  notification_count reboot_notification_count patch_deferral_count reboot_deferral_count is_delayed_by_notification
  reboot_is_delayed_by_notification is_delayed_by_user reboot_is_delayed_by_user last_disconnect_time needs_attention
  serial_number last_logged_in_user status`.split(/\s+/);

describe('a row of GET /servers', () => {
  it.each(['live', 'documented'] as const)('has every field of the document (%s)', async (profile) => {
    const service = await startService({ profile });
    for (const row of await service.rows('/servers'))
      expect(Object.keys(row)).toEqual(expect.arrayContaining(FIELDS));
  });

  it('says the total of the query, not of the page', async () => {
    const service = await startService();
    const rows = await service.rows('/servers?limit=2');
    expect(rows.map((row) => row['total_count'])).toEqual([240, 240]);
    const [kiosk] = await service.rows('/servers?limit=1&groupId=3140');
    expect(kiosk?.['total_count']).toBe((await service.rows('/servers?groupId=3140')).length);
  });

  it('writes times with an offset and uptime as numeric text', async () => {
    const service = await startService();
    const web = await service.device('web-01');
    for (const field of ['create_time', 'last_refresh_time', 'last_process_time'])
      expect(web[field]).toMatch(OFFSET_TIME);
    expect(web['uptime']).toMatch(/^\d+$/);
  });

  it('has no details unless they are requested', async () => {
    const service = await startService();
    const [bare] = await service.rows('/servers?limit=1');
    expect(bare).toMatchObject({
      detail: {},
      next_patch_time: null,
      patch_deferral_count: 0,
      server_policies: [],
    });
    const [full] = await service.rows('/servers?limit=1&include_details=1&include_next_patch_time=1');
    expect(rowOf(full?.['detail'])).toMatchObject({ MODEL: 'PowerEdge R650', PS_VERSION: null });
    expect(full?.['next_patch_time']).toMatch(OFFSET_TIME);
  });

  it('counts deferrals only where they are requested, not with the details', async () => {
    const service = await startService();
    const deferrals = async (query: string) =>
      (await service.rows(`/servers${query}`)).reduce(
        (sum, row) => sum + Number(row['patch_deferral_count']) + Number(row['reboot_deferral_count']),
        0,
      );
    expect(await deferrals('?include_details=1')).toBe(0);
    expect(await deferrals('?include_server_events=1')).toBeGreaterThan(0);
  });

  it('leaves the policy status out on request', async () => {
    const service = await startService();
    const [row] = await service.rows('/servers?limit=1&exclude_policy_status=1');
    expect(row?.['policy_status']).toEqual([]);
  });

  it('has an empty status for a device that was never scanned', async () => {
    const service = await startService();
    const fresh = (await service.rows('/servers')).find(({ name }) => name === 'desk-01');
    expect(fresh).toMatchObject({ policy_status: [null], status: {}, last_refresh_time: null });
    expect(await service.device('desk-01')).toMatchObject({ status: { agent_status: 'connected' } });
  });
});

describe('the filters of GET /servers', () => {
  const shellOf = (row: JsonRow): string => String(rowOf(row['detail'])['PS_VERSION']);
  const policyIds = (row: JsonRow): readonly unknown[] =>
    Array.isArray(row['policy_status']) ? row['policy_status'].map((entry) => rowOf(entry)['policy_id']) : [];
  const cases: readonly (readonly [string, (row: JsonRow) => boolean])[] = [
    ['groupId=3111', (row) => row['server_group_id'] === 3111],
    ['pending=1', (row) => row['pending'] === true],
    ['pending=0', (row) => row['pending'] === false],
    ['patchStatus=missing', (row) => Number(row['patches']) > 0],
    ['policyId=2103', (row) => policyIds(row).includes(2103)],
    ['exception=1', (row) => row['exception'] === true],
    ['exception=0', (row) => row['exception'] === false],
    ['managed=1', (row) => policyIds(row).length > 0],
    ['managed=0', (row) => policyIds(row).length === 0],
    ['needsAttention=1', (row) => row['needs_attention'] === true],
    ['PS_VERSION=5.1.20348.2652', (row) => shellOf(row) === '5.1.20348.2652'],
    ['PS_VERSION=5', (row) => shellOf(row).startsWith('5.')],
    ['pending=1&groupId=3111', (row) => row['pending'] === true && row['server_group_id'] === 3111],
  ];
  it.each(cases)('%s gives those rows and no others', async (query, belongs) => {
    // The documented profile has details and full status in every row, so the rows can be compared.
    const service = await startService({ profile: 'documented' });
    const all = await service.rows('/servers');
    const expected = all.filter(belongs).map(({ id }) => id);
    const actual = (await service.rows(`/servers?${query}`)).map(({ id }) => id);
    expect(expected.length, 'the seed must have some').toBeGreaterThan(0);
    expect(expected.length, 'and others').toBeLessThan(all.length);
    expect(actual).toEqual(expected);
  });

  it.each([
    ['pending=true', 'pending', 'The pending field must be true or false.'],
    ['managed=2', 'managed', 'The managed field must be true or false.'],
    ['patchStatus=installed', 'patchStatus', 'The selected patchStatus is invalid.'],
    ['groupId=Linux', 'groupId', 'The groupId must be an integer.'],
  ])('refuses %s', async (query, field, message) => {
    const service = await startService();
    const answer = await service.get(`/servers?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [message] } } });
  });

  it('still takes the old names of limit and page', async () => {
    const service = await startService();
    expect(await service.rows('/servers?l=3&p=1')).toEqual(await service.rows('/servers?limit=3&page=1'));
    expect(await service.get('/servers?l=501')).toMatchObject({ status: 400 });
  });
});

describe('GET /servers/{id}', () => {
  it('is an object, with the policies written out', async () => {
    const service = await startService();
    const { body } = await service.get(`/servers/${await service.idOf('win-ts-01')}`);
    expect(body).toMatchObject({
      name: 'win-ts-01',
      server_policies: [{ policy_type_name: 'patch' }, { policy_type_name: 'custom' }],
      detail: { PS_VERSION: '5.1.20348.2652', LAST_USER_LOGON: { USER: 'CORP\\jsmith' } },
    });
  });

  it('calls a device compliant by its policies, and contradicts itself where only patches are pending', async () => {
    const service = await startService({ profile: 'documented' });
    const rows = await service.rows('/servers');
    for (const row of rows) {
      const states = (Array.isArray(row['policy_status']) ? row['policy_status'] : []).map(
        (entry) => rowOf(entry)['status'],
      );
      expect(row['compliant']).toBe(!states.includes(0));
      const text = rowOf(row['status'])['policy_status'];
      expect(text).toBe(
        states.length === 0
          ? 'unmanaged'
          : states.every((state) => state === 1)
            ? 'compliant'
            : 'non-compliant',
      );
    }
    const contradicting = rows.filter(
      (row) => row['compliant'] && rowOf(row['status'])['policy_status'] === 'non-compliant',
    );
    expect(contradicting.length).toBeGreaterThan(0);
  });
});

describe('the profiles differ in', () => {
  it.each([
    ['the single read', 'live', (body: unknown) => Array.isArray(body), false],
    ['the single read', 'documented', (body: unknown) => Array.isArray(body), true],
  ] as const)('%s (%s)', async (_, profile, test, expected) => {
    const service = await startService({ profile });
    const { body } = await service.get('/servers/4001');
    expect(test(body)).toBe(expected);
    expect(rowOf(Array.isArray(body) ? body[0] : body)['name']).toBe('web-01');
  });

  it.each([
    ['live', { custom_name: '', is_compatible: true }],
    ['documented', { custom_name: null }],
  ] as const)('unset names and newer fields (%s)', async (profile, expected) => {
    const service = await startService({ profile });
    const [web] = await service.rows('/servers?limit=1');
    expect(web).toMatchObject(expected);
    expect('is_compatible' in rowOf(web)).toBe(profile === 'live');
  });

  it('the unit of uptime: minutes live, seconds documented', async () => {
    const [minutes] = await (await startService({ profile: 'live' })).rows('/servers?limit=1');
    const [seconds] = await (await startService({ profile: 'documented' })).rows('/servers?limit=1');
    expect(Math.floor(Number(seconds?.['uptime']) / 60)).toBe(Number(minutes?.['uptime']));
  });
});
