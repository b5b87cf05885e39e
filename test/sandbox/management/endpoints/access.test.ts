import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { madePerTest } from '../../../harness/use-started.ts';
import { startService, type TestService } from '../harness/service.ts';

const service = madePerTest(startService);

const UNAUTHORIZED = { status: 401, body: { errors: ['Unauthorized'] } };
const FORBIDDEN = {
  status: 403,
  body: {
    errors: [
      'You do not have permission to perform this action. Please contact your system administrator for support.',
    ],
  },
};

describe('the key', () => {
  it.each([
    ['no header', undefined],
    ['another key', 'Bearer wrong'],
    ['another scheme', 'Basic sandbox-management-key'],
    ['a key with more behind it', 'Bearer sandbox-management-key-and-more'],
  ])('is refused: %s', async (_, authorization) => {
    const answer = await service.raw(
      '/servers',
      authorization === undefined ? {} : { headers: { authorization } },
    );
    expect(answer).toMatchObject(UNAUTHORIZED);
  });

  it('is required before anything else is checked', async () => {
    expect(await service.raw('/nowhere')).toMatchObject({ status: 401 });
    expect(await service.raw('/servers/1/queues', { method: 'POST' })).toMatchObject({ status: 401 });
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
    expect(await service.get(path)).toMatchObject({ status: 404, body: { errors: ['Not found'] } });
  });

  it.each(['/servers', '/servers/4001', '/events', '/servergroups/3111', '/policies/2101', '/orgs'])(
    'POST %s is no method',
    async (path) => {
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
  async function send(method: string, path: string, body: string) {
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

  it('is refused beyond 64 KiB even where its length is not announced, and taken below', async () => {
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

function ask(key: string, path: string, method = 'GET', body?: unknown) {
  return service.raw(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const o = () => `o=${service.management.organizationId}`;

describe('the read-only key', () => {
  it.each([
    ['PUT', '/servergroups/1'],
    ['POST', '/policies/1/action'],
    ['POST', '/policies/device-filters-preview/more'],
  ])('may not %s %s', async (method, path) => {
    const { readOnlyKey } = service.management;
    expect(await ask(readOnlyKey, `${path}?${o()}`, method, {})).toMatchObject(FORBIDDEN);
  });

  it('changes nothing by what it is refused', async () => {
    const { readOnlyKey } = service.management;
    const order = { command_type_name: 'Reboot' };
    await ask(readOnlyKey, `/servers/4001/queues?${o()}`, 'POST', order);
    expect(await service.rows('/servers/4001/queues')).toEqual([]);
  });

  it('may ask for a preview, which is a POST that changes nothing', async () => {
    const { readOnlyKey } = service.management;
    const path = `/policies/device-filters-preview?${o()}`;
    expect((await ask(readOnlyKey, path, 'POST', {})).status).not.toBe(403);
  });
});

describe('the expired key', () => {
  it.each(['GET', 'POST'])('is refused like one that never was: %s', async (method) => {
    const { expiredKey } = service.management;
    const answer = await ask(expiredKey, '/servers/4001/queues', method);
    expect(answer).toMatchObject(UNAUTHORIZED);
  });
});

describe('a key in the query', () => {
  it('is refused', async () => {
    const { apiKey } = service.management;
    expect(await service.raw(`/servers?api_key=${apiKey}`)).toMatchObject(UNAUTHORIZED);
  });

  it('is refused beside a good header too', async () => {
    const { apiKey } = service.management;
    expect(await ask(apiKey, `/servers?api_key=${apiKey}`)).toMatchObject(UNAUTHORIZED);
    expect(await ask(apiKey, '/servers?api_key=')).toMatchObject(UNAUTHORIZED);
  });

  it.each(['/servers?api_key=KEY', '/servers?o=1&%61pi_key=KEY', '/servers?KEY'])(
    'is not written into the journal: %s',
    async (path) => {
      const { apiKey } = service.management;
      await service.raw(path.replace('KEY', apiKey));
      expect(service.journal()).toMatchObject([{ method: 'GET', path: '/servers', status: 401 }]);
      expect(JSON.stringify(service.journal())).not.toContain(apiKey);
    },
  );
});

/** Every write, with the fields of its body. */
const WRITES: readonly (readonly ['post' | 'put', string, readonly string[]])[] = [
  [
    'post',
    '/servergroups',
    ['name', 'refresh_interval', 'parent_server_group_id', 'wsus_server', 'policies'],
  ],
  ['put', '/servergroups/3111', ['name', 'refresh_interval', 'parent_server_group_id', 'notes', 'policies']],
  ['put', '/servers/4001', ['server_group_id', 'exception', 'tags', 'custom_name', 'ip_addrs']],
  ['post', '/servers/4001/queues', ['command_type_name', 'args', 'exec_time']],
  ['post', '/servers/batch', ['devices', 'actions']],
  ['post', '/policies/device-filters-preview', ['device_filters', 'server_groups']],
  ['post', '/policies', ['name', 'policy_type_name', 'configuration', 'schedule_time', 'server_groups']],
  ['put', '/policies/2103', ['id', 'name', 'policy_type_name', 'configuration', 'server_groups']],
  ['post', '/policies/2103/action', ['action', 'serverId']],
];

/** Nearly valid values, and arbitrary ones. */
const VALUE = fc.oneof(
  fc.constantFrom(
    2103,
    3111,
    4001,
    720,
    -1,
    0,
    '',
    'GetOS',
    'custom',
    'remediateAll',
    '2026-03-11T00:00:00Z',
  ),
  fc.constantFrom(true, null, {}, [], [3111], [4001], ['x'], { filter_type: 'all' }, '__proto__'),
  fc.jsonValue(),
);

/** Whatever is sent, the service accepts it or names the error; its world stays readable. */
async function expectReadable(service: TestService): Promise<void> {
  for (const path of ['/servers?limit=3', '/servergroups', '/policies', '/servers/4001/queues', '/orgs'])
    expect((await service.get(path)).status, path).toBe(200);
}

it.each(WRITES)('%s %s survives whatever is sent', async (method, path, fields) => {
  // The live service's own crash, a preview without groups, would hide any other.
  const service = await startService({ profile: path.endsWith('preview') ? 'documented' : 'live' });
  const record = fc.record(Object.fromEntries(fields.map((field) => [field, VALUE])), { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: record }, fc.jsonValue()), async (body) => {
      const { status } = await service[method](path, body);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 60 },
  );
  await expectReadable(service);
});

it('a body too deep to be written down again is no JSON, and leaves what can be read', async () => {
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  const body = `{"name":"Deep","policy_type_name":"custom","configuration":${deep},"server_groups":[]}`;
  const answer = await service.raw(`/policies?o=${service.management.organizationId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.management.apiKey}` },
    body,
  });
  expect(answer.status).toBe(400);
  await expectReadable(service);
});
