/** `PUT` and `DELETE /servers/{id}` (§4.4, §4.10). */
import { isIP } from 'node:net';
import { z } from 'zod';
import { removeDevice } from '../world/deeds.ts';
import { type DeviceEdit, editDevice } from '../world/edits/devices.ts';
import type { Device } from '../world/model.ts';
import { forbidden, invalid, noContent, notFound, type Problems, plain } from './answer.ts';
import { list, required, text, truth, whole } from './body-fields.ts';
import { id as number } from './fields.ts';
import { bodyOf, queryOf } from './request.ts';
import { deviceAt, haveGroups, type Service } from './service.ts';

/** The parameter list has the group in the query, the samples have it in the body. */
const Query = z.object({ server_group_id: number('server_group_id') });

const IP_ADDRS = 'The ip_addrs must be valid IP addresses.';

const Body = z.object({
  server_group_id: whole('server_group_id').optional(),
  exception: truth('exception').optional(),
  tags: list('tags', text('tags')).optional(),
  custom_name: text('custom_name').nullish(),
  // Text in the list of parameters, a list in the sample.
  ip_addrs: z
    .union([z.string().transform(addressesIn), z.array(z.string())], IP_ADDRS)
    .refine((addresses) => addresses.every((address) => isIP(address) !== 0), IP_ADDRS)
    .optional(),
});
type Body = z.output<typeof Body>;

/** §4.4: here the type of the content is required, and a wrong one is a wrong request: the service has no 415. */
export function replaceDevice(
  service: Service,
  serverId: string | undefined,
  request: { readonly params: URLSearchParams; readonly type: string | undefined; readonly text: string },
): Response {
  const device = deviceAt(service, serverId);
  if (device === undefined) return notFound();
  if (request.type === undefined || !/^application\/json\s*(;|$)/i.test(request.type))
    return plain(400, 'The Content-Type must be application/json.');
  const query = queryOf(request.params, Query);
  if (query instanceof Response) return query;
  const body = bodyOf(request.text === '' ? '{}' : request.text, Body);
  if (body instanceof Response) return body;
  // Assumption (§4.4): where both name a group, the body counts.
  const asked = { ...query, ...body };
  const lacking = service.profile.requiredOnPut.filter((field) => !Object.hasOwn(asked, field));
  if (lacking.length > 0) return invalid(problemsOf(lacking));
  if (asked.server_group_id !== undefined && !haveGroups(service, [asked.server_group_id]))
    return forbidden();
  editDevice(service.moving().state, device, editOf(asked, service));
  return noContent();
}

/** Cannot be taken back; whatever was queued goes too. */
export function deleteDevice(service: Service, serverId: string | undefined): Response {
  const device = deviceAt(service, serverId);
  if (device === undefined) return notFound();
  const { state, commands } = service.moving();
  commands.forget(device);
  removeDevice(state, device, service.clock.now());
  return noContent();
}

/** Addresses that are left out stay; tags and custom name do what the profile says. */
function editOf(body: Body, { profile }: Service): DeviceEdit {
  const cleared = profile.omittedOnPut === 'cleared';
  return {
    groupId: body.server_group_id,
    exception: body.exception,
    tags: body.tags ?? (cleared ? [] : undefined),
    customName: body.custom_name === undefined ? (cleared ? null : undefined) : nameOf(body.custom_name),
    addresses: body.ip_addrs,
  };
}

/** An empty name is none. */
function nameOf(name: string | null): Device['customName'] {
  return name === '' ? null : name;
}

/** Separated by commas or spaces. */
function addressesIn(value: string): string[] {
  return value.split(/[\s,]+/).filter((address) => address !== '');
}

function problemsOf(lacking: readonly string[]): Problems {
  return Object.fromEntries(lacking.map((field) => [field, [required(field)]]));
}
