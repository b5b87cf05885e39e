/** `GET` and `POST /servers/{id}/queues` (§4.8, §4.3). */
import { z } from 'zod';
import { queueEntryJson } from '../json/queue-entry.ts';
import type { Command, Policy } from '../world/model.ts';
import { invalid, notFound, plain, problemsOf } from './answer.ts';
import { deviceAt, type Service } from './service.ts';

/**
 * Assumption (§4.3): `exec_time`, which is in samples but not in the parameter list, has no effect.
 */
const Body = z.object({
  command_type_name: z
    .string('The command_type_name field is required.')
    .min(1, 'The command_type_name field is required.'),
  args: z.string('The args must be a string.').nullish(),
});

export function listQueue(service: Service, serverId: string | undefined): Response {
  const device = deviceAt(service, serverId);
  if (device === undefined) return notFound();
  const { queues, organizationId } = service.moving().state;
  const entries = queues.get(device.id) ?? [];
  return Response.json(entries.map((entry) => queueEntryJson(entry, service.profile, organizationId)));
}

/** 201 without a body: the id of the new entry is not told. */
export function issueCommand(service: Service, serverId: string | undefined, text: string): Response {
  const device = deviceAt(service, serverId);
  if (device === undefined) return notFound();
  const json = parseJson(text);
  if (json === undefined) return plain(400, 'The request body is not valid JSON.');
  const body = Body.safeParse(json);
  if (!body.success) return invalid(problemsOf(body.error));
  const { command_type_name: type, args } = body.data;
  const command = commandOf(type, args ?? '', service.moving().state.policies);
  if (command === undefined)
    return invalid({ command_type_name: ['The selected command_type_name is invalid.'] });
  if (command.kind === 'install' && command.args.trim() === '')
    return invalid({ args: ['The args field is required when command_type_name is InstallUpdate.'] });
  service.moving().commands.enqueue(device, command);
  return new Response(null, { status: 201 });
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

/** Assumption (§4.3): a policy that the organization does not have is refused like an unknown type. */
function policyCommand(type: string, policies: ReadonlyMap<number, Policy>): Command | undefined {
  const [, id, action] = /^policy_(\d{1,15})_(test|remediate)$/.exec(type) ?? [];
  const policy = policies.get(Number(id));
  if (policy === undefined || (action !== 'test' && action !== 'remediate')) return undefined;
  return { kind: 'policy', policyId: policy.id, action };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
