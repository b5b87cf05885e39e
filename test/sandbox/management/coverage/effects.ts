/** Where each field of a body is read back. */
import { SECOND } from '../../../../src/clock.ts';
import type { Ask, Reply, Values } from './ask.ts';
import { claim, claimRefused, claimSame, things } from './claim.ts';
import { isObject, type Json, thingsIn } from './fields.ts';
import { DEVICE, GROUP, NEW_POLICY, one, POLICY, POLICY_CHANGE, queueOf, requestFor } from './requests.ts';
import type { Stage } from './stage.ts';

type Look = (ask: Ask, name: string, reply: Reply) => Promise<unknown>;

/** A group keeps what was said of WSUS in an object of its own. */
function inGroup(group: Json, name: string): unknown {
  const wsus = isObject(group['wsus_config']) ? group['wsus_config'] : {};
  if (name === 'enable_wsus') return wsus['is_managed'];
  return name === 'wsus_server' ? wsus['server_url'] : group[name];
}

/** By endpoint: the value of a field as it reads after the request. */
export const EFFECTS: Readonly<Record<string, Look>> = {
  'POST /servergroups': async (ask, name, reply) => {
    const id = Number(thingsIn(reply.body)[0]?.['id']);
    return inGroup(await one(ask, 'GET /servergroups/{id}', id), name);
  },
  'PUT /servergroups/{id}': async (ask, name) =>
    inGroup(await one(ask, 'GET /servergroups/{id}', GROUP), name),
  'PUT /servers/{id}': async (ask, name) => (await one(ask, 'GET /servers/{id}', DEVICE))[name],
  'POST /policies': async (ask, name) => {
    const policies = things(await ask({ endpoint: 'GET /policies' }));
    return policies.find((policy) => policy['name'] === NEW_POLICY['name'])?.[name];
  },
  'PUT /policies/{id}': async (ask, name) => (await one(ask, 'GET /policies/{id}', POLICY))[name],
};

type SpecialProof = (ask: Ask, stage: Stage, value?: string) => Promise<void>;

async function queued(ask: Ask, body: Values): Promise<Json> {
  const { status } = await ask({ endpoint: 'POST /servers/{id}/queues', id: DEVICE, body });
  claimSame(status, 201, 'the status');
  return (await queueOf(ask, DEVICE)).at(-1) ?? {};
}

/** Any policy of the organization stands for `{policy_id}`. */
const commandType: SpecialProof = async (ask, _stage, value = 'Reboot') => {
  const type = value.replace('{policy_id}', String(POLICY));
  const args = type === 'InstallUpdate' ? { args: 'KB5042881 GoogleChrome' } : {};
  claimSame((await queued(ask, { command_type_name: type, ...args }))['command_type_name'], type, 'the type');
};

const commandArgs: SpecialProof = async (ask) => {
  const args = 'KB5042881 GoogleChrome';
  claimSame((await queued(ask, { command_type_name: 'InstallUpdate', args }))['args'], args, 'args');
};

/** In samples only: when the command is due. */
const execTime: SpecialProof = async (ask) => {
  const entry = await queued(ask, { command_type_name: 'Reboot', exec_time: '2026-03-11T04:00:00+0000' });
  const time = String(entry['exec_time']);
  claimSame(time.slice(0, 19), '2026-03-11T04:00:00', 'exec_time');
};

/** One device, or every device of the policy. */
const action: SpecialProof = async (ask, stage, value) => {
  for (const word of value === undefined ? ['remediateServer', 'remediateAll'] : [value]) {
    stage.management.reset();
    const body = { action: word, serverId: DEVICE };
    claimSame(
      (await ask({ endpoint: 'POST /policies/{id}/action', id: POLICY, body })).status,
      201,
      'the status',
    );
    const devices = things(await ask({ endpoint: 'GET /servers', query: { policyId: POLICY } }));
    const queues = await Promise.all(devices.map(({ id }) => queueOf(ask, Number(id))));
    const busy = queues.filter((queue) => queue.length > 0).length;
    claimSame(busy, word === 'remediateAll' ? devices.length : 1, 'devices with the command');
  }
};

const actionServer: SpecialProof = async (ask, stage) => {
  const { status } = await ask(requestFor('POST /policies/{id}/action', stage));
  claimSame(status, 201, 'the status');
  claim((await queueOf(ask, DEVICE)).length === 1, 'the device has no command');
};

/** Tags are changed a moment after the answer. */
const batch: SpecialProof = async (ask, stage) => {
  const request = requestFor('POST /servers/batch', stage);
  const tagsAfter = async (verb: string) => {
    const actions = [{ attribute: 'tags', action: verb, value: ['till'] }];
    const body: Values = { ...request.body, actions };
    claimSame((await ask({ ...request, body })).status, 200, 'the status');
    await stage.clock.advance(10 * SECOND);
    return (await one(ask, 'GET /servers/{id}', DEVICE))['tags'];
  };
  claimSame(await tagsAfter('apply'), ['till'], 'the tags');
  claimSame(await tagsAfter('remove'), [], 'the tags');
};

/** Without its id in the body a policy is in the way of its own name. */
const policyId: SpecialProof = async (ask) => {
  const body: Values = { ...POLICY_CHANGE, name: 'Disable SMBv1' };
  claimSame((await ask({ endpoint: 'PUT /policies/{id}', id: POLICY, body })).status, 204, 'the status');
};

/** Named in the body, the organization must be the own one. */
const ofOrganization =
  (endpoint: string): SpecialProof =>
  async (ask, stage) => {
    const request = requestFor(endpoint, stage);
    const body: Values = { ...request.body, organization_id: 1 };
    claimSame((await ask({ ...request, body })).status, 403, 'the status of another organization');
  };

/** Only devices of these groups. */
const previewGroups: SpecialProof = async (ask, stage) => {
  const request = requestFor('POST /policies/device-filters-preview', stage);
  const body: Values = { ...request.body, server_groups: [GROUP] };
  const found = things(await ask({ ...request, query: { limit: 200 }, body }));
  const windows = things(await ask({ endpoint: 'GET /servers', query: { groupId: GROUP } }));
  claimSame(
    found.map(({ id }) => id),
    windows.map(({ id }) => id),
    'the devices',
  );
};

const filters: SpecialProof = async (ask, stage) => {
  const request = requestFor('POST /policies/device-filters-preview', stage);
  const body: Values = {
    ...request.body,
    device_filters: [{ field: 'os_family', op: 'like', value: ['Mac'] }],
  };
  claim((await ask(request)).status === 200, 'good filters are refused');
  claimRefused(await ask({ ...request, body }), 'device_filters');
};

export const SPECIAL_BODIES: Readonly<Record<string, SpecialProof>> = {
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
