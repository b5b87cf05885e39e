/** The field in which a person types the name of what is removed. */
import { z } from 'zod';
import { quoteStructure } from '../../../lib/text.ts';
import type { FieldValues, FormField } from '../../../views/models/form-model.ts';
import { isNameTyped, type NamedRecord, nameToType } from '../../changes/removal.ts';
import { type DrawnFields, type PartialFormRead, textBlockField } from './dependent-form.ts';
import { fieldError, textValue } from './field-values.ts';

/** Each thing has its own field, so that a name typed for one does not confirm another. */
const confirmFieldId = (id: number): string => `confirm:${id}`;

const MAX_LENGTH = 300;

/** What the window keeps of the thing: the name that it asks for. */
const confirmContext = z
  .object({ confirms: z.object({ id: z.int(), name: z.string() }).nullable() })
  .catch({ confirms: null });

/** What goes with the thing, and the field for its name. */
export function confirmFields(
  thing: 'device' | 'group',
  { id, name }: NamedRecord,
  lines: readonly string[],
): DrawnFields {
  // Slack limits the metadata of a window, so a long name stays out of it.
  const asked = nameToType({ id, name });
  const label = `Type the ${thing}’s name to confirm`;
  const field: FormField = {
    kind: 'text',
    id: confirmFieldId(id),
    label,
    hint: quoteStructure(asked),
    initial: '',
    most: MAX_LENGTH,
  };
  return {
    fields: [textBlockField(lines.join('\n')), field],
    context: { confirms: { id, name: asked } },
  };
}

/** Why there is no name to type. */
export function nothingToConfirm(why: string): DrawnFields {
  return {
    fields: [textBlockField(why)],
    context: { confirms: null },
  };
}

/** What was typed, or the error at its field. `field`: that of the thing itself. */
export function readConfirmation(
  values: FieldValues,
  { id, context, field }: { readonly id: number; readonly context: unknown; readonly field: string },
): PartialFormRead {
  const { confirms } = confirmContext.parse(context);
  const own = confirmFieldId(id);
  if (!values.has(own) || confirms?.id !== id)
    return fieldError(field, 'What goes with it isn’t shown yet. Wait a moment, then send again.');
  const confirm = textValue(values, own);
  if (isNameTyped(confirm, confirms)) return { kind: 'input', input: { confirm } };
  return fieldError(own, `The name doesn’t match. Type ${quoteStructure(nameToType(confirms))} to confirm.`);
}
