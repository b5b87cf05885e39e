/** The form of commands whose fields depend on a device or group: what chooses it, its fields, and a reason. */
import type { FieldValues, FormField, FormOption } from '../../../views/models/form-model.ts';
import type { ReadPorts } from '../../core/command.ts';
import {
  type CommandForm,
  type FormSubject,
  type FormValues,
  type OpenedForm,
  prefillIn,
  withPrefill,
} from './command-form.ts';
import { changeReasonField, enteredReason, REASON_FIELD } from './device-form.ts';
import { fieldError, idValue } from './field-values.ts';

export type DependentFormOptions<Given> = {
  readonly command: string;
  readonly title: string;
  readonly submit: string;
  /** Hint below the reason. */
  readonly reason: string;
  /** What was typed before the form was opened. */
  readonly parsePrefill: (typed: unknown) => Given;
  /** The values entered for this subject when the form is redrawn; null or absent: the prefill applies. */
  readonly enteredValues?: (id: number, values: FieldValues) => Given | null;
  /** The fields between subject and reason; `chosen` is null before one is selected. */
  readonly buildFields: (chosen: FormOption | null, given: Given, ports: ReadPorts) => Promise<DrawnFields>;
  /** The input without subject and reason. Reads nothing: Slack waits three seconds. */
  readonly read: (id: number, values: FieldValues, context: unknown, ports: ReadPorts) => PartialFormRead;
};

/** The fields, and what the window's metadata keeps. */
export type DrawnFields = { readonly fields: readonly FormField[]; readonly context: object };

export type PartialFormRead =
  | { readonly kind: 'input'; readonly input: object }
  | Extract<FormValues, { readonly kind: 'errors' }>;

export function dependentForm<Given>(
  { field, missing, menu, option, prefill }: FormSubject,
  options: DependentFormOptions<Given>,
): CommandForm {
  const { command, title, submit, parsePrefill, enteredValues, buildFields, read } = options;

  type Known = { readonly chosen: FormOption | null; readonly given: Given; readonly reason: string | null };
  const draw = async (known: Known, before: unknown, ports: ReadPorts): Promise<OpenedForm> => {
    const { chosen, given, reason } = known;
    const drawn = await buildFields(chosen, given, ports);
    const why = await changeReasonField(reason, options.reason, { command }, ports);
    const fields = [menu(chosen), ...drawn.fields, why];
    const context = { ...drawn.context, ...withPrefill(before, [field, REASON_FIELD]) };
    return { kind: 'form', form: { command, title, submit, fields, context } };
  };
  return {
    async open(from, ports) {
      const { ref, reason } = prefill(from);
      return draw({ chosen: await option(ref, ports), given: parsePrefill(from), reason }, from, ports);
    },
    async redraw(values, context, ports) {
      const id = idValue(values, field);
      const before = prefillIn(context);
      const given = (id === null ? null : enteredValues?.(id, values)) ?? parsePrefill(before);
      const chosen = await option(id ?? undefined, ports);
      return draw({ chosen, given, reason: enteredReason(values) }, before, ports);
    },
    read(values, context, ports) {
      const id = idValue(values, field);
      if (id === null) return fieldError(field, missing);
      const part = read(id, values, context, ports);
      if (part.kind === 'errors') return part;
      return { kind: 'input', input: { [field]: id, ...part.input, reason: enteredReason(values) } };
    },
  };
}

export function textBlockField(text: string): FormField {
  return { kind: 'words', text };
}
