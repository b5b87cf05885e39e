/** What somebody must be allowed to use a command. */
import type { Need } from '../access.ts';
import type { Command } from './command.ts';

export function needOf(command: Command): Need {
  return command.kind === 'write' ? 'propose' : command.need;
}
