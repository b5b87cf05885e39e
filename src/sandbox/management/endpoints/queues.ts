/** `GET` and `POST /servers/{id}/queues` (§4.8, §4.3), and `GET /servers/{id}/queues/{entry}`. */
import { z } from 'zod';
import type { Profile } from '../profiles.ts';
import type { WorldCommand, WorldPolicy, WorldQueueEntry } from '../world/model.ts';
import {
  createdResponse,
  deviceOrNotFound,
  type EndpointContext,
  invalidResponse,
  nonEmptyTextField,
  notFoundResponse,
  parseBody,
  selectedField,
  textField,
  timestampField,
} from './requests.ts';
import { formatTime } from './time-formats.ts';

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

/** An entry of a device's command queue in the service's JSON (§2.7). */

/** 0 for InstallUpdate and 3 for Reboot have been seen live; no legend is published. */
const AGENT_COMMANDS: Readonly<Record<WorldCommand['kind'], number>> = {
  scan: 1,
  install: 0,
  'install-all': 2,
  reboot: 3,
  policy: 4,
};

function queueEntryJson(entry: WorldQueueEntry, profile: Profile, organizationId: number): object {
  const { command, answer } = entry;
  return {
    id: entry.id,
    server_id: entry.deviceId,
    command_id: commandId(entry, profile),
    organization_id: organizationId,
    command_type_name: typeName(command),
    agent_command_type: AGENT_COMMANDS[command.kind],
    args: command.kind === 'install' ? command.args : '',
    reboot: command.kind === 'reboot' ? true : profile.plainCommandFields ? false : 0,
    policy_id: policyId(command, profile),
    exec_time: formatTime(profile.queueTime, entry.execTime),
    response: answer === null ? null : response(entry, answer, profile),
    response_time: answer === null ? null : formatTime(profile.queueTime, answer.at),
  };
}

/** Seen as a number and as null; here a scan has none. */
function commandId({ id, command }: WorldQueueEntry, { plainCommandFields }: Profile): number | null {
  return plainCommandFields || command.kind === 'scan' ? null : id + 1_000_000;
}

/** Of commands without a policy 0, or null as seen live for an install. */
function policyId(command: WorldCommand, { plainCommandFields }: Profile): number | null {
  if (command.kind === 'policy') return command.policyId;
  return plainCommandFields || command.kind === 'reboot' ? 0 : null;
}

type Answer = NonNullable<WorldQueueEntry['answer']>;

/** The live forms are a list of exit code, output and remainder, and for policies an object. */
function response({ command }: WorldQueueEntry, { text, exitCode }: Answer, profile: Profile): unknown {
  if (profile.queueResponse === 'text') return text;
  if (command.kind === 'policy') return { exit_code: exitCode, stdout: text, stderr: '' };
  return [String(exitCode), text, null];
}

function typeName(command: WorldCommand): string {
  switch (command.kind) {
    case 'scan':
      return 'GetOS';
    case 'reboot':
      return 'Reboot';
    case 'install':
      return 'InstallUpdate';
    case 'install-all':
      return 'InstallAllUpdates';
    case 'policy':
      return `policy_${command.policyId}_${command.action}`;
    default:
      return command satisfies never;
  }
}
