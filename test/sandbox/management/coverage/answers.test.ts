/** Answer fields: there in every row, of the right type. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { PROFILES, served, testOf, titleOf } from '../../../../src/sandbox/management/coverage/coverage.ts';
import type { ProfileName, Row } from '../../../../src/sandbox/management/coverage/row.ts';
import { damaged, type Reply } from './ask.ts';
import { claim, things, Unproven } from './claim.ts';
import { holdersOf, thingsIn } from './fields.ts';
import { prepare, requestFor } from './requests.ts';
import { rowsFor, type Stage, startStage } from './stage.ts';
import { fieldTest } from './types.ts';

/** Throws where a row of the answer lacks the field or has it in another type. */
function claimField(reply: Reply, { name, type = '' }: Row, profile: ProfileName): void {
  const { fits, nullable, loose } = fieldTest(type, profile);
  let seen = 0;
  for (const thing of things(reply)) {
    const { holders, last } = holdersOf(thing, name);
    for (const holder of holders) {
      const value = holder[last];
      if (loose && !fits(value)) continue;
      claim(value !== undefined, `${name} is missing in ${JSON.stringify(holder).slice(0, 200)}`);
      claim(fits(value) || (nullable && value === null), `${name} is ${JSON.stringify(value)}, no ${type}`);
      seen += 1;
    }
  }
  claim(seen > 0, `${name} was never there`);
}

describe.each(PROFILES)('answers of the %s service', (profile) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(profile);
  });
  afterAll(() => stage.stop());

  for (const endpoint of served(profile).filter(({ answer }) => answer !== undefined)) {
    const title = titleOf(endpoint);
    describe(title, () => {
      let reply: Reply;
      beforeAll(async () => {
        stage.management.reset();
        await prepare(title, stage);
        reply = { status: 200, body: await thingsToLookAt(title, stage) };
      });

      for (const row of rowsFor(endpoint, 'answer', profile))
        it(testOf(row), async () => {
          claimField(reply, row, profile);
          const harmed = await damaged(async () => reply, row)(requestFor(title, stage));
          if (holds(() => claimField(harmed, row, profile))) throw new Error(`It holds without ${row.name}.`);
        });
    });
  }
});

/** Beside what the request is about: each thing lacks some of what the other has. */
const OTHERS: Readonly<Record<string, number>> = {
  // A Linux server beside a Windows one.
  'GET /servers/{id}': 4_001,
  // A group with a color beside one with an update server.
  'GET /servergroups/{id}': 3_110,
};

async function thingsToLookAt(title: string, stage: Stage): Promise<readonly unknown[]> {
  const request = requestFor(title, stage);
  const other = OTHERS[title];
  const requests = other === undefined ? [request] : [request, { ...request, id: other }];
  const replies = await Promise.all(requests.map(stage.ask));
  return replies.flatMap(({ body }) => thingsIn(body));
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
