/** An entry of a device's command queue in the service's JSON (§2.7). */
import type { Profile } from '../profiles.ts';
import type { WorldCommand, WorldQueueEntry } from '../world/model.ts';
import { formatTime } from './time-formats.ts';

/** 0 for InstallUpdate and 3 for Reboot have been seen live; no legend is published. */
const AGENT_COMMANDS: Readonly<Record<WorldCommand['kind'], number>> = {
  scan: 1,
  install: 0,
  'install-all': 2,
  reboot: 3,
  policy: 4,
};

export function queueEntryJson(entry: WorldQueueEntry, profile: Profile, organizationId: number): object {
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
