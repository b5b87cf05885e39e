/**
 * What is personal (who is logged in, serial numbers, addresses) is kept from those who may not see it at the source:
 * what their commands read from does not hold it, so nothing that is drawn of it can say it, and no list that is
 * asked for by it can tell.
 */
import { readerWithoutPersonalData } from '../../fleet/reads/read-helpers.ts';
import { inventoryWithoutPersonalData } from '../../inventory/inventory.ts';
import type { Role } from '../../lib/access.ts';
import type { Problem } from '../../views/model.ts';
import type { ReadPorts, SharedPorts } from './command.ts';

/** The same for somebody below the role `personalFrom`. The index learns what was read as it is. */
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

/**
 * To plan a change with: what it is sealed to is read whole, whoever asks for it, and it goes to the approvers. What
 * finds the device is not.
 */
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
