/** `GET /servers` (§4.5) and `GET /servers/{id}` (§4.6). */
import { z } from 'zod';
import { type DeviceView, deviceJson } from '../json/device.ts';
import { type DeviceFilter, selectDevices } from '../world/select.ts';
import { notFound } from './answer.ts';
import { flag, id, limit, page, ROWS_MAX } from './fields.ts';
import { queryOf } from './request.ts';
import { deviceAt, pageOf, type Service } from './service.ts';

const Query = z.object({
  limit: limit(),
  page: page(),
  l: limit('l'),
  p: page('p'),
  groupId: id('groupId'),
  PS_VERSION: z.string().optional(),
  pending: flag('pending'),
  patchStatus: z.literal('missing', 'The selected patchStatus is invalid.').optional(),
  policyId: id('policyId'),
  exception: flag('exception'),
  managed: flag('managed'),
  needsAttention: flag('needsAttention'),
});
type Query = z.infer<typeof Query>;

/** They came after the document: where the profile lacks them they are ignored like any unknown parameter. */
const Switches = z.object({
  include_details: flag('include_details'),
  include_next_patch_time: flag('include_next_patch_time'),
  exclude_policy_status: flag('exclude_policy_status'),
});

export function listServers(service: Service, params: URLSearchParams): Response {
  const query = queryOf(params, Query);
  if (query instanceof Response) return query;
  const switches = queryOf(service.profile.listSwitches ? params : new URLSearchParams(), Switches);
  if (switches instanceof Response) return switches;
  const devices = selectDevices(service.moving().state, filterOf(query), service.clock.now());
  const slice = { limit: query.limit ?? query.l, page: query.page ?? query.p };
  const view: DeviceView = {
    ...common(service),
    totalCount: devices.length,
    kind: 'row',
    include: {
      details: switches.include_details ?? false,
      nextPatchTime: switches.include_next_patch_time ?? false,
    },
    withoutPolicyStatus: switches.exclude_policy_status ?? false,
  };
  return Response.json(pageOf(devices, slice, ROWS_MAX).map((device) => deviceJson(device, view)));
}

/** §4.6 has `PS_VERSION` as an integer and shows no effect of it on a device that is named by its id. */
const SingleQuery = z.object({ PS_VERSION: id('PS_VERSION') });

export function readServer(
  service: Service,
  serverId: string | undefined,
  params: URLSearchParams,
): Response {
  const query = queryOf(params, SingleQuery);
  if (query instanceof Response) return query;
  const device = deviceAt(service, serverId);
  if (device === undefined) return notFound();
  const json = deviceJson(device, {
    ...common(service),
    totalCount: 1,
    kind: 'single',
    include: { details: true, nextPatchTime: true },
    withoutPolicyStatus: false,
  });
  return Response.json(service.profile.singleDevice === 'array' ? [json] : json);
}

function common(service: Service): Pick<DeviceView, 'world' | 'profile' | 'now'> {
  return { world: service.moving().state, profile: service.profile, now: service.clock.now() };
}

function filterOf({ PS_VERSION, patchStatus, ...query }: Query): DeviceFilter {
  return { ...query, shell: PS_VERSION, missing: patchStatus === undefined ? undefined : true };
}
