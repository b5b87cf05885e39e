/** What somebody must be allowed to use a command. */
import type { Permission } from '../../lib/access.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { Problem } from '../../views/model.ts';
import type { ReadOnlyReader } from '../../views/models/device-model.ts';
import type { Command, ReadPorts } from './command.ts';

export function requiredPermission(command: Command): Permission {
  return command.kind === 'write' ? 'propose' : command.permission;
}

/** Whether the reader of an answer may ask for changes: what they may not do is not offered to them. */

/** Empty where they may. Forms open for who may, and do not say. */
export async function readOnlyNotice({ refusal }: Pick<ReadPorts, 'refusal'>): Promise<ReadOnlyReader> {
  const refused = (await refusal?.('propose')) ?? null;
  return refused === null ? {} : { lookOnly: { ask: roleHint(refused) } };
}

function roleHint(refused: Problem): readonly PersonId[] {
  return refused.kind === 'not-allowed' ? (refused.ask ?? []) : [];
}
