/** A successful request for every endpoint, and its effect on the object that the path names. */

import type { CoverageRequest, CoverageStage, QueryValues, SendRequest } from './stage.ts';
import { assertClaim, assertSame, isObject, itemsOf, type Json } from './stage.ts';

/** `win-ts-01`: Windows, with a logged-in user and missing patches. */
export const DEVICE_ID = 4_004;
/** "Windows servers", with an update server. */
export const GROUP_ID = 3_112;
/** A Worklet. */
export const POLICY_ID = 2_103;
const TOP = 3_100;
const ORGANIZATION = 102_270;

const NEW_GROUP: QueryValues = {
  name: 'Branch offices',
  refresh_interval: 720,
  parent_server_group_id: TOP,
  ui_color: '#BD0FE1',
  notes: 'Seldom online.',
  enable_os_auto_update: true,
  enable_wsus: true,
  wsus_server: 'http://branch.example.com:8530',
  policies: [2_101],
};
export const DEVICE_CHANGE: QueryValues = {
  server_group_id: 3_140,
  exception: true,
  tags: ['till', 'ground floor'],
  custom_name: 'Till 4',
  ip_addrs: ['203.0.113.77'],
};
export const NEW_POLICY: QueryValues = {
  organization_id: ORGANIZATION,
  name: 'Patch the tills',
  policy_type_name: 'patch',
  configuration: { patch_rule: 'filter', filter_type: 'severity', auto_patch: true },
  schedule_days: 62,
  schedule_weeks_of_month: 62,
  schedule_months: 8_190,
  schedule_time: '03:30',
  use_scheduled_timezone: true,
  scheduled_timezone: 'UTC+0100',
  notes: 'On workdays.',
  server_groups: [3_140],
};
/** A policy cannot change its type. */
export const POLICY_CHANGE: QueryValues = {
  id: POLICY_ID,
  ...NEW_POLICY,
  policy_type_name: 'custom',
  configuration: { os_family: 'Mac', evaluation_code: 'exit 1', remediation_code: 'exit 0' },
};
export const EVERY_GROUP = [3_100, 3_110, 3_111, 3_112, 3_113, 3_120, 3_121, 3_122, 3_130, 3_131, 3_140];
export const ALL_WINDOWS: QueryValues = {
  device_filters: [{ field: 'os_family', op: 'in', value: ['Windows'] }],
  server_groups: EVERY_GROUP,
};

const ONE_ENTRY = 'GET /servers/{id}/queues/{entry}';
/** The first queue entry of a world. */
const ENTRY = 900_001;

const REQUESTS: Readonly<Record<string, Omit<CoverageRequest, 'endpoint'>>> = {
  'POST /servergroups': { body: NEW_GROUP },
  'POST /policies/device-filters-preview': { body: ALL_WINDOWS },
  'POST /servers/{id}/queues': { id: DEVICE_ID, body: { command_type_name: 'Reboot' } },
  'PUT /servers/{id}': { id: DEVICE_ID, body: DEVICE_CHANGE },
  'GET /servers/{id}': { id: DEVICE_ID },
  'GET /servers/{id}/packages': { id: DEVICE_ID },
  'GET /servers/{id}/queues': { id: DEVICE_ID },
  [ONE_ENTRY]: { id: DEVICE_ID, entry: ENTRY },
  'GET /servergroups/{id}': { id: GROUP_ID },
  'PUT /servergroups/{id}': { id: GROUP_ID, body: NEW_GROUP },
  'DELETE /servergroups/{id}': { id: GROUP_ID },
  'DELETE /servers/{id}': { id: DEVICE_ID },
  'GET /orgs/{id}/packages': { id: ORGANIZATION },
  'GET /policies/{id}': { id: POLICY_ID },
  'POST /policies': { body: NEW_POLICY },
  'PUT /policies/{id}': { id: POLICY_ID, body: POLICY_CHANGE },
  'POST /policies/{id}/action': { id: POLICY_ID, body: { action: 'remediateServer', serverId: DEVICE_ID } },
  'POST /servers/batch': {
    body: { devices: [DEVICE_ID], actions: [{ attribute: 'tags', action: 'apply', value: ['till'] }] },
  },
};

export function requestFor(endpoint: string, { profile }: Pick<CoverageStage, 'profile'>): CoverageRequest {
  // Lists of the live service include details only on request.
  const requests = endpoint === 'GET /servers' && profile === 'live';
  const query = requests ? { query: { include_details: 1, include_next_patch_time: 1 } } : {};
  return { endpoint, ...query, ...REQUESTS[endpoint] };
}

