/** `PUT` and `DELETE /servers/{id}` (§4.4, §4.10). */
import { isIP } from 'node:net';
import { z } from 'zod';
import { later, MINUTE } from '../../../lib/clock.ts';
import { addDevice, removeDevice } from '../world/activity/ordered-events.ts';
import { applyDeviceEdit, type WorldDeviceEdit } from '../world/edits/edit-devices.ts';
import type { WorldDevice } from '../world/model.ts';
import { isConnected } from '../world/state/device-facts.ts';
import { booleanField, integerField, listField, orDigits, textField } from './body-fields.ts';
import { allGroupsExist, deviceOrNotFound, type EndpointContext } from './endpoint-context.ts';
import { parseBody, parseQuery } from './parse-request.ts';
import { idParameter as number } from './query-parameters.ts';
import { forbiddenResponse, noContentResponse, notFoundResponse, plainErrorResponse } from './responses.ts';

/** The document's parameter list has the group in the query, its samples in the body. */
const Query = z.object({ server_group_id: number('server_group_id') });

const IP_ADDRS = 'The ip_addrs must be valid IP addresses.';

const Body = z.object({
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
type Body = z.output<typeof Body>;

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
  const query = parseQuery(request.params, Query);
  if (query instanceof Response) return query;
  const body = parseBody(request.text === '' ? '{}' : request.text, Body);
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
function deviceEditOf(body: Body): WorldDeviceEdit {
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
