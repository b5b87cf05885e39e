import { describe, expect, it } from 'vitest';
import { startService, type TestService } from './harness/service.ts';

const UNAUTHORIZED = { status: 401, body: { errors: ['Unauthorized'] } };
const FORBIDDEN = {
  status: 403,
  body: {
    errors: [
      'You do not have permission to perform this action. Please contact your system administrator for support.',
    ],
  },
};

function ask(service: TestService, key: string, path: string, method = 'GET', body?: unknown) {
  return service.raw(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const o = ({ management }: TestService) => `o=${management.organizationId}`;

describe('the read-only key', () => {
  it.each([
    '/servers',
    '/servers/4001',
    '/servers/4001/packages',
    '/servers/4001/queues',
    '/events',
    '/servergroups',
  ])('reads %s', async (path) => {
    const service = await startService();
    const answer = await ask(service, service.management.readOnlyKey, `${path}?${o(service)}`);
    expect(answer.status).toBe(200);
  });

  it.each([
    ['POST', '/servers/4001/queues'],
    ['PUT', '/servers/4001'],
    ['DELETE', '/servers/4001'],
    ['POST', '/servers/batch'],
    ['POST', '/servergroups'],
    ['PUT', '/servergroups/1'],
    ['DELETE', '/servergroups/1'],
    ['POST', '/policies/1/action'],
    ['POST', '/policies/device-filters-preview/more'],
  ])('may not %s %s', async (method, path) => {
    const service = await startService();
    const { readOnlyKey } = service.management;
    expect(await ask(service, readOnlyKey, `${path}?${o(service)}`, method, {})).toMatchObject(FORBIDDEN);
  });

  it('changes nothing by what it is refused', async () => {
    const service = await startService();
    const { readOnlyKey } = service.management;
    const order = { command_type_name: 'Reboot' };
    await ask(service, readOnlyKey, `/servers/4001/queues?${o(service)}`, 'POST', order);
    expect(await service.rows('/servers/4001/queues')).toEqual([]);
  });

  it('may ask for a preview, which is a POST that changes nothing', async () => {
    const service = await startService();
    const { readOnlyKey } = service.management;
    const path = `/policies/device-filters-preview?${o(service)}`;
    expect((await ask(service, readOnlyKey, path, 'POST', {})).status).not.toBe(403);
  });
});

describe('the expired key', () => {
  it.each(['GET', 'POST'])('is refused like one that never was: %s', async (method) => {
    const service = await startService();
    const { expiredKey } = service.management;
    const answer = await ask(service, expiredKey, '/servers/4001/queues', method);
    expect(answer).toMatchObject(UNAUTHORIZED);
  });
});

describe('a key in the query', () => {
  it('is refused', async () => {
    const service = await startService();
    const { apiKey } = service.management;
    expect(await service.raw(`/servers?api_key=${apiKey}`)).toMatchObject(UNAUTHORIZED);
  });

  it('is refused beside a good header too', async () => {
    const service = await startService();
    const { apiKey } = service.management;
    expect(await ask(service, apiKey, `/servers?api_key=${apiKey}`)).toMatchObject(UNAUTHORIZED);
    expect(await ask(service, apiKey, '/servers?api_key=')).toMatchObject(UNAUTHORIZED);
  });

  it.each(['/servers?api_key=KEY', '/servers?o=1&%61pi_key=KEY', '/servers?KEY'])(
    'is not written into the journal: %s',
    async (path) => {
      const service = await startService();
      const { apiKey } = service.management;
      await service.raw(path.replace('KEY', apiKey));
      expect(service.journal()).toMatchObject([{ method: 'GET', path: '/servers', status: 401 }]);
      expect(JSON.stringify(service.journal())).not.toContain(apiKey);
    },
  );
});
