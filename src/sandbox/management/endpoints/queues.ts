/** `GET` and `POST /servers/{id}/queues` (§4.8, §4.3), and `GET /servers/{id}/queues/{entry}`. */
import { z } from 'zod';
import { queueEntryJson } from '../json/queue-entry.ts';
import type { Command, Policy } from '../world/model.ts';
import { created, invalid, notFound } from './answer.ts';
import { moment, selected, text, wording } from './body-fields.ts';
import { bodyOf } from './request.ts';
import { deviceAt, type Service } from './service.ts';

/** Assumption (§4.3): `exec_time`, in samples only, is when the command is due; a time that has passed means now. */
const Body = z.object({
  command_type_name: wording('command_type_name'),
  args: text('args').nullish(),
  exec_time: moment('exec_time').nullish(),
});

export function listQueue(service: Service, serverId: string | undefined): Response {
  const device = deviceAt(service, serverId);
  if (device === undefined) return notFound();
  const { queues, organizationId } = service.moving().state;
  const entries = queues.get(device.id) ?? [];
  return Response.json(entries.map((entry) => queueEntryJson(entry, service.profile, organizationId)));
}

/** 404 for an entry that is not there, or not any more. */
export function readQueueEntry(
  service: Service,
  serverId: string | undefined,
  entryId: string | undefined,
): Response {
  const device = deviceAt(service, serverId);
  if (device === undefined) return notFound();
  const { queues, organizationId } = service.moving().state;
  const entry = queues.get(device.id)?.find(({ id }) => String(id) === entryId);
  return entry === undefined
    ? notFound()
    : Response.json(queueEntryJson(entry, service.profile, organizationId));
}

export function issueCommand(service: Service, serverId: string | undefined, sent: string): Response {
  const device = deviceAt(service, serverId);
  if (device === undefined) return notFound();
  const body = bodyOf(sent, Body);
  if (body instanceof Response) return body;
  const { command_type_name: type, args, exec_time: execTime } = body;
  const { state, commands } = service.moving();
  const command = commandOf(type, args ?? '', state.policies);
  if (command === undefined) return invalid({ command_type_name: [selected('command_type_name')] });
  if (command.kind === 'install' && command.args.trim() === '')
    return invalid({ args: ['The args field is required when command_type_name is InstallUpdate.'] });
  commands.enqueue(device, command, execTime ?? undefined);
  return created();
}

function commandOf(type: string, args: string, policies: ReadonlyMap<number, Policy>): Command | undefined {
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

/** Assumption (§4.3): a policy that the organization does not have is refused like an unknown type (400): the type is at fault. */
function policyCommand(type: string, policies: ReadonlyMap<number, Policy>): Command | undefined {
  const [, id, action] = /^policy_(\d{1,15})_(test|remediate)$/.exec(type) ?? [];
  const policy = policies.get(Number(id));
  if (policy === undefined || (action !== 'test' && action !== 'remediate')) return undefined;
  return { kind: 'policy', policyId: policy.id, action };
}
