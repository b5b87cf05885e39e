/** Answer fields: present in every row, with the right type. */

import { beforeAll, describe, expect, it } from 'vitest';
import { useStarted } from '../../../harness/use-started.ts';
import { type CoverageRow, PROFILES, rowsByEndpoint, testNameOf } from '../interface/coverage.ts';
import type { ProfileName } from '../interface/endpoints.ts';
import { ALL_WINDOWS, prepare, requestFor } from './sample-requests.ts';
import {
  assertClaim,
  type CoverageReply,
  type CoverageRequest,
  type CoverageStage,
  fieldTest,
  itemsIn,
  itemsOf,
  parentsOf,
  sendWithout,
  startCoverageStage,
  Unproven,
} from './stage.ts';

/** Throws where a row of the answer lacks the field or has it with another type. */
function claimField(reply: CoverageReply, { name, type = '' }: CoverageRow, profile: ProfileName): void {
  const { fits, nullable, loose } = fieldTest(type, profile);
  let seen = 0;
  for (const thing of itemsOf(reply)) {
    const { holders, last } = parentsOf(thing, name);
    for (const holder of holders) {
      const value = holder[last];
      if (loose && !fits(value) && isNothing(value)) continue;
      assertClaim(value !== undefined, `${name} is missing in ${JSON.stringify(holder).slice(0, 200)}`);
      assertClaim(
        fits(value) || (nullable && value === null),
        `${name} is ${JSON.stringify(value)}, no ${type}`,
      );
      seen += 1;
    }
  }
  assertClaim(seen > 0, `${name} was never there`);
}

/** What a field of which the service sends nothing was seen to have. */
function isNothing(value: unknown): boolean {
  return !value || Object.keys(Object(value)).length === 0;
}

describe.each(PROFILES)('answers of the %s service', (profile) => {
  const stage = useStarted(() => startCoverageStage(profile));

  for (const { title, rows } of rowsByEndpoint(['answer'], profile)) {
    describe(title, () => {
      let reply: CoverageReply;
      beforeAll(async () => {
        stage.management.reset();
        await prepare(title, stage);
        reply = { status: 200, body: await thingsToLookAt(title, stage) };
      });

      for (const row of rows)
        it(testNameOf(row), async () => {
          claimField(reply, row, profile);
          const harmed = await sendWithout(async () => reply, row)(requestFor(title, stage));
          if (holds(() => claimField(harmed, row, profile))) throw new Error(`It holds without ${row.name}.`);
        });
    });
  }
});

/** The named devices of the seed; 4025 is a Mac. */
const NAMED_DEVICES = Array.from({ length: 12 }, (_, index) => 4_001 + index);

/** Further objects for each request: each lacks some fields of the others. */
const OTHERS: Readonly<Record<string, readonly number[]>> = {
  'GET /servers/{id}': [...NAMED_DEVICES, 4_025],
  'GET /servers/{id}/packages': NAMED_DEVICES,
  // A group with a color beside one with an update server.
  'GET /servergroups/{id}': [3_110],
};

async function thingsToLookAt(title: string, stage: CoverageStage): Promise<readonly unknown[]> {
  const request = requestFor(title, stage);
  const requests = [request, ...(OTHERS[title] ?? []).map((id) => ({ ...request, id }))];
  const replies = await Promise.all(requests.map(stage.ask));
  return replies.flatMap(({ body }) => itemsIn(body));
}

function holds(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof Unproven) return false;
    throw error;
  }
}

/** More devices than fit on a page. */
const DEVICES = 510;

describe('without a limit the service answers', () => {
  const stage = useStarted(() => startCoverageStage('live', DEVICES));
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
