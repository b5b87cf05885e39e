/** The form of commands whose fields depend on the device: which one, then what can be asked of it, and why. */
import type { FieldValues, FormField, FormOption } from '../../../views/models/form-model.ts';
import type { ReadPorts } from '../../core/command.ts';
import type { CommandForm, FormValues, OpenedForm } from './command-form.ts';
import { prefillIn, withPrefill } from './command-form.ts';
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
  /** Said below the reason. */
  readonly reason: string;
  /** What was typed before the form was opened. */
  readonly parsePrefill: (typed: unknown) => Given;
  /** What was chosen for this device, where the form is drawn anew; null: nothing yet, so what was typed holds. */
  readonly enteredValues: (device: number, values: FieldValues) => Given | null;
  /** What stands between the device and the reason; null: no device is chosen yet. */
  readonly buildFields: (device: FormOption | null, given: Given, ports: ReadPorts) => Promise<DrawnFields>;
  /** The input but for the device and the reason. From memory alone. */
  readonly read: (device: number, values: FieldValues, context: unknown) => PartialFormRead;
};

/** Fields, and what the window carries beside them. */
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

/** Words in place of fields. */
export function textBlockField(text: string): FormField {
  return { kind: 'words', text };
}
