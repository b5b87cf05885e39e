/** The form of commands that are about one group or one policy. */

import { z } from 'zod';
import type { FormOption } from '../../../views/models/form-model.ts';
import type { ReadPorts } from '../../core/command.ts';
import { type NameOrId, nameOrId } from '../../targets/name-lookup.ts';
import { PERSON_PRIORITY } from '../../targets/resolve-device.ts';
import { resolveGroup } from '../../targets/resolve-group.ts';
import type { CommandForm, FormSubject } from './command-form.ts';
import { fieldError, idValue } from './field-values.ts';

export type GroupOrPolicyFormOptions = {
  readonly command: string;
  /** What is looked for; the command's input and the field have its name. */
  readonly searchedKind: 'group' | 'policy';
  readonly title: string;
  readonly label: string;
};

export function groupOrPolicyForm({
  command,
  searchedKind,
  title,
  label,
}: GroupOrPolicyFormOptions): CommandForm {
  return {
    open: async () => {
      const field = { kind: 'search', id: searchedKind, label, of: searchedKind, initial: null } as const;
      return { kind: 'form', form: { command, title, submit: 'Show', fields: [field], context: null } };
    },
    read(values) {
      const id = idValue(values, searchedKind);
      if (id === null) return fieldError(searchedKind, `Choose a ${searchedKind}.`);
      return { kind: 'input', input: { [searchedKind]: id } };
    },
  };
}

export const GROUP_FIELD = 'group';

/** What was typed before the form opens. Values that do not fit are dropped. */
export const groupPrefillSchema = z
  .object({
    group: nameOrId.optional().catch(undefined),
    reason: z.string().nullable().catch(null).default(null),
  })
  .catch({ group: undefined, reason: null });

/** The group as a menu shows it; null where none is meant, or not exactly one. */
export async function groupOption(group: NameOrId | undefined, ports: ReadPorts): Promise<FormOption | null> {
  if (group === undefined) return null;
  const found = await resolveGroup(group, () => ({ command: 'group', input: {} }), ports);
  if (found.kind === 'view') return null;
  const name = await ports.inventory.groupName(found.id, PERSON_PRIORITY);
  return name === null ? null : { value: String(found.id), label: name, detail: `#${found.id}` };
}

/** A form whose fields depend on a group. */
export const GROUP_SUBJECT: FormSubject = {
  field: GROUP_FIELD,
  missing: 'Choose a group.',
  menu: (initial) => ({ kind: 'search', id: GROUP_FIELD, label: 'Group', of: 'group', initial, live: true }),
  option: groupOption,
  prefill: (typed) => {
    const { group, reason } = groupPrefillSchema.parse(typed);
    return { ref: group, reason };
  },
};
