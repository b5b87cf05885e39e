/** `GET` and `POST /servers/{id}/queues` (§4.8, §4.3), and `GET /servers/{id}/queues/{entry}`. */
import { z } from 'zod';
import { queueEntryJson } from '../json/queue-entry-json.ts';
import type { WorldCommand, WorldPolicy } from '../world/model.ts';
import { nonEmptyTextField, selectedField, textField, timestampField } from './body-fields.ts';
import { deviceOrNotFound, type EndpointContext } from './endpoint-context.ts';
import { parseBody } from './parse-request.ts';
import { createdResponse, invalidResponse, notFoundResponse } from './responses.ts';

/** Assumption (§4.3): `exec_time`, seen in samples only, is when the command is due; a past time means now. */
const Body = z.object({
  command_type_name: nonEmptyTextField('command_type_name'),
  args: textField('args').nullish(),
  exec_time: timestampField('exec_time').nullish(),
});

export function listQueue(service: EndpointContext, serverId: string | undefined): Response {
  const device = deviceOrNotFound(service, serverId);
  if (device === undefined) return notFoundResponse();
  const { queues, organizationId } = service.world().state;
  const entries = queues.get(device.id) ?? [];
  return Response.json(entries.map((entry) => queueEntryJson(entry, service.profile, organizationId)));
}

/** 404 for an entry that does not exist, or no longer does. */
export function readQueueEntry(
  service: EndpointContext,
  serverId: string | undefined,
  entryId: string | undefined,
): Response {
  const device = deviceOrNotFound(service, serverId);
  if (device === undefined) return notFoundResponse();
  const { queues, organizationId } = service.world().state;
  const entry = queues.get(device.id)?.find(({ id }) => String(id) === entryId);
  return entry === undefined
    ? notFoundResponse()
    : Response.json(queueEntryJson(entry, service.profile, organizationId));
}

export function issueCommand(service: EndpointContext, serverId: string | undefined, sent: string): Response {
  const device = deviceOrNotFound(service, serverId);
  if (device === undefined) return notFoundResponse();
  const body = parseBody(sent, Body);
  if (body instanceof Response) return body;
  const { command_type_name: type, args, exec_time: execTime } = body;
  const { state, commands } = service.world();
  const command = commandOf(type, args ?? '', state.policies);
  if (command === undefined)
    return invalidResponse({ command_type_name: [selectedField('command_type_name')] });
  if (command.kind === 'install' && command.args.trim() === '')
    return invalidResponse({ args: ['The args field is required when command_type_name is InstallUpdate.'] });
  commands.enqueue(device, command, execTime ?? undefined);
  return createdResponse();
}

function commandOf(
  type: string,
  args: string,
  policies: ReadonlyMap<number, WorldPolicy>,
): WorldCommand | undefined {
  switch (type) {
    case 'GetOS':
      return { kind: 'scan' };
    case 'Reboot':
      return { kind: 'reboot' };
    case 'InstallUpdate':
      return { kind: 'install', args };
    case 'InstallAllUpdates':
      return { kind: 'install-all' };
    default:
      return policyCommand(type, policies);
  }
}

/**
 * Assumption (§4.3): a policy that the organization does not have is refused like an unknown type (400), because the
 * type names it.
 */
function policyCommand(type: string, policies: ReadonlyMap<number, WorldPolicy>): WorldCommand | undefined {
  const [, id, action] = /^policy_(\d{1,15})_(test|remediate)$/.exec(type) ?? [];
  const policy = policies.get(Number(id));
  if (policy === undefined || (action !== 'test' && action !== 'remediate')) return undefined;
  return { kind: 'policy', policyId: policy.id, action };
}
