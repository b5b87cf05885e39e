import { describe, expect, it } from 'vitest';
import { startService } from '../harness/service.ts';

const LISTS = ['/servers', '/events', '/servergroups', '/servers/4001/packages'];
const SHORT_LISTS = ['/policies', '/orgs'];
const tooSmall = (field: string) => `The ${field} must be at least ${field.startsWith('l') ? 1 : 0}.`;

describe.each([...LISTS, ...SHORT_LISTS])('%s', (path) => {
  it.each([
    ['limit=0', { limit: [tooSmall('limit')] }],
    ['limit=501', { limit: ['The limit may not be greater than 500.'] }],
    ['limit=-1', { limit: [tooSmall('limit')] }],
    ['limit=ten', { limit: ['The limit must be an integer.'] }],
    ['limit=1.5', { limit: ['The limit must be an integer.'] }],
    ['page=-1', { page: [tooSmall('page')] }],
    ['page=x', { page: ['The page must be an integer.'] }],
    ['limit=0&page=-1', { limit: [tooSmall('limit')], page: [tooSmall('page')] }],
  ])('refuses %s and names the field', async (query, errors) => {
    const service = await startService();
    expect(await service.get(`${path}?${query}`)).toMatchObject({ status: 400, body: { errors } });
  });

  it('is empty past the end', async () => {
    const service = await startService();
    expect(await service.rows(`${path}?page=9999`)).toEqual([]);
  });
});

describe.each(LISTS)('%s', (path) => {
  it('gives the same rows in pages as at once', async () => {
    const service = await startService();
    const all = await service.rows(`${path}?limit=9`);
    const pages = [0, 1, 2].map((page) => service.rows(`${path}?limit=3&page=${page}`));
    expect(all).toHaveLength(9);
    expect((await Promise.all(pages)).flat()).toEqual(all);
  });

  it('ignores parameters that it does not know', async () => {
    const service = await startService();
    expect(await service.rows(`${path}?count_only=1&hostname=x&limit=3`)).toHaveLength(3);
  });
});
