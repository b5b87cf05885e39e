/** The field in which a person types the name of what is removed. */
import { z } from 'zod';
import type { FieldValues, FormField } from '../../../views/models/form-model.ts';
import { isNameTyped, type NamedRecord, nameToType } from '../../changes/removal.ts';
import type { FormValues } from './command-form.ts';
import { fieldError, textValue } from './field-values.ts';

/** Each thing has its own field, so that a name typed for one does not confirm another. */
const confirmFieldId = (id: number): string => `confirm:${id}`;

const MAX_LENGTH = 300;

/** What the window keeps of the thing: the name that it asks for. */
const confirmContext = z
  .object({ confirms: z.object({ id: z.int(), name: z.string() }).nullable() })
  .catch({ confirms: null });

/** Slack limits the metadata of a window, so a long name stays out of it. */
export function confirmContextOf(record: NamedRecord): z.infer<typeof confirmContext> {
  return { confirms: { id: record.id, name: nameToType(record) } };
}

export function confirmField(thing: 'device' | 'group', record: NamedRecord): FormField {
  return {
    kind: 'text',
    id: confirmFieldId(record.id),
    label: `Type the ${thing}’s name to confirm`,
    hint: nameToType(record),
    initial: '',
    most: MAX_LENGTH,
  };
}

export type Confirmed =
  | { readonly kind: 'confirmed'; readonly confirm: string }
  | Extract<FormValues, { kind: 'errors' }>;

/** What was typed, or the error at its field. `field`: that of the thing itself. */
export function readConfirmation(
  values: FieldValues,
  { id, context, field }: { readonly id: number; readonly context: unknown; readonly field: string },
): Confirmed {
  const { confirms } = confirmContext.parse(context);
  const own = confirmFieldId(id);
  if (!values.has(own) || confirms?.id !== id)
    return fieldError(field, 'What goes with it isn’t shown yet. Wait a moment, then send again.');
  const confirm = textValue(values, own);
  if (isNameTyped(confirm, confirms)) return { kind: 'confirmed', confirm };
  return fieldError(own, `The name doesn’t match. Type ${nameToType(confirms)} to confirm.`);
}
