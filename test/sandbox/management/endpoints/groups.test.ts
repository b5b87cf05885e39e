import { describe, expect, it } from 'vitest';
import { madePerTest } from '../../../harness/use-started.ts';
import { type JsonRow, rowOf, startService } from '../harness/service.ts';

const service = madePerTest(startService);

const DEFAULT = 3100;
const SERVERS = 3110;
const LINUX = 3111;
const NEW = { name: 'Lab', refresh_interval: 720, parent_server_group_id: SERVERS };
const FORBIDDEN = { status: 403, body: { errors: [expect.stringMatching(/^You do not have permission/)] } };

describe('POST /servergroups', () => {
  it('answers with exactly the documented fields, and what was not said is empty', async () => {
    const { status, body } = await service.post('/servergroups', NEW);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      organization_id: service.management.organizationId,
      name: 'Lab',
      refresh_interval: 720,
      parent_server_group_id: SERVERS,
      ui_color: null,
      notes: '',
      enable_os_auto_update: null,
      wsus_config: null,
    });
  });

  it('takes every field, and echoes neither the WSUS wish nor the policies', async () => {
    const { body } = await service.post('/servergroups', {
      ...NEW,
      ui_color: 'any text at all',
      notes: 'for tests',
      enable_os_auto_update: false,
      enable_wsus: true,
      wsus_server: 'http://wsus.example.com:8530',
      policies: [2101, 2103, 2101],
    });
    const made = rowOf(body);
    expect(made).toMatchObject({
      ui_color: 'any text at all',
      notes: 'for tests',
      enable_os_auto_update: false,
    });
    expect(Object.keys(made)).not.toEqual(expect.arrayContaining(['enable_wsus']));
    expect(Object.keys(made)).not.toEqual(expect.arrayContaining(['wsus_server']));
    expect(Object.keys(made)).not.toEqual(expect.arrayContaining(['policies']));
    const read = await service.get(`/servergroups/${made['id']}`);
    expect(read.body).toEqual({
      ...made,
      uuid: expect.any(String),
      server_count: 0,
      policies: [2101, 2103],
      wsus_config: {
        id: expect.any(Number),
        server_group_id: made['id'],
        is_managed: true,
        server_url: 'http://wsus.example.com:8530',
        created_at: '2026-03-10T12:00:00+0000',
        updated_at: '2026-03-10T12:00:00+0000',
      },
    });
  });

  it('refuses the name of another group of the same parent, not that of one elsewhere', async () => {
    await service.post('/servergroups', NEW);
    const taken = { errors: { name: ['The name has already been taken.'] } };
    expect(await service.post('/servergroups', NEW)).toMatchObject({ status: 400, body: taken });
    const elsewhere = await service.post('/servergroups', { ...NEW, parent_server_group_id: DEFAULT });
    expect(elsewhere.status).toBe(201);
    const moved = `/servergroups/${rowOf(elsewhere.body)['id']}`;
    expect(await service.put(moved, NEW)).toMatchObject({ status: 400, body: taken });
  });

  it('gives each group another id, at the end of the list', async () => {
    await service.post('/servergroups', NEW);
    await service.post('/servergroups', { ...NEW, name: 'Lab 2' });
    const [lab, lab2] = (await service.rows('/servergroups')).slice(-2);
    expect(lab?.['name']).toBe('Lab');
    expect(Number(lab2?.['id'])).toBe(Number(lab?.['id']) + 1);
  });

  it.each([
    ['name', undefined, 'The name field is required.'],
    ['name', '  ', 'The name field is required.'],
    ['name', 7, 'The name must be a string.'],
    ['refresh_interval', undefined, 'The refresh_interval field is required.'],
    ['refresh_interval', '720 minutes', 'The refresh_interval must be an integer.'],
    ['refresh_interval', 720.5, 'The refresh_interval must be an integer.'],
    ['parent_server_group_id', undefined, 'The parent_server_group_id field is required.'],
    ['parent_server_group_id', null, 'The parent_server_group_id must be an integer.'],
    ['ui_color', 5, 'The ui_color must be a string.'],
    ['notes', [], 'The notes must be a string.'],
    ['enable_os_auto_update', 1, 'The enable_os_auto_update field must be true or false.'],
    ['enable_wsus', 'true', 'The enable_wsus field must be true or false.'],
    ['wsus_server', 80, 'The wsus_server must be a string.'],
    ['policies', 2101, 'The policies must be an array.'],
    ['policies', ['Alle'], 'The policies must be an integer.'],
    ['policies', [1], 'The selected policies is invalid.'],
  ])('refuses %s: %j, and makes nothing', async (field, value, message) => {
    const before = await service.rows('/servergroups');
    expect(await service.post('/servergroups', { ...NEW, [field]: value })).toMatchObject({
      status: 400,
      body: { errors: { [field]: [message] } },
    });
    expect(await service.rows('/servergroups')).toEqual(before);
  });

  it('is forbidden under a group that is not there', async () => {
    expect(await service.post('/servergroups', { ...NEW, parent_server_group_id: 1 })).toMatchObject(
      FORBIDDEN,
    );
  });
});

describe('a group that is not there', () => {
  it.each(['1', 'Linux', '3111x', '-1'])('is forbidden, not unknown: %s', async (id) => {
    expect(await service.get(`/servergroups/${id}`)).toMatchObject(FORBIDDEN);
    expect(await service.put(`/servergroups/${id}`, NEW)).toMatchObject(FORBIDDEN);
    expect(await service.delete(`/servergroups/${id}`)).toMatchObject(FORBIDDEN);
  });
});

