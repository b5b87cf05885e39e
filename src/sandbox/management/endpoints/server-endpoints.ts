/** `GET /servers` (§4.5) and `GET /servers/{id}` (§4.6). */
import { z } from 'zod';
import { deviceJson } from '../json/device-json.ts';
import type { DeviceView } from '../json/device-view.ts';
import { listDevices, type WorldDeviceQuery } from '../world/queries/list-devices.ts';
import { deviceOrNotFound, type EndpointContext, slicePage } from './endpoint-context.ts';
import { parseQuery } from './parse-request.ts';
import { flagParameter, idParameter, limitParameter, MAX_ROWS, pageParameter } from './query-parameters.ts';
import { notFoundResponse } from './responses.ts';

const Query = z.object({
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
type Query = z.infer<typeof Query>;

/** Newer than the document: a profile without them ignores them like any unknown parameter. */
const Switches = z.object({
  include_details: flagParameter('include_details'),
  include_server_events: flagParameter('include_server_events'),
  include_next_patch_time: flagParameter('include_next_patch_time'),
  exclude_policy_status: flagParameter('exclude_policy_status'),
});

export function listServers(service: EndpointContext, params: URLSearchParams): Response {
  const query = parseQuery(params, Query);
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

function deviceListQueryOf({ PS_VERSION, patchStatus, ...query }: Query): WorldDeviceQuery {
  return { ...query, shell: PS_VERSION, missing: patchStatus === undefined ? undefined : true };
}
