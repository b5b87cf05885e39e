/** Default page sizes: there are more rows than that. */
import { beforeAll, describe, expect, it } from 'vitest';
import { useStarted } from '../../../harness/use-started.ts';
import { PROFILES } from '../interface/coverage.ts';
import { startCoverageStage } from './coverage-harness.ts';
import { itemsIn } from './json-fields.ts';
import type { CoverageRequest } from './requester.ts';
import { ALL_WINDOWS } from './sample-requests.ts';

/** More devices than fit on a page. */
const DEVICES = 510;

describe.each(PROFILES)('without a limit the %s service answers', (profile) => {
  const stage = useStarted(() => startCoverageStage(profile, DEVICES));
  beforeAll(() => {
    for (const _ of [1, 2]) stage.management.world({ do: 'storm', count: 300 });
  });

  it.each<[number, CoverageRequest]>([
    [500, { endpoint: 'GET /servers' }],
    [500, { endpoint: 'GET /events' }],
    [500, { endpoint: 'GET /servers/{id}/packages', id: 4_009 }],
    [25, { endpoint: 'POST /policies/device-filters-preview', body: ALL_WINDOWS }],
  ])('%i rows to %o', async (rows, request) => {
    expect(itemsIn((await stage.ask(request)).body)).toHaveLength(rows);
    const next = await stage.ask({ ...request, query: { page: 1 } });
    expect(itemsIn(next.body).length).toBeGreaterThan(0);
  });
});
