/** `GET /servers` (§4.5) and `GET /servers/{id}` (§4.6). */
import { z } from 'zod';
import { type DeviceView, deviceJson } from '../json/device.ts';
import { needsAttention } from '../world/facts.ts';
import type { Device } from '../world/model.ts';
import { pendingPatches } from '../world/patches.ts';
import { policiesOf } from '../world/policies.ts';
import { invalid, notFound, problemsOf } from './answer.ts';
import { flag, id, limit, page, ROWS_MAX } from './fields.ts';
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
  include_details: flag('include_details'),
  include_next_patch_time: flag('include_next_patch_time'),
  exclude_policy_status: flag('exclude_policy_status'),
});
type Query = z.infer<typeof Query>;

export function listServers(service: Service, params: URLSearchParams): Response {
  const query = Query.safeParse(Object.fromEntries(params));
  if (!query.success) return invalid(problemsOf(query.error));
  const { data } = query;
  const { state } = service.moving();
  const devices = [...state.devices.values()].filter((device) => isWanted(service, device, data));
  const slice = { limit: data.limit ?? data.l, page: data.page ?? data.p };
  const view: DeviceView = {
    ...common(service),
    totalCount: devices.length,
    kind: 'row',
    include: { details: data.include_details ?? false, nextPatchTime: data.include_next_patch_time ?? false },
    withoutPolicyStatus: data.exclude_policy_status ?? false,
  };
  return Response.json(pageOf(devices, slice, ROWS_MAX).map((device) => deviceJson(device, view)));
}

export function readServer(service: Service, serverId: string | undefined): Response {
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

function isWanted(service: Service, device: Device, query: Query): boolean {
  const now = service.clock.now();
  const policies = policiesOf(service.moving().state, device);
  const agrees = <T>(wanted: T | undefined, actual: T): boolean => wanted === undefined || wanted === actual;
  return (
    agrees(query.groupId, device.groupId) &&
    agrees(query.pending, pendingPatches(device, now).length > 0) &&
    (query.patchStatus === undefined || device.missing.size > 0) &&
    (query.policyId === undefined || policies.some(({ id }) => id === query.policyId)) &&
    agrees(query.exception, device.exception) &&
    agrees(query.managed, policies.length > 0) &&
    agrees(query.needsAttention, needsAttention(device, now)) &&
    (query.PS_VERSION === undefined || hasShell(device, query.PS_VERSION))
  );
}

/** The whole version or its first parts: §4.5 has it as text, §4.6 as an integer. */
function hasShell({ platform }: Device, version: string): boolean {
  return platform.shell === version || (platform.shell?.startsWith(`${version}.`) ?? false);
}
