/** Body fields: each has its effect when read back, and is refused when invalid. */

import { describe, it } from 'vitest';
import { SECOND } from '../../../../src/lib/clock.ts';
import { useStarted } from '../../../harness/use-started.ts';
import { type CoverageRow, PROFILES, rowsByEndpoint, testNameOf } from '../interface/coverage.ts';
import type { ParameterSpec, ParameterSpecs, ProfileName } from '../interface/endpoints.ts';
import {
  DEVICE_ID,
  EVERY_GROUP,
  GROUP_ID,
  getOne,
  NEW_POLICY,
  POLICY_CHANGE,
  POLICY_ID,
  queueOf,
  requestFor,
} from './sample-requests.ts';
import {
  assertClaim,
  assertRefused,
  assertSame,
  type CoverageReply,
  type CoverageStage,
  isObject,
  itemsIn,
  itemsOf,
  type Json,
  type Proof,
  prove,
  type QueryValues,
  type SendRequest,
  startCoverageStage,
} from './stage.ts';

describe.each(PROFILES)('bodies of the %s service', (profile) => {
  const stage = useStarted(() => startCoverageStage(profile));

  for (const { endpoint, title, rows } of rowsByEndpoint(['body'], profile))
    describe(title, () => {
      for (const row of rows) it(testNameOf(row), () => prove(stage, row, proofOf(row, endpoint.body)));
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

type Look = (ask: SendRequest, name: string, reply: CoverageReply) => Promise<unknown>;

/** A group stores WSUS settings in an object of its own. */
function inGroup(group: Json, name: string): unknown {
  const wsus = isObject(group['wsus_config']) ? group['wsus_config'] : {};
  if (name === 'enable_wsus') return wsus['is_managed'];
  return name === 'wsus_server' ? wsus['server_url'] : group[name];
}

/** By endpoint: the value of a field when read after the request. */
const BODY_EFFECTS: Readonly<Record<string, Look>> = {
  'POST /servergroups': async (ask, name, reply) => {
    const id = Number(itemsIn(reply.body)[0]?.['id']);
    return inGroup(await getOne(ask, 'GET /servergroups/{id}', id), name);
  },
  'PUT /servergroups/{id}': async (ask, name) =>
    inGroup(await getOne(ask, 'GET /servergroups/{id}', GROUP_ID), name),
  'PUT /servers/{id}': async (ask, name) => (await getOne(ask, 'GET /servers/{id}', DEVICE_ID))[name],
  'POST /policies': async (ask, name) => {
    const policies = itemsOf(await ask({ endpoint: 'GET /policies' }));
    return policies.find((policy) => policy['name'] === NEW_POLICY['name'])?.[name];
  },
  'PUT /policies/{id}': async (ask, name) => (await getOne(ask, 'GET /policies/{id}', POLICY_ID))[name],
};

type SpecialProof = (ask: SendRequest, stage: CoverageStage, value?: string) => Promise<void>;

async function queued(ask: SendRequest, body: QueryValues): Promise<Json> {
  const { status } = await ask({ endpoint: 'POST /servers/{id}/queues', id: DEVICE_ID, body });
  assertSame(status, 201, 'the status');
  return (await queueOf(ask, DEVICE_ID)).at(-1) ?? {};
}

/** `{policy_id}` is replaced by any policy of the organization. */
const commandType: SpecialProof = async (ask, _stage, value = 'Reboot') => {
  const type = value.replace('{policy_id}', String(POLICY_ID));
  const args = type === 'InstallUpdate' ? { args: 'KB5042881 GoogleChrome' } : {};
  assertSame(
    (await queued(ask, { command_type_name: type, ...args }))['command_type_name'],
    type,
    'the type',
  );
};

const commandArgs: SpecialProof = async (ask) => {
  const args = 'KB5042881 GoogleChrome';
  assertSame((await queued(ask, { command_type_name: 'InstallUpdate', args }))['args'], args, 'args');
};

/** In samples only: when the command is due. */
const execTime: SpecialProof = async (ask) => {
  const entry = await queued(ask, { command_type_name: 'Reboot', exec_time: '2026-03-11T04:00:00+0000' });
  const time = String(entry['exec_time']);
  assertSame(time.slice(0, 19), '2026-03-11T04:00:00', 'exec_time');
};

/** One device, or every device of the policy. */
const action: SpecialProof = async (ask, stage, value) => {
  for (const word of value === undefined ? ['remediateServer', 'remediateAll'] : [value]) {
    stage.management.reset();
    const body = { action: word, serverId: DEVICE_ID };
    assertSame(
      (await ask({ endpoint: 'POST /policies/{id}/action', id: POLICY_ID, body })).status,
      201,
      'the status',
    );
    const devices = itemsOf(await ask({ endpoint: 'GET /servers', query: { policyId: POLICY_ID } }));
    const queues = await Promise.all(devices.map(({ id }) => queueOf(ask, Number(id))));
    const busy = queues.filter((queue) => queue.length > 0).length;
    assertSame(busy, word === 'remediateAll' ? devices.length : 1, 'devices with the command');
  }
};

const actionServer: SpecialProof = async (ask, stage) => {
  const { status } = await ask(requestFor('POST /policies/{id}/action', stage));
  assertSame(status, 201, 'the status');
  assertClaim((await queueOf(ask, DEVICE_ID)).length === 1, 'the device has no command');
};

/** Tags change a moment after the answer. */
const batch: SpecialProof = async (ask, stage) => {
  const request = requestFor('POST /servers/batch', stage);
  const tagsAfter = async (verb: string) => {
    const actions = [{ attribute: 'tags', action: verb, value: ['till'] }];
    const body: QueryValues = { ...request.body, actions };
    assertSame((await ask({ ...request, body })).status, 200, 'the status');
    await stage.clock.advance(10 * SECOND);
    return (await getOne(ask, 'GET /servers/{id}', DEVICE_ID))['tags'];
  };
  assertSame(await tagsAfter('apply'), ['till'], 'the tags');
  assertSame(await tagsAfter('remove'), [], 'the tags');
};

/** Without its id in the body, a policy's own name counts as taken. */
const policyId: SpecialProof = async (ask) => {
  const body: QueryValues = { ...POLICY_CHANGE, name: 'Disable SMBv1' };
  assertSame((await ask({ endpoint: 'PUT /policies/{id}', id: POLICY_ID, body })).status, 204, 'the status');
};

/** An organization in the body must be the key's own. */
const ofOrganization =
  (endpoint: string): SpecialProof =>
  async (ask, stage) => {
    const request = requestFor(endpoint, stage);
    const body: QueryValues = { ...request.body, organization_id: 1 };
    assertSame((await ask({ ...request, body })).status, 403, 'the status of another organization');
  };

/** Only devices of these groups. */
const previewGroups: SpecialProof = async (ask, stage) => {
  const request = requestFor('POST /policies/device-filters-preview', stage);
  const body: QueryValues = { ...request.body, server_groups: [GROUP_ID] };
  const found = itemsOf(await ask({ ...request, query: { limit: 200 }, body }));
  const windows = itemsOf(await ask({ endpoint: 'GET /servers', query: { groupId: GROUP_ID } }));
  assertSame(
    found.map(({ id }) => id),
    windows.map(({ id }) => id),
    'the devices',
  );
};

const filters: SpecialProof = async (ask, stage) => {
  const request = requestFor('POST /policies/device-filters-preview', stage);
  const body: QueryValues = {
    ...request.body,
    device_filters: [{ field: 'os_family', op: 'like', value: ['Mac'] }],
  };
  assertClaim((await ask(request)).status === 200, 'good filters are refused');
  assertRefused(await ask({ ...request, body }), 'device_filters');
};

const SPECIAL_BODY_PROOFS: Readonly<Record<string, SpecialProof>> = {
  'POST /servers/{id}/queues command_type_name': commandType,
  'POST /servers/{id}/queues args': commandArgs,
  'POST /servers/{id}/queues exec_time': execTime,
  'POST /policies/{id}/action action': action,
  'POST /policies/{id}/action serverId': actionServer,
  'POST /servers/batch devices': batch,
  'POST /servers/batch actions': batch,
  'PUT /policies/{id} id': policyId,
  'POST /policies organization_id': ofOrganization('POST /policies'),
  'PUT /policies/{id} organization_id': ofOrganization('PUT /policies/{id}'),
  'POST /policies/device-filters-preview server_groups': previewGroups,
  'POST /policies/device-filters-preview device_filters': filters,
};

type Field = { readonly values: readonly string[]; readonly of: (device: Json) => readonly unknown[] };

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const FIELDS: Readonly<Record<string, Field>> = {
  os_family: { values: ['Windows', 'Mac'], of: ({ os_family: family }) => [family] },
  os_version_id: { values: ['5103'], of: ({ os_version_id: id }) => [String(id)] },
  ip_addr: {
    values: ['203.0.113.1'],
    // Assumption (§2.9): public and private addresses alike.
    of: (device) => [...list(device['ip_addrs']), ...list(device['ip_addrs_private'])],
  },
  tag: { values: ['produc', 'nowhere'], of: ({ tags }) => list(tags) },
  hostname: { values: ['WEB', 'kiosk'], of: ({ name }) => [name] },
  organizational_unit: { values: ['ou=servers'], of: ({ organizational_unit: unit }) => [unit] },
  serial_number: { values: ['PF3DUP'], of: ({ serial_number: serial }) => [serial] },
};

function takesIn(op: string, own: readonly unknown[], values: readonly string[]): boolean {
  const texts = own.map((value) => String(value).toLowerCase());
  const found = values
    .map((value) => value.toLowerCase())
    .some((value) => texts.some((text) => (op.endsWith('in') ? text === value : text.includes(value))));
  return op.startsWith('not') ? !found : found;
}

/** The live service spells it with an underscore. */
function spelled(op: string, profile: ProfileName): string {
  return op === 'not in' && profile === 'live' ? 'not_in' : op;
}

/** The proof of `hostname like_any` and the like. */
function proofOfClause(clause: string): Proof {
  const [name = '', ...words] = clause.split(' ');
  const op = words.join(' ');
  return async (ask, { profile }) => {
    const field = FIELDS[name];
    if (field === undefined) throw new Error(`Nothing says what ${name} looks at.`);
    const all = itemsOf(await ask({ endpoint: 'GET /servers' }));
    const expected = all.filter((device) => takesIn(op, field.of(device), field.values)).map(({ id }) => id);
    assertClaim(expected.length > 0 && expected.length < all.length, `${clause} takes in ${expected.length}`);
    const body = {
      device_filters: [{ field: name, op: spelled(op, profile), value: field.values }],
      server_groups: EVERY_GROUP,
    };
    const reply = await ask({
      endpoint: 'POST /policies/device-filters-preview',
      query: { limit: 200 },
      body,
    });
    assertSame(
      itemsOf(reply).map(({ id }) => id),
      expected,
      clause,
    );
  };
}
