import { describe, expect, it } from 'vitest';
import { startService } from '../harness/service.ts';

const UNAUTHORIZED = { errors: ['Unauthorized'] };
const FORBIDDEN = {
  errors: [
    'You do not have permission to perform this action. Please contact your system administrator for support.',
  ],
};

describe('the key', () => {
  it.each([
    ['no header', undefined],
    ['another key', 'Bearer wrong'],
    ['another scheme', 'Basic sandbox-management-key'],
    ['a key with more behind it', 'Bearer sandbox-management-key-and-more'],
  ])('is refused: %s', async (_, authorization) => {
    const service = await startService();
    const answer = await service.raw(
      '/servers',
      authorization === undefined ? {} : { headers: { authorization } },
    );
    expect(answer).toMatchObject({ status: 401, body: UNAUTHORIZED });
  });

  it('is required before anything else is checked', async () => {
    const service = await startService();
    expect(await service.raw('/nowhere')).toMatchObject({ status: 401 });
    expect(await service.raw('/servers/1/queues', { method: 'POST' })).toMatchObject({ status: 401 });
  });
});

describe('the organization', () => {
  const PATHS = [
    '/servers',
    '/events',
    '/servergroups',
    '/servers/4001',
    '/servers/4001/packages',
    '/servers/4001/queues',
    '/servergroups/3111',
    '/policies',
    '/policies/2101',
  ];

  it.each(PATHS)('of somebody else is forbidden on %s', async (path) => {
    const service = await startService();
    expect(await service.get(`${path}?o=1`)).toMatchObject({ status: 403, body: FORBIDDEN });
  });

  it.each(PATHS)('must be a number on %s', async (path) => {
    const service = await startService();
    expect(await service.get(`${path}?o=mine`)).toMatchObject({
      status: 400,
      body: { errors: { o: ['The o must be an integer.'] } },
    });
  });

  it.each(PATHS)('is that of the key where %s names none; as documented, only of two lists', async (path) => {
    const live = await startService();
    expect(
      await live.raw(path, { headers: { authorization: `Bearer ${live.management.apiKey}` } }),
    ).toMatchObject({ status: 200 });
    const service = await startService({ profile: 'documented' });
    const headers = { authorization: `Bearer ${service.management.apiKey}` };
    const assumed = path === '/servers' || path === '/events';
    expect(await service.raw(path, { headers })).toMatchObject(
      assumed ? { status: 200 } : { status: 400, body: { errors: { o: ['The o field is required.'] } } },
    );
  });
});

describe('what is not there', () => {
  it.each([
    '/nowhere',
    '/servers/1',
    '/servers/web-01',
    '/servers/4001x/packages',
    '/servers/99999999/queues',
    '/servers/batch',
    '/policies/1',
    '/policies/device-filters-preview',
  ])('GET %s is not found', async (path) => {
    const service = await startService();
    expect(await service.get(path)).toMatchObject({ status: 404, body: { errors: ['Not found'] } });
  });

  it.each(['/servers', '/servers/4001', '/events', '/servergroups/3111', '/policies/2101', '/orgs'])(
    'POST %s is no method',
    async (path) => {
      const service = await startService();
      expect(await service.post(path, {})).toMatchObject({
        status: 405,
        body: { errors: ['Method Not Allowed'] },
      });
    },
  );

  it.each(['/servers/batch', '/policies/2101/action'])(
    'POST %s came after the document, so only the live service has it',
    async (path) => {
      const documented = await startService({ profile: 'documented' });
      expect(await documented.post(path, {})).toMatchObject({ status: 404, body: { errors: ['Not found'] } });
      expect(await (await startService()).post(path, {})).toMatchObject({ status: 400 });
    },
  );

  it('a slash at the end changes nothing', async () => {
    const service = await startService();
    expect(await service.rows('/servers/?limit=2&page=0')).toHaveLength(2);
  });
});

describe('a write', () => {
  const WRITES: readonly (readonly [string, string])[] = [
    ['POST', '/servergroups'],
    ['PUT', '/servergroups/3111'],
    ['PUT', '/servers/4001'],
    ['POST', '/servers/4001/queues'],
    ['POST', '/servers/batch'],
    ['POST', '/policies'],
    ['PUT', '/policies/2101'],
    ['POST', '/policies/2101/action'],
    ['POST', '/policies/device-filters-preview'],
  ];
  const DELETES: typeof WRITES = [
    ['DELETE', '/servers/4001'],
    ['DELETE', '/servergroups/3111'],
  ];

  async function send(method: string, path: string, body: string) {
    const service = await startService();
    const { apiKey, organizationId } = service.management;
    return service.raw(`${path}?o=${organizationId}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body,
    });
  }

  it.each(WRITES)('%s %s is refused with half a JSON', async (method, path) => {
    const errors = ['The request body is not valid JSON.'];
    expect(await send(method, path, '{"name":')).toMatchObject({ status: 400, body: { errors } });
  });

  it.each(WRITES)(
    '%s %s is refused with a list, a text and nothing in place of an object',
    async (method, path) => {
      for (const body of ['[]', '"x"', 'null'])
        expect(await send(method, path, body)).toMatchObject({
          status: 400,
          body: { errors: { body: ['The body must be an object.'] } },
        });
    },
  );

  it.each(WRITES)('%s %s is refused beyond 64 KiB', async (method, path) => {
    const body = JSON.stringify({ name: 'x'.repeat(65 * 1_024) });
    expect(await send(method, path, body)).toMatchObject({
      status: 413,
      body: { errors: ['Payload Too Large'] },
    });
  });

  it.each([...WRITES, ...DELETES])('%s %s needs its organization as documented', async (method, path) => {
    const service = await startService({ profile: 'documented' });
    const headers = { authorization: `Bearer ${service.management.apiKey}` };
    expect(await service.raw(path, { method, headers })).toMatchObject({
      status: 400,
      body: { errors: { o: ['The o field is required.'] } },
    });
    expect(await service.raw(`${path}?o=1`, { method, headers })).toMatchObject({ status: 403 });
  });

  it('is refused beyond 64 KiB even where its length is not announced, and taken below', async () => {
    const service = await startService();
    const { apiKey, organizationId } = service.management;
    const stream = (text: string) => {
      const init = {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}` },
        body: new Blob([text]).stream(),
        // Streams require it, and the type of the options lacks it.
        duplex: 'half',
      };
      return service.raw(`/servers/4001/queues?o=${organizationId}`, init);
    };
    const command = { command_type_name: 'GetOS' };
    expect(await stream(JSON.stringify(command))).toMatchObject({ status: 201 });
    expect(await stream(JSON.stringify({ ...command, more: 'x'.repeat(65 * 1_024) }))).toMatchObject({
      status: 413,
    });
  });
});
