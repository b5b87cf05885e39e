import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../../src/lib/clock.ts';
import { madePerTest } from '../../../harness/use-started.ts';
import { rowOf, startService, type TestService } from '../harness/service.ts';

const service = madePerTest(startService);

const OFFSET_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/;

describe('a row of GET /servers', () => {
  it('says the total of the query, not of the page', async () => {
    const rows = await service.rows('/servers?limit=2');
    expect(rows.map((row) => row['total_count'])).toEqual([240, 240]);
    const [kiosk] = await service.rows('/servers?limit=1&groupId=3140');
    expect(kiosk?.['total_count']).toBe((await service.rows('/servers?groupId=3140')).length);
  });

  it('has no details unless they are requested', async () => {
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

  it('has an empty status for a device that was never scanned', async () => {
    const fresh = (await service.rows('/servers')).find(({ name }) => name === 'desk-01');
    expect(fresh).toMatchObject({ policy_status: [null], status: {}, last_refresh_time: null });
    expect(await service.device('desk-01')).toMatchObject({ status: { agent_status: 'connected' } });
  });
});

describe('the filters of GET /servers', () => {
  it('are all kept at once', async () => {
    const both = (await service.rows('/servers?groupId=3111')).filter(({ pending }) => pending === true);
    expect(both.length).toBeGreaterThan(0);
    expect(await service.rows('/servers?pending=1&groupId=3111')).toMatchObject(
      both.map(({ id }) => ({ id })),
    );
  });

  it.each([
    ['pending=true', 'pending', 'The pending field must be true or false.'],
    ['managed=2', 'managed', 'The managed field must be true or false.'],
    ['patchStatus=installed', 'patchStatus', 'The selected patchStatus is invalid.'],
    ['groupId=Linux', 'groupId', 'The groupId must be an integer.'],
  ])('refuses %s', async (query, field, message) => {
    const answer = await service.get(`/servers?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [message] } } });
  });
});

describe('GET /servers/{id}', () => {
  it('is an object, with the policies written out', async () => {
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

/** Its tags are `[web, production]`. */
const WEB = '/servers/4001';
/** Fields that the live service requires. */
const LIVE = { server_group_id: 3111, exception: false };

async function read(service: TestService, path = WEB): Promise<Record<string, unknown>> {
  const { body } = await service.get(path);
  return rowOf(Array.isArray(body) ? body[0] : body);
}

describe('PUT /servers/{id}', () => {
  it.each([
    ['tags', []],
    ['ip_addrs', ['192.0.2.7', '2001:db8::7']],
    ['ip_addrs', []],
  ])('sets %s to %j, with 204 and no body', async (field, value) => {
    const answer = await service.put(WEB, { ...LIVE, [field]: value });
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(await read(service)).toMatchObject({ [field]: value });
  });

  it('takes addresses as one text', async () => {
    await service.put(WEB, { ...LIVE, ip_addrs: '192.0.2.7, 192.0.2.8' });
    expect(await read(service)).toMatchObject({ ip_addrs: ['192.0.2.7', '192.0.2.8'] });
  });

  it('shows a custom name and takes it away again', async () => {
    await service.put(WEB, { ...LIVE, custom_name: 'The web' });
    expect(await read(service)).toMatchObject({ custom_name: 'The web', display_name: 'The web' });
    for (const none of ['', null]) {
      await service.put(WEB, { ...LIVE, custom_name: 'The web' });
      await service.put(WEB, { ...LIVE, custom_name: none });
      expect(await read(service)).toMatchObject({ custom_name: '', display_name: 'web-01' });
    }
  });

  it('takes the group from the query, and the one in the body before it', async () => {
    await service.put(`${WEB}?server_group_id=3140`, { exception: false });
    expect(await read(service)).toMatchObject({ server_group_id: 3140 });
    await service.put(`${WEB}?server_group_id=3140`, { ...LIVE, server_group_id: 3120 });
    expect(await read(service)).toMatchObject({ server_group_id: 3120 });
  });

  it('puts the device under the policies of its new group', async () => {
    await service.put(WEB, { ...LIVE, server_group_id: 3112 });
    expect(await read(service)).toMatchObject({ status: { policy_statuses: [{ id: 2101 }, { id: 2103 }] } });
  });

  it.each([
    ['server_group_id', 'Linux servers', 'The server_group_id must be an integer.'],
    ['exception', 1, 'The exception field must be true or false.'],
    ['tags', 'web', 'The tags must be an array.'],
    ['tags', [1], 'The tags must be a string.'],
    ['custom_name', 7, 'The custom_name must be a string.'],
    ['ip_addrs', 'nowhere', 'The ip_addrs must be valid IP addresses.'],
    ['ip_addrs', ['192.0.2.7', '999.0.0.1'], 'The ip_addrs must be valid IP addresses.'],
    ['ip_addrs', 7, 'The ip_addrs must be valid IP addresses.'],
  ])('refuses %s: %j, and changes nothing', async (field, value, message) => {
    const before = await read(service);
    expect(await service.put(WEB, { ...LIVE, tags: ['lost'], [field]: value })).toMatchObject({
      status: 400,
      body: { errors: { [field]: [message] } },
    });
    expect(await read(service)).toEqual(before);
  });

  it.each(['', 'text/plain', 'application/jsonp'])(
    'needs JSON as the type of its content: %j',
    async (type) => {
      const { apiKey, organizationId } = service.management;
      const send = (contentType: string) =>
        service.raw(`${WEB}?o=${organizationId}`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': contentType },
          body: JSON.stringify(LIVE),
        });
      expect(await send(type)).toMatchObject({
        status: 400,
        body: { errors: ['The Content-Type must be application/json.'] },
      });
      expect(await send('application/json; charset=utf-8')).toMatchObject({ status: 204 });
    },
  );

  it('is forbidden for a group that is not there, and not found for a device', async () => {
    expect(await service.put(WEB, { ...LIVE, server_group_id: 1 })).toMatchObject({ status: 403 });
    expect(await service.put('/servers/1', LIVE)).toMatchObject({ status: 404 });
    expect(await read(service)).toMatchObject({ server_group_id: 3111 });
  });

  it('leaves the addresses that it does not name', async () => {
    await service.put(WEB, { ...LIVE, ip_addrs: ['192.0.2.7'] });
    await service.put(WEB, { ...LIVE, tags: [] });
    expect(await read(service)).toMatchObject({ ip_addrs: ['192.0.2.7'] });
  });
});

describe('a field that PUT /servers/{id} leaves out', () => {
  it.each(['live', 'documented'] as const)('stays as it is, %s', async (profile) => {
    const service = await startService({ profile });
    await service.put(WEB, { ...LIVE, tags: ['web', 'production'], custom_name: 'The web' });
    const before = await read(service);
    expect(await service.put(WEB, {})).toMatchObject({ status: 204 });
    expect(await read(service)).toEqual(before);
    // As the vendor's own clients move and tag a device.
    await service.put(WEB, { server_group_id: 3140 });
    await service.put(WEB, { tags: ['one'] });
    const { exception, custom_name, ip_addrs } = before;
    expect(await read(service)).toMatchObject({
      ...{ exception, custom_name, ip_addrs },
      ...{ server_group_id: 3140, tags: ['one'] },
    });
  });

  it('may be all of them as documented, without any body', async () => {
    const service = await startService({ profile: 'documented' });
    const { apiKey, organizationId } = service.management;
    const answer = await service.raw(`${WEB}?o=${organizationId}&server_group_id=3140`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(204);
    expect(await read(service)).toMatchObject({ server_group_id: 3140, tags: ['web', 'production'] });
  });
});

describe('DELETE /servers/{id}', () => {
  it('takes the device and its queue away, and says so in an event', async () => {
    await service.post(`${WEB}/queues`, { command_type_name: 'GetOS' });
    expect(await service.delete(WEB)).toMatchObject({ status: 204, text: '' });
    for (const path of [WEB, `${WEB}/queues`, `${WEB}/packages`])
      expect(await service.get(path)).toMatchObject({ status: 404 });
    expect((await service.rows('/servers')).map(({ id }) => id)).not.toContain(4001);
    const [event] = await service.rows('/events?limit=1');
    expect(event).toMatchObject({
      name: 'system.delete',
      server_id: 4001,
      server_name: 'web-01',
      data: { systemname: 'web-01' },
    });
  });

  it('of one that is online brings it back as another device in the Default group', async () => {
    await service.delete(WEB);
    await service.clock.advance(14 * MINUTE);
    const named = async () => (await service.rows('/servers')).filter(({ name }) => name === 'web-01');
    expect(await named()).toEqual([]);
    await service.clock.advance(2 * MINUTE);
    const [again] = await named();
    expect(again).toMatchObject({ server_group_id: 3100, os_family: 'Linux' });
    expect(again?.['id']).not.toBe(4001);
    expect(await service.rows(`/events?eventName=system.add&serverId=${again?.['id']}`)).toHaveLength(1);
    expect(await service.get(WEB)).toMatchObject({ status: 404 });
  });

  it('of one that is offline does not', async () => {
    const offline = (await service.rows('/servers')).find(({ connected }) => connected === false);
    await service.delete(`/servers/${offline?.['id']}`);
    await service.clock.advance(60 * MINUTE);
    const names = (await service.rows('/servers')).map(({ name }) => name);
    expect(names).not.toContain(offline?.['name']);
  });

  it('cannot happen twice', async () => {
    await service.delete(WEB);
    expect(await service.delete(WEB)).toMatchObject({ status: 404 });
    expect(await service.rows('/events?eventName=system.delete&serverId=4001')).toHaveLength(1);
  });
});

const BATCH = '/servers/batch';
const apply = (...value: string[]) => ({ attribute: 'tags', action: 'apply', value });
const remove = (...value: string[]) => ({ attribute: 'tags', action: 'remove', value });

async function tagsOf(id: number): Promise<unknown> {
  return (await service.rows('/servers?limit=5')).find((row) => row['id'] === id)?.['tags'];
}

describe('POST /servers/batch', () => {
  it('answers with a job of which nothing is done yet', async () => {
    const { status, body } = await service.post(BATCH, { devices: [4001, 4002], actions: [apply('x')] });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      total_jobs: 2,
      pending_jobs: 2,
      processed_jobs: 0,
      progress: 0,
      failed_jobs: 0,
      created_at: '2026-03-10T12:00:00+0000',
      cancelled_at: null,
      finished_at: null,
    });
    expect((await service.post(BATCH, { devices: [4001], actions: [apply('x')] })).body).not.toMatchObject({
      id: Object(body).id,
    });
  });

  it('is carried out a moment later, on these devices and no others', async () => {
    const other = await tagsOf(4003);
    await service.post(BATCH, { devices: [4001, 4002], actions: [apply('x', 'web'), remove('production')] });
    expect(await tagsOf(4001)).toEqual(['web', 'production']);
    await service.clock.advance(10 * SECOND);
    expect(await tagsOf(4001)).toEqual(['web', 'x']);
    expect(await tagsOf(4002)).toEqual(['web', 'x']);
    expect(await tagsOf(4003)).toEqual(other);
  });

  it('does one action after the other', async () => {
    await service.post(BATCH, { devices: [4001], actions: [apply('x'), remove('x', 'web'), apply('web')] });
    await service.clock.advance(10 * SECOND);
    expect(await tagsOf(4001)).toEqual(['production', 'web']);
  });

  it('keeps what a change in between has set', async () => {
    await service.post(BATCH, { devices: [4001], actions: [apply('x')] });
    await service.put('/servers/4001', { server_group_id: 3111, exception: false, tags: ['between'] });
    await service.clock.advance(10 * SECOND);
    expect(await tagsOf(4001)).toEqual(['between', 'x']);
  });

  it('passes over devices that are not there', async () => {
    await service.post(BATCH, { devices: [1, 4002, 4001], actions: [apply('x')] });
    await service.delete('/servers/4002');
    await service.clock.advance(10 * SECOND);
    expect(await tagsOf(4001)).toEqual(['web', 'production', 'x']);
  });

  it('is forgotten by a reset', async () => {
    await service.post(BATCH, { devices: [4001], actions: [apply('x')] });
    service.management.reset();
    await service.clock.advance(10 * SECOND);
    expect(await tagsOf(4001)).toEqual(['web', 'production']);
  });

  it.each([
    ['500', 500, 200],
    ['501', 501, 400],
  ] as const)('takes at most 500 devices: %s', async (_, count, status) => {
    const devices = Array.from({ length: count }, (_, index) => 4001 + index);
    const answer = await service.post(BATCH, { devices, actions: [apply('x')] });
    expect(answer.status).toBe(status);
    if (status === 400)
      expect(answer.body).toEqual({ errors: { devices: ['The devices may not have more than 500 items.'] } });
  });

  it.each([
    ['devices', undefined],
    ['devices', []],
    ['devices', '4001'],
    ['devices', ['4001']],
    ['actions', undefined],
    ['actions', []],
    ['actions', apply('x')],
    ['actions', [{ ...apply('x'), attribute: 'custom_name' }]],
    ['actions', [{ ...apply('x'), action: 'add' }]],
    ['actions', [{ ...apply('x'), value: 'x' }]],
    ['actions', ['apply']],
  ])('refuses %s: %j, and changes nothing', async (field, value) => {
    const body = { devices: [4001], actions: [apply('x')], [field]: value };
    expect(await service.post(BATCH, body)).toMatchObject({
      status: 400,
      body: { errors: { [field]: [expect.any(String)] } },
    });
    await service.clock.advance(10 * SECOND);
    expect(await tagsOf(4001)).toEqual(['web', 'production']);
  });
});
