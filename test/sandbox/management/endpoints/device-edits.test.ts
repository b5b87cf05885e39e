import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../../src/lib/clock.ts';
import { rowOf, startService, type TestService } from '../harness/service.ts';

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
    const service = await startService();
    const answer = await service.put(WEB, { ...LIVE, [field]: value });
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(await read(service)).toMatchObject({ [field]: value });
  });

  it('takes addresses as one text', async () => {
    const service = await startService();
    await service.put(WEB, { ...LIVE, ip_addrs: '192.0.2.7, 192.0.2.8' });
    expect(await read(service)).toMatchObject({ ip_addrs: ['192.0.2.7', '192.0.2.8'] });
  });

  it('shows a custom name and takes it away again', async () => {
    const service = await startService();
    await service.put(WEB, { ...LIVE, custom_name: 'The web' });
    expect(await read(service)).toMatchObject({ custom_name: 'The web', display_name: 'The web' });
    for (const none of ['', null]) {
      await service.put(WEB, { ...LIVE, custom_name: 'The web' });
      await service.put(WEB, { ...LIVE, custom_name: none });
      expect(await read(service)).toMatchObject({ custom_name: '', display_name: 'web-01' });
    }
  });

  it('takes the group from the query, and the one in the body before it', async () => {
    const service = await startService();
    await service.put(`${WEB}?server_group_id=3140`, { exception: false });
    expect(await read(service)).toMatchObject({ server_group_id: 3140 });
    await service.put(`${WEB}?server_group_id=3140`, { ...LIVE, server_group_id: 3120 });
    expect(await read(service)).toMatchObject({ server_group_id: 3120 });
  });

  it('puts the device under the policies of its new group', async () => {
    const service = await startService();
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
    const service = await startService();
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
      const service = await startService();
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
    const service = await startService();
    expect(await service.put(WEB, { ...LIVE, server_group_id: 1 })).toMatchObject({ status: 403 });
    expect(await service.put('/servers/1', LIVE)).toMatchObject({ status: 404 });
    expect(await read(service)).toMatchObject({ server_group_id: 3111 });
  });

  it('leaves the addresses that it does not name', async () => {
    const service = await startService();
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
    const service = await startService();
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
    const service = await startService();
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
    const service = await startService();
    const offline = (await service.rows('/servers')).find(({ connected }) => connected === false);
    await service.delete(`/servers/${offline?.['id']}`);
    await service.clock.advance(60 * MINUTE);
    const names = (await service.rows('/servers')).map(({ name }) => name);
    expect(names).not.toContain(offline?.['name']);
  });

  it('cannot happen twice', async () => {
    const service = await startService();
    await service.delete(WEB);
    expect(await service.delete(WEB)).toMatchObject({ status: 404 });
    expect(await service.rows('/events?eventName=system.delete&serverId=4001')).toHaveLength(1);
  });
});
