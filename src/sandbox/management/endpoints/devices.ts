/** `GET /servers` (§4.5) and `GET /servers/{id}` (§4.6). */

import { isIP } from 'node:net';
import { z } from 'zod';
import { type Instant, later, MINUTE, SECOND } from '../../../lib/clock.ts';
import { isConnected } from '../world/devices.ts';
import type { WorldDevice } from '../world/model.ts';
import { listDevices, type WorldDeviceQuery } from '../world/queries.ts';
import { uuidOf } from '../world/random.ts';
import { addDevice, removeDevice } from '../world/running-world.ts';
import type { World } from '../world/world.ts';
import { type DeviceView, deviceJson } from './device-json.ts';
import {
  allGroupsExist,
  booleanField,
  deviceOrNotFound,
  type EndpointContext,
  flagParameter,
  forbiddenResponse,
  idParameter,
  integerField,
  limitParameter,
  listField,
  MAX_ROWS,
  noContentResponse,
  notFoundResponse,
  idParameter as number,
  oneOfField,
  orDigits,
  pageParameter,
  parseBody,
  parseQuery,
  plainErrorResponse,
  slicePage,
  textField,
} from './requests.ts';
import { deviceTime } from './time-formats.ts';

const ListQuery = z.object({
  limit: limitParameter(),
  page: pageParameter(),
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
type ListQuery = z.infer<typeof ListQuery>;

/** Newer than the document: a profile without them ignores them like any unknown parameter. */
const Switches = z.object({
  include_details: flagParameter('include_details'),
  include_server_events: flagParameter('include_server_events'),
  include_next_patch_time: flagParameter('include_next_patch_time'),
  exclude_policy_status: flagParameter('exclude_policy_status'),
});

export function listServers(service: EndpointContext, params: URLSearchParams): Response {
  const query = parseQuery(params, ListQuery);
  if (query instanceof Response) return query;
  const switches = parseQuery(service.profile.listSwitches ? params : new URLSearchParams(), Switches);
  if (switches instanceof Response) return switches;
  const devices = listDevices(service.world().state, deviceListQueryOf(query), service.clock.now());
  const slice = { limit: query.limit ?? query.l, page: query.page ?? query.p };
  const view: DeviceView = {
    ...commonView(service),
    totalCount: devices.length,
    kind: 'row',
    include: {
      details: switches.include_details ?? false,
      serverEvents: switches.include_server_events ?? false,
      nextPatchTime: switches.include_next_patch_time ?? false,
    },
    withoutPolicyStatus: switches.exclude_policy_status ?? false,
  };
  return Response.json(slicePage(devices, slice, MAX_ROWS).map((device) => deviceJson(device, view)));
}

/** §4.6 has `PS_VERSION` as an integer and shows no effect of it on a device that is read by id. */
const SingleQuery = z.object({ PS_VERSION: idParameter('PS_VERSION') });

export function getServer(
  service: EndpointContext,
  serverId: string | undefined,
  params: URLSearchParams,
): Response {
  const query = parseQuery(params, SingleQuery);
  if (query instanceof Response) return query;
  const device = deviceOrNotFound(service, serverId);
  if (device === undefined) return notFoundResponse();
  const json = deviceJson(device, {
    ...commonView(service),
    totalCount: 1,
    kind: 'single',
    include: { details: true, serverEvents: true, nextPatchTime: true },
    withoutPolicyStatus: false,
  });
  return Response.json(service.profile.singleDevice === 'array' ? [json] : json);
}

function commonView(service: EndpointContext): Pick<DeviceView, 'world' | 'profile' | 'now'> {
  return { world: service.world().state, profile: service.profile, now: service.clock.now() };
}

function deviceListQueryOf({ PS_VERSION, patchStatus, ...query }: ListQuery): WorldDeviceQuery {
  return { ...query, shell: PS_VERSION, missing: patchStatus === undefined ? undefined : true };
}

/** `PUT` and `DELETE /servers/{id}` (§4.4, §4.10). */

/** The document's parameter list has the group in the query, its samples in the body. */
const EditQuery = z.object({ server_group_id: number('server_group_id') });

const IP_ADDRS = 'The ip_addrs must be valid IP addresses.';

const EditBody = z.object({
  // As text too: a public client of the vendor sends what a person typed.
  server_group_id: orDigits(integerField('server_group_id')).optional(),
  exception: booleanField('exception').optional(),
  tags: listField('tags', textField('tags')).optional(),
  custom_name: textField('custom_name').nullish(),
  // Text in the document's parameter list, a list in the sample.
  ip_addrs: z
    .union([z.string().transform(addressesOf), z.array(z.string())], IP_ADDRS)
    .refine((addresses) => addresses.every((address) => isIP(address) !== 0), IP_ADDRS)
    .optional(),
});
type EditBody = z.output<typeof EditBody>;

/** §4.4: the content type is required, and a wrong one is a bad request: the service has no 415. */
export function updateDevice(
  service: EndpointContext,
  serverId: string | undefined,
  request: { readonly params: URLSearchParams; readonly type: string | undefined; readonly text: string },
): Response {
  const device = deviceOrNotFound(service, serverId);
  if (device === undefined) return notFoundResponse();
  if (request.type === undefined || !/^application\/json\s*(;|$)/i.test(request.type))
    return plainErrorResponse(400, 'The Content-Type must be application/json.');
  const query = parseQuery(request.params, EditQuery);
  if (query instanceof Response) return query;
  const body = parseBody(request.text === '' ? '{}' : request.text, EditBody);
  if (body instanceof Response) return body;
  // Assumption (§4.4): where both name a group, the body counts.
  const requested = { ...query, ...body };
  if (requested.server_group_id !== undefined && !allGroupsExist(service, [requested.server_group_id]))
    return forbiddenResponse();
  applyDeviceEdit(service.world().state, device, deviceEditOf(requested));
  return noContentResponse();
}

/** The document does not say when an agent registers again. */
const REGISTERS_AGAIN_MS = 15 * MINUTE;

/**
 * Irreversible; its queued commands go too.
 * Assumption (§4.10, in practice 9): the agent of a device that is online registers again a little later, as another
 * device in the Default group.
 */
export function deleteDevice(service: EndpointContext, serverId: string | undefined): Response {
  const device = deviceOrNotFound(service, serverId);
  if (device === undefined) return notFoundResponse();
  const { state, commands, timers } = service.world();
  const { clock } = service;
  const now = clock.now();
  commands.forget(device);
  removeDevice(state, device, now);
  const { name, platform } = device;
  if (isConnected(device))
    timers.at(later(now, REGISTERS_AGAIN_MS), () => addDevice(state, name, clock.now(), platform));
  return noContentResponse();
}

/**
 * Assumption (§4.4, in practice 7): what a request leaves out stays as it is. The vendor's own clients send only what
 * they change, although newer descriptions require the group and the exception.
 */
function deviceEditOf(body: EditBody): WorldDeviceEdit {
  return {
    groupId: body.server_group_id,
    exception: body.exception,
    tags: body.tags,
    customName: body.custom_name === undefined ? undefined : customNameOf(body.custom_name),
    addresses: body.ip_addrs,
  };
}

/** An empty name removes the custom name. */
function customNameOf(name: string | null): WorldDevice['customName'] {
  return name === '' ? null : name;
}

/** Separated by commas or spaces. */
function addressesOf(value: string): string[] {
  return value.split(/[\s,]+/).filter((address) => address !== '');
}

/** `POST /servers/batch` (live only; "in practice" 7): changes the tags of many devices after a moment. */

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
 * 200 with the job; nothing is done yet.
 * Assumption (in practice 7): ids without a device are counted and have no effect.
 */
export function startBatch(service: EndpointContext, text: string): Response {
  const body = parseBody(text, BatchBody);
  if (body instanceof Response) return body;
  const { state, timers } = service.world();
  const createdAt = service.clock.now();
  const actions = body.actions.map(({ action, value }) => ({ action, tags: value }));
  timers.at(later(createdAt, DELAY_MS), () => {
    for (const id of body.devices) {
      const device = state.devices.get(id);
      if (device !== undefined) changeTags(device, actions);
    }
  });
  return Response.json(jobJson({ number: state.nextJobId++, devices: body.devices.length, createdAt }));
}

/** A batch job as the service returns it before anything is done ("in practice" 7). */

type Job = { readonly number: number; readonly devices: number; readonly createdAt: Instant };

function jobJson({ number, devices, createdAt }: Job): object {
  return {
    id: uuidOf(`batch ${number}`),
    total_jobs: devices,
    pending_jobs: devices,
    processed_jobs: 0,
    progress: 0,
    failed_jobs: 0,
    created_at: deviceTime(createdAt),
    cancelled_at: null,
    finished_at: null,
  };
}

/** Undefined fields stay unchanged. */
type WorldDeviceEdit = {
  readonly groupId?: number | undefined;
  readonly exception?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly customName?: string | null | undefined;
  readonly addresses?: readonly string[] | undefined;
};

function applyDeviceEdit(world: World, device: WorldDevice, edit: WorldDeviceEdit): void {
  if (edit.groupId !== undefined) world.devices.move(device, edit.groupId);
  if (edit.exception !== undefined) device.exception = edit.exception;
  if (edit.tags !== undefined) device.tags = [...new Set(edit.tags)];
  if (edit.customName !== undefined) device.customName = edit.customName;
  if (edit.addresses !== undefined) device.addresses = edit.addresses;
}

type TagAction = { readonly action: 'apply' | 'remove'; readonly tags: readonly string[] };

/** In order, so the last action counts. Existing tags are not added twice. */
function changeTags(device: WorldDevice, actions: readonly TagAction[]): void {
  for (const { action, tags } of actions)
    device.tags =
      action === 'apply'
        ? [...new Set([...device.tags, ...tags])]
        : device.tags.filter((tag) => !tags.includes(tag));
}
