/** Options of a searching menu, from memory, within the acknowledgement. */

import type { Inventory, Suggestion } from '../../inventory/inventory.ts';
import { decideAccess, type Role } from '../../lib/access.ts';
import { quoteStructure } from '../../lib/structure.ts';
import { LIMIT } from '../../views/kit/limits.ts';
import { carriedValue, type MenuOption } from '../../views/kit/options.ts';
import type { FormOption, SearchedKind } from '../../views/models/form-model.ts';
import { maySeePersonalCached } from '../access/personal-data.ts';
import type { CachedRoleLookup, RoleLookup } from '../access/role-lookup.ts';
import { readOptionsQuery } from './form-payloads.ts';

export type AcknowledgeOptions = (options: readonly MenuOption[]) => Promise<void>;

export type MenuOptionsOptions = {
  readonly inventory: Pick<Inventory, 'suggest'>;
  readonly people: Pick<RoleLookup, 'roleOf'> & CachedRoleLookup;
  /** The lowest role that may find devices by personal data; absent: everybody who may read. */
  readonly personalFrom?: Role;
};

/** No options for people who may not read, nor while their role is unknown: it is read for the next keystroke. */
export function createMenuOptions({ inventory, people, personalFrom }: MenuOptionsOptions) {
  return async (payload: unknown, ack: AcknowledgeOptions): Promise<void> => {
    const { person, of, query } = readOptionsQuery(payload);
    const known = people.knownRoleOf(person);
    const verdict = decideAccess(known, 'read');
    if (verdict === 'unknown') {
      await ack([]);
      await people.roleOf(person);
      return;
    }
    const allowed = of !== null && verdict === 'allowed';
    const how = maySeePersonalCached(people, person, personalFrom) ? {} : ({ namesOnly: true } as const);
    const found = allowed ? inventory.suggest(of, query, LIMIT.menuOptions, how) : [];
    const { options } = carriedValue(of === null ? [] : found.map((one) => toMenuOption(of, one)));
    await ack(withinAcknowledgement(options));
  };
}

/** Bytes of an acknowledgement beside its options. */
const ENVELOPE_BYTES = 512;

/** The best options, as many as one acknowledgement carries. */
function withinAcknowledgement(options: readonly MenuOption[]): readonly MenuOption[] {
  let left = LIMIT.acknowledgement - ENVELOPE_BYTES;
  const end = options.findIndex((option) => {
    left -= Buffer.byteLength(JSON.stringify(option)) + 1;
    return left < 0;
  });
  return end === -1 ? options : options.slice(0, end);
}

/** Options carry numbers, because names change; packages have only a name. */
function toMenuOption(of: SearchedKind, { id, label, detail }: Suggestion): FormOption {
  const value = id === null ? label : String(id);
  const option = { value, label: of === 'group' ? groupPath(label, detail) : label };
  return detail === null || of === 'group' ? option : { ...option, detail };
}

/** The group's own name must stay visible, so the path before it is cut. */
function groupPath(name: string, above: Suggestion['detail']): string {
  if (above === null) return quoteStructure(name);
  const path = [...[above].flat(), name].map(quoteStructure).join(' / ');
  return path.length <= LIMIT.optionText ? path : `.. / ${quoteStructure(name)}`;
}
