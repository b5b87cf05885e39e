/** Query parameters: the effect of each on the answer, its limits, and its default. */

import { describe, it } from 'vitest';
import { useStarted } from '../../../harness/use-started.ts';
import { type CoverageRow, PROFILES, rowsByEndpoint, testNameOf } from '../interface/coverage.ts';
import type { ParameterSpec } from '../interface/endpoints.ts';
import { DEVICE_CHANGE, DEVICE_ID, getOne, prepare, requestFor } from './sample-requests.ts';
import {
  assertClaim,
  assertRefused,
  assertSame,
  type CoverageRequest,
  isObject,
  itemsOf,
  type Json,
  type Proof,
  prove,
  type QueryValues,
  type SendRequest,
  startCoverageStage,
} from './stage.ts';

const SLICED = ['limit', 'page', 'l', 'p'];

describe.each(PROFILES)('parameters of the %s service', (profile) => {
  const stage = useStarted(() => startCoverageStage(profile));

  for (const { endpoint, title, rows } of rowsByEndpoint(['query'], profile))
    describe(title, () => {
      for (const row of rows) it(testNameOf(row), () => prove(stage, row, proofOf(row, endpoint.query)));
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

type FilterProof = {
  readonly values: readonly (string | number)[];
  readonly keeps: (row: Json, value: string) => boolean;
  /** Refused with an error about the parameter. */
  readonly wrong?: string | number;
};

/** Keeps rows whose field has the value. */
const same = (field: string, ...values: readonly number[]): FilterProof => ({
  values,
  keeps: (row, value) => String(row[field]) === value,
  wrong: 'some',
});

/** 0 and 1 split the rows; the live service refuses other values. */
const flag = (holds: (row: Json) => boolean): FilterProof => ({
  values: [0, 1],
  keeps: (row, value) => holds(row) === (value === '1'),
  wrong: 'true',
});

const listIn = (row: Json, field: string): readonly unknown[] => {
  const value = row[field];
  return Array.isArray(value) ? value : [];
};
const dayOf = ({ create_time }: Json) => String(create_time).slice(0, 10);
const shellOf = ({ detail }: Json) => (isObject(detail) ? String(detail['PS_VERSION']) : '');

const FILTER_PROOFS: Readonly<Record<string, Readonly<Record<string, FilterProof>>>> = {
  'GET /servers': {
    groupId: same('server_group_id', 3_112, 3_120),
    PS_VERSION: {
      values: ['5.1.20348.2652', '5.1.22621'],
      keeps: (row, value) => shellOf(row).startsWith(value),
    },
    pending: flag(({ pending }) => pending === true),
    patchStatus: { values: ['missing'], keeps: ({ patches }) => Number(patches) > 0, wrong: 'installed' },
    policyId: {
      values: [2_103, 2_104],
      keeps: (row, value) =>
        listIn(row, 'policy_status').some((entry) => isObject(entry) && String(entry['policy_id']) === value),
      wrong: 'some',
    },
    exception: flag(({ exception }) => exception === true),
    managed: flag((row) => listIn(row, 'policy_status').length > 0),
    needsAttention: flag(({ needs_attention: attention }) => attention === true),
  },
  'GET /events': {
    policyId: same('policy_id', 2_101, 2_103),
    serverId: same('server_id', 4_001, 4_004),
    userId: same('user_id', 701),
    eventName: { values: ['system.patch.failed'], keeps: ({ name }, value) => name === value },
    // Assumption (§4.9): a start day is included, an end day is not; the document says "after" and "before".
    startDate: {
      values: ['2026-03-05', '2026-02-20'],
      keeps: (row, value) => dayOf(row) >= value,
      wrong: '05.03.2026',
    },
    endDate: {
      values: ['2026-03-05', '2026-02-20'],
      keeps: (row, value) => dayOf(row) < value,
      wrong: 'yesterday',
    },
  },
};

const isFilled = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : isObject(value)
      ? Object.keys(value).length > 0
      : value !== null && value !== 0;

/** With 1 some rows have something in `field`; with 0, and without it, none has. */
const adds =
  (name: string, field: string): Proof =>
  async (ask) => {
    const filled = async (query: Readonly<Record<string, unknown>>) =>
      itemsOf(await ask({ endpoint: 'GET /servers', query })).some((row) => isFilled(row[field]));
    assertClaim(await filled({ [name]: 1 }), `${name}=1 adds no ${field}`);
    assertClaim(!(await filled({ [name]: 0 })), `${name}=0 adds ${field}`);
    assertClaim(!(await filled({})), `${field} is there unasked`);
    assertRefused(await ask({ endpoint: 'GET /servers', query: { [name]: 'true' } }), name);
  };

/** The count alone, of all events and of one name. */
const countOnly: Proof = async (ask) => {
  const events = (query: Readonly<Record<string, unknown>>) => ask({ endpoint: 'GET /events', query });
  for (const filter of [{}, { eventName: 'system.patch.failed' }]) {
    const { length } = itemsOf(await events(filter));
    assertClaim(length > 0 && length < 500, `${length} events are none, or more than a page`);
    assertSame(
      await events({ ...filter, countOnly: 1 }),
      { status: 200, body: { size: length, results: [] } },
      'it',
    );
  }
  assertClaim(itemsOf(await events({ countOnly: 0 })).length > 0, 'countOnly=0 counts');
  for (const wrong of [2, 'true']) assertRefused(await events({ countOnly: wrong }), 'countOnly');
};

/** §4.4 has the group in the query too. */
const groupInQuery: Proof = async (ask) => {
  const { server_group_id: _, ...body } = DEVICE_CHANGE;
  await ask({ endpoint: 'PUT /servers/{id}', id: DEVICE_ID, query: { server_group_id: 3_113 }, body });
  assertSame(await groupOf(ask), 3_113, 'the group');
};

async function groupOf(ask: SendRequest): Promise<unknown> {
  return (await getOne(ask, 'GET /servers/{id}', DEVICE_ID))['server_group_id'];
}

/** §4.6 gives its type and shows no effect: a number changes nothing, anything else is refused. */
const singleShell: Proof = async (ask) => {
  const read = (query: Readonly<Record<string, unknown>>) =>
    ask({ endpoint: 'GET /servers/{id}', id: DEVICE_ID, query });
  assertSame((await read({ PS_VERSION: 5 })).status, 200, 'the status with a number');
  assertRefused(await read({ PS_VERSION: 'five' }), 'PS_VERSION');
};

const FLEET_PACKAGES = 'GET /orgs/{id}/packages';

/** The value of `field` in the rows of a page, with each value of the parameter and without it. */
const splits =
  (name: string, field: string, expected: Readonly<Record<'with1' | 'with0' | 'without', string>>): Proof =>
  async (ask, stage) => {
    const values = async (query: Readonly<Record<string, unknown>>) => {
      const request = requestFor(FLEET_PACKAGES, stage);
      const rows = itemsOf(await ask({ ...request, query: { includeUnmanaged: 1, ...query } }));
      return [...new Set(rows.map((row) => row[field]))].toSorted().join();
    };
    assertSame(await values({ [name]: 1 }), expected.with1, `${name}=1`);
    assertSame(await values({ [name]: 0 }), expected.with0, `${name}=0`);
    assertSame(await values({ [name]: null }), expected.without, `without ${name}`);
    const wrong = await ask({ ...requestFor(FLEET_PACKAGES, stage), query: { [name]: 'true' } });
    assertRefused(wrong, name);
  };

const SPECIAL_PARAMETER_PROOFS: Readonly<Record<string, Proof>> = {
  'GET /servers/{id} PS_VERSION': singleShell,
  'GET /servers include_details': adds('include_details', 'detail'),
  'GET /servers include_server_events': adds('include_server_events', 'patch_deferral_count'),
  'GET /servers include_next_patch_time': adds('include_next_patch_time', 'next_patch_time'),
  'GET /servers exclude_policy_status': async (ask) => {
    const filled = async (query: Readonly<Record<string, unknown>>) =>
      itemsOf(await ask({ endpoint: 'GET /servers', query })).some((row) => isFilled(row['policy_status']));
    assertClaim(!(await filled({ exclude_policy_status: 1 })), 'it leaves nothing out');
    assertClaim(await filled({ exclude_policy_status: 0 }), 'it leaves out where it should not');
  },
  [`${FLEET_PACKAGES} awaiting`]: splits('awaiting', 'installed', {
    with1: 'false',
    with0: 'true',
    without: 'false,true',
  }),
  [`${FLEET_PACKAGES} includeUnmanaged`]: splits('includeUnmanaged', 'is_managed', {
    with1: 'false,true',
    with0: 'true',
    without: 'true',
  }),
  'GET /events countOnly': countOnly,
  'PUT /servers/{id} server_group_id': groupInQuery,
};
