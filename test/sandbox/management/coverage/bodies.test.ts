/** Body fields: each has its effect when read back, and is refused when invalid. */
import { describe, it } from 'vitest';
import { useStarted } from '../../../harness/use-started.ts';
import { endpointsServed, endpointTitle, PROFILES, testNameOf } from '../interface/coverage.ts';
import type { CoverageRow, ParameterSpec, ParameterSpecs } from '../interface/row-types.ts';
import { BODY_EFFECTS, SPECIAL_BODY_PROOFS } from './body-effects.ts';
import { assertClaim, assertRefused, assertSame } from './claim.ts';
import { proofOfClause } from './clauses.ts';
import { type CoverageStage, type Proof, prove, rowsFor, startCoverageStage } from './coverage-harness.ts';
import type { QueryValues, SendRequest } from './requester.ts';
import { requestFor } from './sample-requests.ts';

describe.each(PROFILES)('bodies of the %s service', (profile) => {
  const stage = useStarted(() => startCoverageStage(profile));

  for (const endpoint of endpointsServed(profile).filter(({ body }) => body !== undefined))
    describe(endpointTitle(endpoint), () => {
      for (const row of rowsFor(endpoint, 'body', profile))
        it(testNameOf(row), () => prove(stage, row, proofOf(row, endpoint.body)));
    });
});

function proofOf(row: CoverageRow, parameters: ParameterSpecs = {}): Proof {
  const [name = '', value] = row.name.split('=');
  const parameter = parameters[name];
  if (parameter === undefined) throw new Error(`The table has no ${name}.`);
  return async (ask, stage) => {
    const special =
      SPECIAL_BODY_PROOFS[`${row.endpoint} ${row.name}`] ?? SPECIAL_BODY_PROOFS[`${row.endpoint} ${name}`];
    if (name === 'device_filters' && value !== undefined) await proofOfClause(value)(ask, stage);
    else if (special !== undefined) await special(ask, stage, value);
    else await claimEffect(ask, stage, row.endpoint, name);
    if (value === undefined) await claimRules(ask, stage, row.endpoint, name, parameter);
  };
}

/** Sends the whole body and reads the one field back. */
async function claimEffect(
  ask: SendRequest,
  stage: CoverageStage,
  endpoint: string,
  name: string,
): Promise<void> {
  const look = BODY_EFFECTS[endpoint];
  if (look === undefined) throw new Error(`Nothing says where ${endpoint} takes effect.`);
  const request = requestFor(endpoint, stage);
  const reply = await ask(request);
  assertClaim(reply.status < 300, `the answer is ${reply.status} ${JSON.stringify(reply.body)}`);
  assertSame(await look(ask, name, reply), request.body?.[name], name);
}

/** Wrong types, values beyond the limits and missing required fields are refused. */
async function claimRules(
  ask: SendRequest,
  stage: CoverageStage,
  endpoint: string,
  name: string,
  parameter: ParameterSpec,
) {
  const { type, required, least = 0, leastLive = least, most } = parameter;
  const request = requestFor(endpoint, stage);
  const refused = async (body: QueryValues) => assertRefused(await ask({ ...request, body }), name);
  const wrong: readonly unknown[] = [
    type === 'string' ? 7 : 'wrong',
    ...(most === undefined ? [] : [(stage.profile === 'live' ? leastLive : least) - 1, most + 1]),
  ];
  for (const value of wrong) await refused({ ...request.body, [name]: value });
  const { [name]: _, ...rest } = request.body ?? {};
  // The live service fails where a preview names no groups.
  const breaks =
    endpoint === 'POST /policies/device-filters-preview' &&
    name === 'server_groups' &&
    stage.profile === 'live';
  if (breaks) assertSame((await ask({ ...request, body: rest })).status, 500, 'the status without groups');
  else if (required === true && name !== 'id') await refused(rest);
}
