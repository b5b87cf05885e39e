/** Parameters that neither slice nor filter. */

import { assertClaim, assertRefused, assertSame, itemsOf } from './claim.ts';
import type { Proof } from './coverage-harness.ts';
import { isObject } from './json-fields.ts';
import type { SendRequest } from './requester.ts';
import { DEVICE_CHANGE, DEVICE_ID, getOne, requestFor } from './sample-requests.ts';

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

export const SPECIAL_PARAMETER_PROOFS: Readonly<Record<string, Proof>> = {
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