export async function prepare(endpoint: string, stage: CoverageStage): Promise<void> {
  // Leaves one device without missing patches.
  if (endpoint === 'GET /servers') stage.management.world({ do: 'patch-applies', device: 'desk-01' });
  if (endpoint === 'GET /servers/{id}/queues' || endpoint === ONE_ENTRY)
    await stage.ask({
      ...requestFor('POST /servers/{id}/queues', stage),
      endpoint: 'POST /servers/{id}/queues',
    });
}

export async function getOne(ask: SendRequest, endpoint: string, id: number): Promise<Json> {
  const [found] = itemsOf(await ask({ endpoint, id }));
  assertClaim(found !== undefined, `${endpoint} answers nothing`);
  return found ?? {};
}

export async function queueOf(ask: SendRequest, id: number): Promise<readonly Json[]> {
  return itemsOf(await ask({ endpoint: 'GET /servers/{id}/queues', id }));
}

type Effect = (ask: SendRequest, stage: CoverageStage) => Promise<void>;

const answersAbout =
  (endpoint: string, key: string, id: number): Effect =>
  async (ask, stage) => {
    const rows = itemsOf(await ask(requestFor(endpoint, stage)));
    assertClaim(rows.length > 0, 'the answer is empty');
    for (const row of rows) assertSame(row[key], id, key);
  };

/** Sends the request, then reads the object that its path names. */
const afterwards =
  (endpoint: string, look: (ask: SendRequest) => Promise<void>): Effect =>
  async (ask, stage) => {
    await ask(requestFor(endpoint, stage));
    await look(ask);
  };

/** By endpoint: proofs that the path's `id` selects the object. */
export const ANSWERS_ABOUT: Readonly<Record<string, Effect>> = {
  'GET /servers/{id}': answersAbout('GET /servers/{id}', 'id', DEVICE_ID),
  'GET /servers/{id}/packages': answersAbout('GET /servers/{id}/packages', 'server_id', DEVICE_ID),
  'GET /servers/{id}/queues': answersAbout('GET /servers/{id}/queues', 'server_id', DEVICE_ID),
  [ONE_ENTRY]: answersAbout(ONE_ENTRY, 'id', ENTRY),
  'GET /servergroups/{id}': answersAbout('GET /servergroups/{id}', 'id', GROUP_ID),
  'GET /policies/{id}': answersAbout('GET /policies/{id}', 'id', POLICY_ID),
  'GET /orgs/{id}/packages': async (ask, stage) => {
    const request = requestFor('GET /orgs/{id}/packages', stage);
    assertSame((await ask({ ...request, id: ORGANIZATION + 1 })).status, 403, 'another organization');
    assertClaim(itemsOf(await ask(request)).length > 0, 'the answer is empty');
  },
  'POST /servers/{id}/queues': afterwards('POST /servers/{id}/queues', async (ask) => {
    assertSame((await queueOf(ask, DEVICE_ID)).length, 1, 'the queue');
  }),
  'PUT /servers/{id}': afterwards('PUT /servers/{id}', async (ask) => {
    assertSame((await getOne(ask, 'GET /servers/{id}', DEVICE_ID))['custom_name'], 'Till 4', 'the name');
  }),
  'DELETE /servers/{id}': afterwards('DELETE /servers/{id}', async (ask) => {
    assertSame((await ask({ endpoint: 'GET /servers/{id}', id: DEVICE_ID })).status, 404, 'the device');
  }),
  'PUT /servergroups/{id}': afterwards('PUT /servergroups/{id}', async (ask) => {
    assertSame(
      (await getOne(ask, 'GET /servergroups/{id}', GROUP_ID))['name'],
      NEW_GROUP['name'],
      'the name',
    );
  }),
  'DELETE /servergroups/{id}': afterwards('DELETE /servergroups/{id}', async (ask) => {
    assertSame((await ask({ endpoint: 'GET /servergroups/{id}', id: GROUP_ID })).status, 403, 'the group');
  }),
  'PUT /policies/{id}': afterwards('PUT /policies/{id}', async (ask) => {
    assertSame((await getOne(ask, 'GET /policies/{id}', POLICY_ID))['name'], NEW_POLICY['name'], 'the name');
  }),
  'POST /policies/{id}/action': afterwards('POST /policies/{id}/action', async (ask) => {
    const types = (await queueOf(ask, DEVICE_ID)).map((entry) => entry['command_type_name']);
    assertSame(types, [`policy_${POLICY_ID}_remediate`], 'the queue');
  }),
};

/** Errors without a field: `{"errors": ["…"]}`. */
export function isPlainError(body: unknown): boolean {
  const errors = isObject(body) ? body['errors'] : null;
  return Array.isArray(errors) && errors.length > 0 && errors.every((error) => typeof error === 'string');
}
