/** The permission that a command needs, and a notice for readers who may only read. */
import type { Permission } from '../../lib/access.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { Problem } from '../../views/model.ts';
import type { ReadOnlyReader } from '../../views/models/device-model.ts';
import type { Command, ReadPorts } from './command.ts';

export function requiredPermission(command: Command): Permission {
  return command.kind === 'write' ? 'propose' : command.permission;
}

/**
 * For a reader who may not request changes: whom to ask, so that the answer offers no changes. Empty if they may, and in
 * forms, which open only for people who may.
 */
export async function readOnlyNotice({ refusal }: Pick<ReadPorts, 'refusal'>): Promise<ReadOnlyReader> {
  const refused = (await refusal?.('propose')) ?? null;
  return refused === null ? {} : { lookOnly: { ask: roleHint(refused) } };
}

function roleHint(refused: Problem): readonly PersonId[] {
  return refused.kind === 'not-allowed' ? (refused.ask ?? []) : [];
}
