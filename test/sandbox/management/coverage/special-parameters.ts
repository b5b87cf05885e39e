/** Parameters whose effect is neither a slice nor a filter. */
import type { Ask } from './ask.ts';
import { claim, claimRefused, claimSame, things } from './claim.ts';
import { isObject } from './fields.ts';
import { DEVICE, DEVICE_CHANGE, one } from './requests.ts';
import type { Proof } from './stage.ts';

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isObject(value) ? Object.keys(value).length > 0 : value !== null;

/** With 1 some rows have something in `field`; with 0, and without it, none has. */
const adds =
  (name: string, field: string): Proof =>
  async (ask) => {
    const filled = async (query: Readonly<Record<string, unknown>>) =>
      things(await ask({ endpoint: 'GET /servers', query })).some((row) => isFilled(row[field]));
    claim(await filled({ [name]: 1 }), `${name}=1 adds no ${field}`);
    claim(!(await filled({ [name]: 0 })), `${name}=0 adds ${field}`);
    claim(!(await filled({})), `${field} is there unasked`);
    claimRefused(await ask({ endpoint: 'GET /servers', query: { [name]: 'true' } }), name);
  };

/** The total alone, of all events and of one name. */
const countOnly: Proof = async (ask) => {
  const events = (query: Readonly<Record<string, unknown>>) => ask({ endpoint: 'GET /events', query });
  for (const filter of [{}, { eventName: 'system.patch.failed' }]) {
    const { length } = things(await events(filter));
    claim(length > 0 && length < 500, `${length} events are none, or more than a page`);
    claimSame(
      await events({ ...filter, countOnly: 1 }),
      { status: 200, body: { size: length, results: [] } },
      'it',
    );
  }
  claim(things(await events({ countOnly: 0 })).length > 0, 'countOnly=0 counts');
  for (const wrong of [2, 'true']) claimRefused(await events({ countOnly: wrong }), 'countOnly');
};

/** §4.4 has the group in the query too. */
const groupInQuery: Proof = async (ask) => {
  const { server_group_id: _, ...body } = DEVICE_CHANGE;
  await ask({ endpoint: 'PUT /servers/{id}', id: DEVICE, query: { server_group_id: 3_113 }, body });
  claimSame(await groupOf(ask), 3_113, 'the group');
};

async function groupOf(ask: Ask): Promise<unknown> {
  return (await one(ask, 'GET /servers/{id}', DEVICE))['server_group_id'];
}

/** §4.6 gives its type and shows no effect: a number changes nothing, anything else is refused. */
const singleShell: Proof = async (ask) => {
  const read = (query: Readonly<Record<string, unknown>>) =>
    ask({ endpoint: 'GET /servers/{id}', id: DEVICE, query });
  claimSame((await read({ PS_VERSION: 5 })).status, 200, 'the status with a number');
  claimRefused(await read({ PS_VERSION: 'five' }), 'PS_VERSION');
};

export const SPECIAL: Readonly<Record<string, Proof>> = {
  'GET /servers/{id} PS_VERSION': singleShell,
  'GET /servers include_details': adds('include_details', 'detail'),
  'GET /servers include_next_patch_time': adds('include_next_patch_time', 'next_patch_time'),
  'GET /servers exclude_policy_status': async (ask) => {
    const filled = async (query: Readonly<Record<string, unknown>>) =>
      things(await ask({ endpoint: 'GET /servers', query })).some((row) => isFilled(row['policy_status']));
    claim(!(await filled({ exclude_policy_status: 1 })), 'it leaves nothing out');
    claim(await filled({ exclude_policy_status: 0 }), 'it leaves out where it should not');
  },
  'GET /events countOnly': countOnly,
  'PUT /servers/{id} server_group_id': groupInQuery,
};
