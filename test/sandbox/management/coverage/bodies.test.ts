/** Body fields: each is read back where it took effect, and refused where it is wrong. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { PROFILES, served, testOf, titleOf } from '../../../../src/sandbox/management/coverage/coverage.ts';
import type { Parameter, Parameters, Row } from '../../../../src/sandbox/management/coverage/row.ts';
import type { Ask, Values } from './ask.ts';
import { claim, claimRefused, claimSame } from './claim.ts';
import { proofOfClause } from './clauses.ts';
import { EFFECTS, SPECIAL_BODIES } from './effects.ts';
import { requestFor } from './requests.ts';
import { type Proof, prove, rowsFor, type Stage, startStage } from './stage.ts';

describe.each(PROFILES)('bodies of the %s service', (profile) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(profile);
  });
  afterAll(() => stage.stop());

  for (const endpoint of served(profile).filter(({ body }) => body !== undefined))
    describe(titleOf(endpoint), () => {
      for (const row of rowsFor(endpoint, 'body', profile))
        it(testOf(row), () => prove(stage, row, proofOf(row, endpoint.body)));
    });
});

function proofOf(row: Row, parameters: Parameters = {}): Proof {
  const [name = '', value] = row.name.split('=');
  const parameter = parameters[name];
  if (parameter === undefined) throw new Error(`The table has no ${name}.`);
  return async (ask, stage) => {
    const special =
      SPECIAL_BODIES[`${row.endpoint} ${row.name}`] ?? SPECIAL_BODIES[`${row.endpoint} ${name}`];
    if (name === 'device_filters' && value !== undefined) await proofOfClause(value)(ask, stage);
    else if (special !== undefined) await special(ask, stage, value);
    else await claimEffect(ask, stage, row.endpoint, name);
    if (value === undefined) await claimRules(ask, stage, row.endpoint, name, parameter);
  };
}

/** Sends the whole body and looks for the one field where it took effect. */
async function claimEffect(ask: Ask, stage: Stage, endpoint: string, name: string): Promise<void> {
  const look = EFFECTS[endpoint];
  if (look === undefined) throw new Error(`Nothing says where ${endpoint} takes effect.`);
  const request = requestFor(endpoint, stage);
  const reply = await ask(request);
  claim(reply.status < 300, `the answer is ${reply.status} ${JSON.stringify(reply.body)}`);
  claimSame(await look(ask, name, reply), request.body?.[name], name);
}

/** Nothing of the wrong kind, nothing beyond the limits, and nothing left out that is needed. */
async function claimRules(ask: Ask, stage: Stage, endpoint: string, name: string, parameter: Parameter) {
  const { type, required, least = 0, leastLive = least, most } = parameter;
  const request = requestFor(endpoint, stage);
  const refused = async (body: Values) => claimRefused(await ask({ ...request, body }), name);
  const wrong: readonly unknown[] = [
    type === 'string' ? 7 : 'wrong',
    ...(most === undefined ? [] : [(stage.profile === 'live' ? leastLive : least) - 1, most + 1]),
  ];
  for (const value of wrong) await refused({ ...request.body, [name]: value });
  const { [name]: _, ...rest } = request.body ?? {};
  // The live service breaks where a preview names no groups.
  const breaks = name === 'server_groups' && stage.profile === 'live' && required === true;
  if (breaks) claimSame((await ask({ ...request, body: rest })).status, 500, 'the status without groups');
  else if (required === true && name !== 'id') await refused(rest);
}
