/** Answer fields: present in every row, with the right type. */
import { beforeAll, describe, it } from 'vitest';
import { useStarted } from '../../../harness/use-started.ts';
import { endpointsServed, endpointTitle, PROFILES, testNameOf } from '../interface/coverage.ts';
import type { CoverageRow, ProfileName } from '../interface/row-types.ts';
import { assertClaim, itemsOf, Unproven } from './claim.ts';
import { type CoverageStage, rowsFor, startCoverageStage } from './coverage-harness.ts';
import { itemsIn, parentsOf } from './json-fields.ts';
import { type CoverageReply, sendWithout } from './requester.ts';
import { prepare, requestFor } from './sample-requests.ts';
import { fieldTest } from './type-checks.ts';

/** Throws where a row of the answer lacks the field or has it with another type. */
function claimField(reply: CoverageReply, { name, type = '' }: CoverageRow, profile: ProfileName): void {
  const { fits, nullable, loose } = fieldTest(type, profile);
  let seen = 0;
  for (const thing of itemsOf(reply)) {
    const { holders, last } = parentsOf(thing, name);
    for (const holder of holders) {
      const value = holder[last];
      if (loose && !fits(value)) continue;
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

describe.each(PROFILES)('answers of the %s service', (profile) => {
  const stage = useStarted(() => startCoverageStage(profile));

  for (const endpoint of endpointsServed(profile).filter(({ answer }) => answer !== undefined)) {
    const title = endpointTitle(endpoint);
    describe(title, () => {
      let reply: CoverageReply;
      beforeAll(async () => {
        stage.management.reset();
        await prepare(title, stage);
        reply = { status: 200, body: await thingsToLookAt(title, stage) };
      });

      for (const row of rowsFor(endpoint, 'answer', profile))
        it(testNameOf(row), async () => {
          claimField(reply, row, profile);
          const harmed = await sendWithout(async () => reply, row)(requestFor(title, stage));
          if (holds(() => claimField(harmed, row, profile))) throw new Error(`It holds without ${row.name}.`);
        });
    });
  }
});

/** Further objects for each request: each lacks some fields of the others. */
const OTHERS: Readonly<Record<string, readonly number[]>> = {
  // A Linux server and a Mac beside a Windows server.
  'GET /servers/{id}': [4_001, 4_025],
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
