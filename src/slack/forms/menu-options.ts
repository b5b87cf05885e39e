/** What a menu offers while somebody types: from memory, within the acknowledgement. */

import type { Inventory, Suggestion } from '../../inventory/inventory.ts';
import { decideAccess, type Role } from '../../lib/access.ts';
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
  /** From this role on, devices are found by what is personal, too; absent: by whoever may look. */
  readonly personalFrom?: Role;
};

/** Nothing for those who may not read, nor while it is not known who they are: that is read for the next letter. */
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
    await ack(carriedValue(of === null ? [] : found.map((one) => toMenuOption(of, one))).options);
  };
}

/** Numbers stay what they are when a name changes; packages have only their name. */
function toMenuOption(of: SearchedKind, { id, label, detail }: Suggestion): FormOption {
  const value = id === null ? label : String(id);
  const option = { value, label: of === 'group' ? groupPath(label, detail) : label };
  return detail === null || of === 'group' ? option : { ...option, detail };
}

/** The group's own name is what must be seen. */
function groupPath(name: string, above: string | null): string {
  if (above === null) return name;
  const path = `${above} / ${name}`;
  return path.length <= LIMIT.optionText ? path : `… / ${name}`;
}
