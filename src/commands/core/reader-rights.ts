/** What a reader may do and see: the permission of a command, and what is kept from those who may not see personal data. */

import { readerWithoutPersonalData } from '../../fleet/reads/read-helpers.ts';
import { inventoryWithoutPersonalData } from '../../inventory/inventory.ts';
import type { Permission, Role } from '../../lib/access.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { ReadOnlyReader } from '../../views/models/list-model.ts';
import type { Problem } from '../../views/views.ts';
import type { Command, ReadPorts, SharedPorts } from './command.ts';

export function requiredPermission(command: Command): Permission {
  return command.kind === 'write' ? 'propose' : command.permission;
}

/** Whom to ask, for a reader who may not request changes. Empty in forms: only those who may open them. */
export async function readOnlyNotice({ refusal }: Pick<ReadPorts, 'refusal'>): Promise<ReadOnlyReader> {
  const refused = (await refusal?.('propose')) ?? null;
  return refused === null ? {} : { lookOnly: { ask: roleHint(refused) } };
}

function roleHint(refused: Problem): readonly PersonId[] {
  return refused.kind === 'not-allowed' ? (refused.ask ?? []) : [];
}

/**
 * The same for somebody below the role `personalFrom`. What is personal (who is logged in, serial numbers, addresses) is
 * kept from them at the source: what their commands read from does not hold it, so nothing that is drawn of it can say it,
 * and no list that is asked for by it can tell. The index learns what was read as it is.
 */
export function portsWithoutPersonal<P extends SharedPorts>(
  ports: P,
  personalFrom: Role,
): P & { readonly personalFrom: Role } {
  const known = planPortsWithoutPersonal(ports, personalFrom);
  const { fleet, inventory } = known;
  return {
    ...known,
    fleet: readerWithoutPersonalData(fleet, inventory.learnDevice),
    inventory: { ...inventory, learnDevice: () => undefined },
  };
}

/** What a change is sealed to is read whole, whoever asks, and goes to its approvers; what finds the device is not. */
export function planPortsWithoutPersonal<P extends SharedPorts>(
  ports: P,
  personalFrom: Role,
): P & { readonly personalFrom: Role } {
  return { ...ports, personalFrom, inventory: inventoryWithoutPersonalData(ports.inventory) };
}

/** Why a question by `what` (such as `user:`) is not answered; null where it is. */
export function personalDataProblem(
  { personalFrom }: Pick<ReadPorts, 'personalFrom'>,
  what: string | undefined,
): Problem | null {
  if (personalFrom === undefined || what === undefined) return null;
  return { kind: 'personal', what, needed: personalFrom };
}