describe('GET /servergroups/{id}', () => {
  it('is the row of the list', async () => {
    for (const row of await service.rows('/servergroups'))
      expect((await service.get(`/servergroups/${row['id']}`)).body).toEqual(row);
  });
});

describe('PUT /servergroups/{id}', () => {
  it('replaces the whole group: what is left out is cleared', async () => {
    const before = rowOf((await service.get('/servergroups/3112')).body);
    expect(before).toMatchObject({ policies: [2101, 2103], wsus_config: { is_managed: true } });
    const answer = await service.put('/servergroups/3112', { ...NEW, name: 'Windows' });
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect((await service.get('/servergroups/3112')).body).toEqual({
      ...before,
      name: 'Windows',
      refresh_interval: 720,
      parent_server_group_id: SERVERS,
      ui_color: null,
      notes: '',
      wsus_config: null,
      policies: [],
    });
  });

  it.each([
    ['itself', SERVERS, SERVERS],
    ['its child', SERVERS, LINUX],
  ])('refuses a group under %s', async (_, id, parent) => {
    const body = { ...NEW, name: 'Servers', parent_server_group_id: parent };
    expect(await service.put(`/servergroups/${id}`, body)).toMatchObject({
      status: 400,
      body: { errors: { parent_server_group_id: ['The selected parent_server_group_id is invalid.'] } },
    });
  });

  it('refuses a loop through a grandchild', async () => {
    const { body } = await service.post('/servergroups', { ...NEW, parent_server_group_id: LINUX });
    const loop = { ...NEW, name: 'Servers', parent_server_group_id: rowOf(body)['id'] };
    expect(await service.put(`/servergroups/${SERVERS}`, loop)).toMatchObject({ status: 400 });
  });

  it('is forbidden under a group that is not there', async () => {
    const body = { ...NEW, parent_server_group_id: 1 };
    expect(await service.put(`/servergroups/${LINUX}`, body)).toMatchObject(FORBIDDEN);
  });

  it('changes what applies to the devices of the group', async () => {
    const id = await service.idOf('web-01');
    const policies = async (): Promise<unknown> => {
      const { body } = await service.get(`/servers/${id}`);
      const entries = rowOf(body)['policy_status'];
      return Array.isArray(entries) ? entries.map((entry) => rowOf(entry)['policy_id']) : entries;
    };
    expect(await policies()).toEqual([2101, 2102]);
    await service.put(`/servergroups/${LINUX}`, { ...NEW, policies: [2103] });
    expect(await policies()).toEqual([2103]);
    expect((await service.get(`/servers/${id}`)).body).toMatchObject({
      refresh_interval: 720,
      status: { policy_statuses: [{ id: 2103 }] },
    });
    await service.put(`/servergroups/${LINUX}`, NEW);
    expect((await service.get(`/servers/${id}`)).body).toMatchObject({
      compliant: true,
      status: { policy_status: 'unmanaged', policy_statuses: [] },
    });
  });
});

describe('the Default group', () => {
  const SAME = { name: '', refresh_interval: 480, parent_server_group_id: DEFAULT };

  it('has a blank name, is its own parent, and can be changed otherwise', async () => {
    expect(await service.put(`/servergroups/${DEFAULT}`, SAME)).toMatchObject({ status: 204 });
    expect((await service.get(`/servergroups/${DEFAULT}`)).body).toMatchObject({ id: DEFAULT, ...SAME });
  });

  it.each([
    ['name', { name: 'Home' }],
    ['parent_server_group_id', { parent_server_group_id: SERVERS }],
    ['policies', { policies: [1] }],
  ])('refuses another %s', async (field, change) => {
    expect(await service.put(`/servergroups/${DEFAULT}`, { ...SAME, ...change })).toMatchObject({
      status: 400,
      body: { errors: { [field]: [`The selected ${field} is invalid.`] } },
    });
  });

  it('cannot be deleted', async () => {
    expect(await service.delete(`/servergroups/${DEFAULT}`)).toMatchObject({
      status: 400,
      body: { errors: ['The Default group cannot be deleted.'] },
    });
    expect(await service.get(`/servergroups/${DEFAULT}`)).toMatchObject({ status: 200 });
  });
});

describe('DELETE /servergroups/{id}', () => {
  it('moves the devices to the Default group, and no others', async () => {
    const inGroup = async (id: number): Promise<readonly JsonRow[]> => service.rows(`/servers?groupId=${id}`);
    const [linux, home] = [await inGroup(LINUX), await inGroup(DEFAULT)];
    expect(linux.length).toBeGreaterThan(0);
    expect(await service.delete(`/servergroups/${LINUX}`)).toMatchObject({ status: 204, text: '' });
    expect(await inGroup(LINUX)).toEqual([]);
    const ids = [...linux, ...home].map(({ id }) => Number(id)).toSorted((a, b) => a - b);
    expect((await inGroup(DEFAULT)).map(({ id }) => id)).toEqual(ids);
    expect(await service.get(`/servergroups/${LINUX}`)).toMatchObject(FORBIDDEN);
  });

  it('makes the groups under it top-level', async () => {
    await service.delete(`/servergroups/${SERVERS}`);
    const groups = await service.rows('/servergroups');
    expect(groups.find(({ id }) => id === LINUX)).toMatchObject({ parent_server_group_id: DEFAULT });
    expect(groups.find(({ id }) => id === 3121)).toMatchObject({ parent_server_group_id: 3120 });
  });
});
