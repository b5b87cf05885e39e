import { describe, expect, it } from 'vitest';
import { startService } from './service.ts';

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

  it('is asked for before anything else is said', async () => {
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

  it.each(PATHS)('is %s only where the document says so', async (path) => {
    const service = await startService();
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
  ])('GET %s is not found', async (path) => {
    const service = await startService();
    expect(await service.get(path)).toMatchObject({ status: 404, body: { errors: ['Not found'] } });
  });

  it.each(['/servers', '/servers/4001', '/events', '/servergroups'])('POST %s is no method', async (path) => {
    const service = await startService();
    expect(await service.post(path, {})).toMatchObject({ status: 405 });
  });

  it('a slash at the end changes nothing', async () => {
    const service = await startService();
    expect(await service.rows('/servers/?limit=2&page=0')).toHaveLength(2);
  });
});
