/** `GET` and `POST /servers/{id}/queues` (§4.8, §4.3), and `GET /servers/{id}/queues/{entry}`. */
import { z } from 'zod';
import type { WorldCommand, WorldQueueEntry } from '../world/model.ts';
import {
  type Call,
  createdResponse,
  deviceOf,
  invalid,
  nonBlankTextField,
  notFoundResponse,
  parseBody,
  selectedField,
  textField,
  timestampField,
  type View,
} from './requests.ts';
import { formatTime } from './time-formats.ts';

export function listQueue(call: Call): Response {
  const entries = call.world.queues.get(deviceOf(call).id) ?? [];
  return Response.json(entries.map((entry) => queueEntryJson(entry, call)));
}

/** 404 for an entry that does not exist, or no longer does. */
export function readQueueEntry(call: Call): Response {
  const entries = call.world.queues.get(deviceOf(call).id) ?? [];
  const entry = entries.find(({ id }) => String(id) === call.entry);
  return entry === undefined ? notFoundResponse() : Response.json(queueEntryJson(entry, call));
}

/** Assumption (§4.3): `exec_time`, seen in samples only, is when the command is due; a past time means now. */
const Body = z.object({
  command_type_name: nonBlankTextField('command_type_name'),
  args: textField('args').nullish(),
  exec_time: timestampField('exec_time').nullish(),
});

export function issueCommand(call: Call): Response {
  const device = deviceOf(call);
  const { command_type_name: type, args, exec_time: execTime } = parseBody(call, Body);
  const command = commandOf(type, args ?? '', call);
  if (command === undefined) throw invalid({ command_type_name: [selectedField('command_type_name')] });
  if (command.kind === 'install' && command.args.trim() === '')
    throw invalid({ args: ['The args field is required when command_type_name is InstallUpdate.'] });
  call.commands.enqueue(device, command, execTime ?? undefined);
  return createdResponse();
}

function commandOf(type: string, args: string, { world }: Call): WorldCommand | undefined {
  if (type === 'InstallUpdate') return { kind: 'install', args };
  const plain = PLAIN_COMMANDS.find((kind) => TYPE_NAMES[kind] === type);
  if (plain !== undefined) return { kind: plain };
  // Assumption (§4.3): a policy that the organization does not have is refused like an unknown type (400), because the
  // type names it.
  const [, id, action] = /^policy_(\d{1,15})_(test|remediate)$/.exec(type) ?? [];
  const policy = world.policies.get(Number(id));
  if (policy === undefined || (action !== 'test' && action !== 'remediate')) return undefined;
  return { kind: 'policy', policyId: policy.id, action };
}

const PLAIN_COMMANDS = ['scan', 'reboot', 'install-all'] as const;
const TYPE_NAMES = {
  scan: 'GetOS',
  reboot: 'Reboot',
  install: 'InstallUpdate',
  'install-all': 'InstallAllUpdates',
};

/** 0 for InstallUpdate and 3 for Reboot have been seen live; no legend is published. */
const AGENT_COMMANDS: Readonly<Record<WorldCommand['kind'], number>> = {
  scan: 1,
  install: 0,
  'install-all': 2,
  reboot: 3,
  policy: 4,
};

/** §2.7 */
function queueEntryJson(entry: WorldQueueEntry, { world, profile }: View): object {
  const { command, answer } = entry;
  const { kind } = command;
  const plain = profile.plainCommandFields;
  return {
    id: entry.id,
    server_id: entry.deviceId,
    // Seen as a number and as null; here a scan has none.
    command_id: plain || kind === 'scan' ? null : entry.id + 1_000_000,
    organization_id: world.organizationId,
    command_type_name: kind === 'policy' ? `policy_${command.policyId}_${command.action}` : TYPE_NAMES[kind],
    agent_command_type: AGENT_COMMANDS[kind],
    args: kind === 'install' ? command.args : '',
    reboot: kind === 'reboot' ? true : plain ? false : 0,
    // Without a policy 0, or null as seen live for an install.
    policy_id: kind === 'policy' ? command.policyId : plain || kind === 'reboot' ? 0 : null,
    exec_time: formatTime(profile.queueTime, entry.execTime),
    response: answer === null ? null : response(kind, answer, profile),
    response_time: answer === null ? null : formatTime(profile.queueTime, answer.at),
  };
}

type Answer = NonNullable<WorldQueueEntry['answer']>;

/** The live forms are a list of exit code, output and remainder, and for policies an object. */
function response(kind: WorldCommand['kind'], { text, exitCode }: Answer, profile: View['profile']): unknown {
  if (profile.queueResponse === 'text') return text;
  if (kind === 'policy') return { exit_code: exitCode, stdout: text, stderr: '' };
  return [String(exitCode), text, null];
}
