/** What a menu offers while somebody types: from memory, within the acknowledgement. */
import { judge, type Role } from '../../access.ts';
import type { Inventory, Suggestion } from '../../inventory/inventory.ts';
import { LIMIT } from '../../views/kit/limits.ts';
import { carried, type MenuOption } from '../../views/kit/options.ts';
import type { FormOption, SearchedKind } from '../../views/models/form-model.ts';
import type { KnownPeople, People } from '../people.ts';
import { maySeeNow } from '../personal.ts';
import { readSuggestion } from './forms-payloads.ts';

export type OptionsAck = (options: readonly MenuOption[]) => Promise<void>;

export type FormSuggestOptions = {
  readonly inventory: Pick<Inventory, 'suggest'>;
  readonly people: Pick<People, 'roleOf'> & KnownPeople;
  /** From this role on, devices are found by what is personal, too; absent: by whoever may look. */
  readonly personalFrom?: Role;
};

/** Nothing for those who may not read, nor while it is not known who they are: that is read for the next letter. */
export function createFormSuggest({ inventory, people, personalFrom }: FormSuggestOptions) {
  return async (payload: unknown, ack: OptionsAck): Promise<void> => {
    const { person, of, query } = readSuggestion(payload);
    const known = people.knownRoleOf(person);
    const verdict = judge(known, 'read');
    if (verdict === 'unknown') {
      await ack([]);
      await people.roleOf(person);
      return;
    }
    const allowed = of !== null && verdict === 'allowed';
    const how = maySeeNow(people, person, personalFrom) ? {} : ({ namesOnly: true } as const);
    const found = allowed ? inventory.suggest(of, query, LIMIT.menuOptions, how) : [];
    await ack(carried(of === null ? [] : found.map((one) => optionOf(of, one))).options);
  };
}

/** Numbers stay what they are when a name changes; packages have only their name. */
function optionOf(of: SearchedKind, { id, label, detail }: Suggestion): FormOption {
  const value = id === null ? label : String(id);
  const option = { value, label: of === 'group' ? pathTo(label, detail) : label };
  return detail === null || of === 'group' ? option : { ...option, detail };
}

/** The group's own name is what must be seen. */
function pathTo(name: string, above: string | null): string {
  if (above === null) return name;
  const path = `${above} / ${name}`;
  return path.length <= LIMIT.optionText ? path : `… / ${name}`;
}
