/** The form of commands whose fields depend on the device: the device, its fields, and a reason. */
import type { FieldValues, FormField, FormOption } from '../../../views/models/form-model.ts';
import type { ReadPorts } from '../../core/command.ts';
import {
  type CommandForm,
  type FormValues,
  type OpenedForm,
  prefillIn,
  withPrefill,
} from './command-form.ts';
import {
  DEVICE_FIELD,
  deviceField,
  deviceOption,
  devicePrefillSchema,
  enteredReason,
  REASON_FIELD,
  reasonField,
  selectedDevice,
} from './device-form.ts';
import { fieldError } from './field-values.ts';

export type DeviceDependentFormOptions<Given> = {
  readonly command: string;
  readonly title: string;
  readonly submit: string;
  /** Hint below the reason. */
  readonly reason: string;
  /** What was typed before the form was opened. */
  readonly parsePrefill: (typed: unknown) => Given;
  /** The values entered for this device when the form is redrawn; null: none yet, so the prefill applies. */
  readonly enteredValues: (device: number, values: FieldValues) => Given | null;
  /** The fields between device and reason; `device` is null before one is selected. */
  readonly buildFields: (device: FormOption | null, given: Given, ports: ReadPorts) => Promise<DrawnFields>;
  /** The input without device and reason. Reads nothing: Slack waits three seconds. */
  readonly read: (device: number, values: FieldValues, context: unknown) => PartialFormRead;
};

/** The fields, and what the window's metadata keeps. */
export type DrawnFields = { readonly fields: readonly FormField[]; readonly context: object };

export type PartialFormRead =
  | { readonly kind: 'input'; readonly input: object }
  | Extract<FormValues, { readonly kind: 'errors' }>;

export function deviceDependentForm<Given>(options: DeviceDependentFormOptions<Given>): CommandForm {
  const { command, title, submit, parsePrefill, enteredValues, read } = options;

  type Known = { readonly device: FormOption | null; readonly given: Given; readonly reason: string | null };
  const draw = async (known: Known, before: unknown, ports: ReadPorts): Promise<OpenedForm> => {
    const { device, given: prefill, reason } = known;
    const drawn = await options.buildFields(device, prefill, ports);
    const which = { ...deviceField(device), live: true } as const;
    const fields = [which, ...drawn.fields, reasonField(reason, options.reason)];
    const context = { ...drawn.context, ...withPrefill(before, [DEVICE_FIELD, REASON_FIELD]) };
    return { kind: 'form', form: { command, title, submit, fields, context } };
  };
  return {
    async open(from, ports) {
      const { device, reason } = devicePrefillSchema.parse(from);
      return draw(
        { device: await deviceOption(device, ports), given: parsePrefill(from), reason },
        from,
        ports,
      );
    },
    async redraw(values, context, ports) {
      const id = selectedDevice(values);
      const before = prefillIn(context);
      const prefill = (id === null ? null : enteredValues(id, values)) ?? parsePrefill(before);
      const device = await deviceOption(id ?? undefined, ports);
      return draw({ device, given: prefill, reason: enteredReason(values) }, before, ports);
    },
    read(values, context) {
      const device = selectedDevice(values);
      if (device === null) return fieldError(DEVICE_FIELD, 'Choose a device.');
      const part = read(device, values, context);
      if (part.kind === 'errors') return part;
      return { kind: 'input', input: { device, ...part.input, reason: enteredReason(values) } };
    },
  };
}

/** Text in place of fields. */
export function textBlockField(text: string): FormField {
  return { kind: 'words', text };
}
