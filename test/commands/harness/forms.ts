/** Opened forms, and what is entered in them. */
import type { CommandForm, FormPorts, OpenedForm } from '../../../src/commands/core/command.ts';
import type { FieldValues, FormField, FormView } from '../../../src/views/models/form-model.ts';

export type Entered = Readonly<Record<string, readonly string[]>>;

export const valuesOf = (entered: Entered): FieldValues => new Map(Object.entries(entered));

export async function drawn(opened: OpenedForm | Promise<OpenedForm> | undefined): Promise<FormView> {
  const result = await opened;
  if (result?.kind !== 'form') throw new Error(JSON.stringify(result));
  return result.form;
}

/** The form of a command: how it opens, and what it makes of what was entered. */
export const formTests = (portsOf: () => FormPorts) => ({
  open: ({ form }: { readonly form?: CommandForm }, given: unknown, ports = portsOf()) =>
    drawn(form?.open(given, ports)),
  read: ({ form }: { readonly form?: CommandForm }, entered: Entered, context: unknown = null) =>
    form?.read(valuesOf(entered), context, portsOf()),
});

export const textOf = ({ fields }: Pick<FormView, 'fields'>): string =>
  fields.flatMap((field) => (field.kind === 'words' ? [field.text] : [])).join('\n');

export function fieldOf(fields: readonly FormField[], id: string): FormField {
  const found = fields.find((field) => field.kind !== 'words' && field.id === id);
  if (found === undefined) throw new Error(`no field ${id} in ${JSON.stringify(fields)}`);
  return found;
}
