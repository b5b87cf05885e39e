/** `GET /servers` (§4.5), `GET`, `PUT` and `DELETE /servers/{id}` (§4.6, §4.4, §4.10), and `POST /servers/batch`. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { later, MINUTE, SECOND } from '../../../lib/clock.ts';
import { addDevice, removeDevice } from '../world/actions.ts';
import { covers, hasPending, isConnected, needsAttention, policiesOf } from '../world/devices.ts';
import type { WorldDevice, WorldPolicy } from '../world/model.ts';
import { uuidOf } from '../world/random.ts';
import { deviceJson } from './device-json.ts';
import {
  booleanField,
  type Call,
  deviceOf,
  flagParameter,
  idParameter,
  integerField,
  limitParameter,
  listField,
  noContentResponse,
  oneOfField,
  PageQuery,
  pageParameter,
  parseBody,
  parseQuery,
  plainErrorResponse,
  requireGroups,
  slicePage,
  textField,
} from './requests.ts';
import { deviceTime } from './time-formats.ts';

const ListQuery = PageQuery.extend({
  l: limitParameter('l'),
  p: pageParameter('p'),
  groupId: idParameter('groupId'),
  PS_VERSION: z.string().optional(),
  pending: flagParameter('pending'),
  patchStatus: z.literal('missing', 'The selected patchStatus is invalid.').optional(),
  policyId: idParameter('policyId'),
  exception: flagParameter('exception'),
  managed: flagParameter('managed'),
  needsAttention: flagParameter('needsAttention'),
});

/** Newer than the document: a profile without them ignores them like any unknown parameter. */
const Switches = z.object({
  include_details: flagParameter('include_details'),
  include_server_events: flagParameter('include_server_events'),
  include_next_patch_time: flagParameter('include_next_patch_time'),
  exclude_policy_status: flagParameter('exclude_policy_status'),
});

export function listServers(call: Call): Response {
  const query = parseQuery(call, ListQuery);
  const switches = call.profile.listSwitches ? parseQuery(call, Switches) : {};
  const devices = testsOf(call, query).reduce(
    (remaining, test) => remaining.filter(test),
    call.world.devices.values(),
  );
  const page = slicePage(devices, { limit: query.limit ?? query.l, page: query.page ?? query.p });
  const view = { ...call, totalCount: devices.length, list: switches };
  return Response.json(page.map((device) => deviceJson(device, view)));
}

type Test = (device: WorldDevice) => boolean;

/** Only the requested filters, and nothing is allocated per device: the fleet may be large. */
function testsOf({ world, now }: Call, query: z.output<typeof ListQuery>): readonly Test[] {
  const { groupId, policyId, managed, exception, patchStatus, pending, PS_VERSION: shell } = query;
  const groupsWhere = (suits: (linked: readonly WorldPolicy[]) => boolean) =>
    new Set([...world.groups.keys()].filter((id) => suits(policiesOf(world, { groupId: id }))));
  const tests: Test[] = [];
  if (groupId !== undefined) tests.push((device) => device.groupId === groupId);
  if (policyId !== undefined) {
    const policy = world.policies.get(policyId);
    const under = groupsWhere((linked) => linked.some(({ id }) => id === policyId));
    tests.push((device) => policy !== undefined && under.has(device.groupId) && covers(policy, device));
  }
  if (managed !== undefined) {
    const ruled = groupsWhere((linked) => linked.length > 0);
    tests.push((device) => ruled.has(device.groupId) === managed);
  }
  if (exception !== undefined) tests.push((device) => device.exception === exception);
  // Any patch that is not installed, including ignored and deferred ones.
  if (patchStatus === 'missing') tests.push((device) => device.missing.size > 0);
  if (query.needsAttention !== undefined)
    tests.push((device) => needsAttention(device, now) === query.needsAttention);
  // The whole version or its first parts: §4.5 has it as text, §4.6 as an integer.
  if (shell !== undefined)
    tests.push(({ platform: { shell: own } }) => own === shell || (own?.startsWith(`${shell}.`) ?? false));
  if (pending !== undefined) tests.push((device) => hasPending(device, now) === pending);
  return tests;
}

/** §4.6 has `PS_VERSION` as an integer and shows no effect of it on a device that is read by id. */
const SingleQuery = z.object({ PS_VERSION: idParameter('PS_VERSION') });

export function getServer(call: Call): Response {
  parseQuery(call, SingleQuery);
  const json = deviceJson(deviceOf(call), { ...call, totalCount: 1, list: null });
  return Response.json(call.profile.singleDevice === 'array' ? [json] : json);
}

