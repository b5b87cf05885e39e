/** Query parameters: what each one changes in the answer, its limits, and what holds without it. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { PROFILES, served, testOf, titleOf } from '../../../../src/sandbox/management/coverage/coverage.ts';
import type { Parameter, Row } from '../../../../src/sandbox/management/coverage/row.ts';
import type { Ask, Request, Values } from './ask.ts';
import { claim, claimRefused, claimSame, things } from './claim.ts';
import { FILTERS } from './filters.ts';
import { prepare, requestFor } from './requests.ts';
import { SPECIAL } from './special-parameters.ts';
import { type Proof, prove, rowsFor, type Stage, startStage } from './stage.ts';

const SLICED = ['limit', 'page', 'l', 'p'];

describe.each(PROFILES)('parameters of the %s service', (profile) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(profile);
  });
  afterAll(() => stage.stop());

  for (const endpoint of served(profile))
    describe(titleOf(endpoint), () => {
      for (const row of rowsFor(endpoint, 'query', profile))
        it(testOf(row), () => prove(stage, row, proofOf(row, endpoint.query)));
    });
});

function proofOf(row: Row, parameters: Readonly<Record<string, Parameter>>): Proof {
  const [name = '', value] = row.name.split('=');
  const parameter = parameters[name] ?? { type: 'string' };
  return async (ask, stage) => {
    await prepare(row.endpoint, stage);
    const request = requestFor(row.endpoint, stage);
    const special = SPECIAL[`${row.endpoint} ${name}`];
    if (special !== undefined) await special(ask, stage);
    else if (name === 'o') await claimOrganization(ask, request, parameter);
    else if (SLICED.includes(name)) await claimSlice(ask, request, name, parameter);
    else await claimFilter(ask, request, name, value);
  };
}

/** Somebody else's is forbidden; left out, it is asked for or taken from the key. */
async function claimOrganization(ask: Ask, request: Request, { otherwise }: Parameter): Promise<void> {
  const status = async (query: Values) =>
    (await ask({ ...request, query: { ...request.query, ...query } })).status;
  claimSame(await status({ o: 1 }), 403, 'the status of another organization');
  if (otherwise !== undefined) claim((await status({ o: null })) === 200, 'it is not taken from the key');
  else claimRefused(await ask({ ...request, query: { ...request.query, o: null } }), 'o');
}

/** Slices what the same request answers without it, and is refused beyond its limits. */
async function claimSlice(ask: Ask, request: Request, name: string, { least = 0, most }: Parameter) {
  const rows = async (query: Values) =>
    things(await ask({ ...request, query: { ...request.query, ...query } }));
  const all = await rows({});
  const size = Math.max(1, Math.min(3, all.length - 1));
  if (name === 'limit' || name === 'l') {
    claimSame(await rows({ [name]: size }), all.slice(0, size), `${name}=${size}`);
  } else {
    claimSame(await rows({ limit: size, [name]: 1 }), all.slice(size, 2 * size), `${name}=1`);
    claimSame(await rows({ limit: size, [name]: 0 }), all.slice(0, size), `${name}=0`);
    claimSame(await rows({ limit: size, [name]: 999 }), [], 'a page past the end');
  }
  for (const wrong of [least - 1, ...(most === undefined ? [] : [most + 1]), 'many', 1.5])
    claimRefused(await ask({ ...request, query: { ...request.query, [name]: wrong } }), name);
  if (most === undefined) return;
  const whole = await rows({ [name]: most });
  claimSame(whole.slice(0, all.length), all, `${name}=${most}`);
}

/** Keeps just those rows of the whole that the parameter speaks of, which are some and not all. */
async function claimFilter(ask: Ask, request: Request, name: string, only?: string): Promise<void> {
  const filter = FILTERS[request.endpoint]?.[name];
  if (filter === undefined) throw new Error(`Nothing says what ${name} of ${request.endpoint} does.`);
  const rows = async (query: Values) =>
    things(await ask({ ...request, query: { ...request.query, ...query } }));
  const all = await rows({});
  for (const value of only === undefined ? filter.values : [only]) {
    const expected = all.filter((row) => filter.keeps(row, String(value)));
    claim(expected.length > 0, `no row of the world has ${name}=${value}`);
    claim(expected.length < all.length, `every row of the world has ${name}=${value}`);
    claimSame(ids(await rows({ [name]: value })), ids(expected), `${name}=${value}`);
  }
  if (filter.wrong !== undefined)
    claimRefused(await ask({ ...request, query: { ...request.query, [name]: filter.wrong } }), name);
}

function ids(rows: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] {
  return rows.map(({ id }) => id);
}
