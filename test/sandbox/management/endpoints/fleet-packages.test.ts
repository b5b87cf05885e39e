import { describe, expect, it } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';

const pathOf = ({ management }: TestService, query = '') =>
  `/orgs/${management.organizationId}/packages?awaiting=1&includeUnmanaged=1${query}`;

describe('GET /orgs/{id}/packages', () => {
  it('has the packages that each device is missing, as the device’s own list has them', async () => {
    const service = await startService({ devices: 30 });
    const listed = await service.rows(pathOf(service));
    for (const { id } of await service.rows('/servers')) {
      const own = (await service.rows(`/servers/${id}/packages`)).filter(
        (item) => item['installed'] === false,
      );
      expect(listed.filter((item) => item['server_id'] === id)).toEqual(own);
    }
    expect(listed.length).toBeGreaterThan(30);
  });

  it('goes on over pages, each row once, to an empty one', async () => {
    const service = await startService({ devices: 30 });
    const all = await service.rows(pathOf(service));
    const pages = await Promise.all(
      [0, 1, 2].map((page) => service.rows(pathOf(service, `&limit=20&page=${page}`))),
    );
    expect(pages.flat()).toEqual(all.slice(0, 60));
    expect(await service.rows(pathOf(service, '&page=9'))).toEqual([]);
  });

  it('is not there as documented, and not for another organization', async () => {
    const documented = await startService({ profile: 'documented' });
    expect(await documented.get(pathOf(documented))).toMatchObject({ status: 404 });
    const live = await startService();
    expect(await live.get('/orgs/1/packages')).toMatchObject({ status: 403 });
  });
});