/** The document's parameter list has the group in the query, its samples in the body. */
const EditQuery = z.object({ server_group_id: idParameter('server_group_id') });

const IP_ADDRS = 'The ip_addrs must be valid IP addresses.';

const EditBody = z.object({
  server_group_id: integerField('server_group_id').optional(),
  exception: booleanField('exception').optional(),
  tags: listField('tags', textField('tags')).optional(),
  custom_name: textField('custom_name').nullish(),
  // Text in the document's parameter list, separated by commas or spaces; a list in the sample.
  ip_addrs: z
    .union(
      [z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean)), z.array(z.string())],
      IP_ADDRS,
    )
    .refine((addresses) => addresses.every((address) => isIP(address) !== 0), IP_ADDRS)
    .optional(),
});

/**
 * §4.4: the content type is required, and a wrong one is a bad request: the service has no 415.
 * Assumption (§4.4, in practice 7): what a request leaves out stays as it is. The vendor's own clients send only what
 * they change, although newer descriptions require the group and the exception.
 */
export function updateDevice(call: Call): Response {
  const device = deviceOf(call);
  if (!/^application\/json\s*(;|$)/i.test(call.contentType ?? ''))
    return plainErrorResponse(400, 'The Content-Type must be application/json.');
  // Assumption (§4.4): where both name a group, the body counts.
  const edit = {
    ...parseQuery(call, EditQuery),
    ...parseBody({ text: call.text === '' ? '{}' : call.text }, EditBody),
  };
  if (edit.server_group_id !== undefined) {
    requireGroups(call, [edit.server_group_id]);
    call.world.devices.move(device, edit.server_group_id);
  }
  if (edit.exception !== undefined) device.exception = edit.exception;
  if (edit.tags !== undefined) device.tags = [...new Set(edit.tags)];
  // An empty name removes the custom name.
  if (edit.custom_name !== undefined) device.customName = edit.custom_name === '' ? null : edit.custom_name;
  if (edit.ip_addrs !== undefined) device.addresses = edit.ip_addrs;
  return noContentResponse();
}

/** The document does not say when an agent registers again. */
const REGISTERS_AGAIN_MS = 15 * MINUTE;

/**
 * Irreversible; its queued commands go too.
 * Assumption (§4.10, in practice 9): the agent of a device that is online registers again a little later, as another
 * device in the Default group.
 */
export function deleteDevice(call: Call): Response {
  const { world, clock, now } = call;
  const device = deviceOf(call);
  call.commands.forget(device);
  removeDevice(world, device, now);
  const { name, platform } = device;
  if (isConnected(device))
    call.timers.at(later(now, REGISTERS_AGAIN_MS), () => addDevice(world, name, clock.now(), platform));
  return noContentResponse();
}

/** "In practice" 1 and 7. */
const DEVICES_MAX = 500;

/** Long enough that a client that does not wait sees the old tags. */
const DELAY_MS = 3 * SECOND;

const BatchBody = z.object({
  devices: listField('devices', integerField('devices'))
    .min(1, 'The devices field is required.')
    .max(DEVICES_MAX, `The devices may not have more than ${DEVICES_MAX} items.`),
  actions: listField(
    'actions',
    z.object(
      {
        attribute: oneOfField('attribute', ['tags']),
        action: oneOfField('action', ['apply', 'remove']),
        value: listField('value', textField('value')),
      },
      'Each of the actions must be an object.',
    ),
  ).min(1, 'The actions field is required.'),
});

/**
 * Changes the tags of many devices after a moment (live only; "in practice" 7): 200 with the job, and nothing is done yet.
 * The actions count in their order.
 * Assumption (in practice 7): ids without a device are counted and have no effect.
 */
export function startBatch(call: Call): Response {
  const { devices, actions } = parseBody(call, BatchBody);
  const { world, now } = call;
  call.timers.at(later(now, DELAY_MS), () => {
    for (const device of devices.flatMap((id) => world.devices.get(id) ?? []))
      for (const { action, value } of actions)
        device.tags =
          action === 'apply'
            ? [...new Set([...device.tags, ...value])]
            : device.tags.filter((tag) => !value.includes(tag));
  });
  return Response.json({
    id: uuidOf(`batch ${world.nextJobId++}`),
    total_jobs: devices.length,
    pending_jobs: devices.length,
    processed_jobs: 0,
    progress: 0,
    failed_jobs: 0,
    created_at: deviceTime(now),
    cancelled_at: null,
    finished_at: null,
  });
}
