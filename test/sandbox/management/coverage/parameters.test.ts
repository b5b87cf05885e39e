/**
 * Query parameters: the effect of each on the answer, its limits, and its default. Body fields: each has its effect
 * when read back, and is refused when invalid.
 */
import { describe, it } from 'vitest';
import { SECOND } from '../../../../src/lib/clock.ts';
import { useStarted } from '../../../harness/use-started.ts';
import { type CoverageRow, PROFILES, rowsByEndpoint, testNameOf } from '../interface/coverage.ts';
import type { ParameterSpec, ParameterSpecs, ProfileName } from '../interface/endpoints.ts';
import {
  DEVICE_CHANGE,
  DEVICE_ID,
  EVERY_GROUP,
  GROUP_ID,
  getOne,
  NEW_POLICY,
  POLICY_CHANGE,
  POLICY_ID,
  prepare,
  queueOf,
  requestFor,
} from './sample-requests.ts';
import {
  assertClaim,
  assertRefused,
  assertSame,
  type CoverageReply,
  type CoverageRequest,
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

describe.each(PROFILES)('bodies of the %s service', (profile) => {
  const stage = useStarted(() => startCoverageStage(profile));

  for (const { endpoint, title, rows } of rowsByEndpoint(['body'], profile))
    describe(title, () => {
      for (const row of rows) it(testNameOf(row), () => prove(stage, row, proofOfField(row, endpoint.body)));
    });
});

function proofOfField(row: CoverageRow, parameters: ParameterSpecs = {}): Proof {
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
