/** Query parameters: the effect of each on the answer, its limits, and its default. */
import { describe, it } from 'vitest';
import { useStarted } from '../../../harness/use-started.ts';
import { endpointsServed, endpointTitle, PROFILES, testNameOf } from '../interface/coverage.ts';
import type { CoverageRow, ParameterSpec } from '../interface/row-types.ts';
import { assertClaim, assertRefused, assertSame, itemsOf } from './claim.ts';
import { type Proof, prove, rowsFor, startCoverageStage } from './coverage-harness.ts';
import { FILTER_PROOFS } from './filters.ts';
import type { CoverageRequest, QueryValues, SendRequest } from './requester.ts';
import { prepare, requestFor } from './sample-requests.ts';
import { SPECIAL_PARAMETER_PROOFS } from './special-parameters.ts';

const SLICED = ['limit', 'page', 'l', 'p'];

describe.each(PROFILES)('parameters of the %s service', (profile) => {
  const stage = useStarted(() => startCoverageStage(profile));

  for (const endpoint of endpointsServed(profile))
    describe(endpointTitle(endpoint), () => {
      for (const row of rowsFor(endpoint, 'query', profile))
        it(testNameOf(row), () => prove(stage, row, proofOf(row, endpoint.query)));
    });
});

function proofOf(row: CoverageRow, parameters: Readonly<Record<string, ParameterSpec>>): Proof {
  const [name = '', value] = row.name.split('=');
  const parameter = parameters[name] ?? { type: 'string' };
  return async (ask, stage) => {
    await prepare(row.endpoint, stage);
    const request = requestFor(row.endpoint, stage);
    const special = SPECIAL_PARAMETER_PROOFS[`${row.endpoint} ${name}`];
    if (special !== undefined) await special(ask, stage);
    else if (name === 'o')
      await claimOrganization(ask, request, stage.profile === 'live' || parameter.otherwise !== undefined);
    else if (SLICED.includes(name)) await claimSlice(ask, request, name, parameter);
    else await claimFilter(ask, request, name, value);
  };
}

/** Another organization is forbidden; a missing one is an error or taken from the key. */
async function claimOrganization(
  ask: SendRequest,
  request: CoverageRequest,
  assumed: boolean,
): Promise<void> {
  const status = async (query: QueryValues) =>
    (await ask({ ...request, query: { ...request.query, ...query } })).status;
  assertSame(await status({ o: 1 }), 403, 'the status of another organization');
  if (assumed) assertClaim((await status({ o: null })) < 300, 'it is not taken from the key');
  else assertRefused(await ask({ ...request, query: { ...request.query, o: null } }), 'o');
}

/** Slices the answer to the same request without it; values beyond its limits are refused. */
async function claimSlice(
  ask: SendRequest,
  request: CoverageRequest,
  name: string,
  { least = 0, most }: ParameterSpec,
) {
  const rows = async (query: QueryValues) =>
    itemsOf(await ask({ ...request, query: { ...request.query, ...query } }));
  const all = await rows({});
  const size = Math.max(1, Math.min(3, all.length - 1));
  if (name === 'limit' || name === 'l') {
    assertSame(await rows({ [name]: size }), all.slice(0, size), `${name}=${size}`);
  } else {
    assertSame(await rows({ limit: size, [name]: 1 }), all.slice(size, 2 * size), `${name}=1`);
    assertSame(await rows({ limit: size, [name]: 0 }), all.slice(0, size), `${name}=0`);
    assertSame(await rows({ limit: size, [name]: 999 }), [], 'a page past the end');
  }
  for (const wrong of [least - 1, ...(most === undefined ? [] : [most + 1]), 'many', 1.5])
    assertRefused(await ask({ ...request, query: { ...request.query, [name]: wrong } }), name);
  if (most === undefined) return;
  const whole = await rows({ [name]: most });
  assertSame(whole.slice(0, all.length), all, `${name}=${most}`);
}

/** Keeps exactly the matching rows, which are some and not all. */
async function claimFilter(
  ask: SendRequest,
  request: CoverageRequest,
  name: string,
  only?: string,
): Promise<void> {
  const filter = FILTER_PROOFS[request.endpoint]?.[name];
  if (filter === undefined) throw new Error(`Nothing says what ${name} of ${request.endpoint} does.`);
  const rows = async (query: QueryValues) =>
    itemsOf(await ask({ ...request, query: { ...request.query, ...query } }));
  const all = await rows({});
  for (const value of only === undefined ? filter.values : [only]) {
    const expected = all.filter((row) => filter.keeps(row, String(value)));
    assertClaim(expected.length > 0, `no row of the world has ${name}=${value}`);
    assertClaim(expected.length < all.length, `every row of the world has ${name}=${value}`);
    assertSame(ids(await rows({ [name]: value })), ids(expected), `${name}=${value}`);
  }
  if (filter.wrong !== undefined)
    assertRefused(await ask({ ...request, query: { ...request.query, [name]: filter.wrong } }), name);
}

function ids(rows: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] {
  return rows.map(({ id }) => id);
}
