/** An entry of a device's command queue in the service's JSON (§2.7). */
import type { Profile } from '../profiles.ts';
import type { WorldCommand, WorldQueueEntry } from '../world/model.ts';
import { formatTime } from './time-formats.ts';

/** Only 3, for Reboot, has been seen live; no legend is published. */
const AGENT_COMMANDS: Readonly<Record<WorldCommand['kind'], number>> = {
  scan: 0,
  install: 1,
  'install-all': 2,
  reboot: 3,
  policy: 4,
};

export function queueEntryJson(entry: WorldQueueEntry, profile: Profile, organizationId: number): object {
  const { command, answer } = entry;
  return {
    id: entry.id,
    server_id: entry.deviceId,
    command_id: null,
    organization_id: organizationId,
    command_type_name: typeName(command),
    agent_command_type: AGENT_COMMANDS[command.kind],
    args: command.kind === 'install' ? command.args : '',
    reboot: command.kind === 'reboot',
    // 0 for commands without a policy.
    policy_id: command.kind === 'policy' ? command.policyId : 0,
    exec_time: formatTime(profile.queueTime, entry.execTime),
    response: answer === null ? null : response(answer.text, profile),
    response_time: answer === null ? null : formatTime(profile.queueTime, answer.at),
  };
}

/** The live form is exit code, output and remainder. Every command of the sandbox succeeds. */
function response(text: string, profile: Profile): unknown {
  return profile.queueResponse === 'text' ? text : ['0', text, null];
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
