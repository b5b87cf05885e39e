/** The form of commands whose fields depend on the device: which one, then what can be asked of it, and why. */
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../command.ts';
import {
  chosenDevice,
  DEVICE,
  deviceField,
  deviceOption,
  givenDevice,
  givenReason,
  REASON,
  reasonField,
} from './device-form.ts';
import type { Form, FormOpened, FormRead } from './form.ts';
import { errorOn } from './form-values.ts';
import { typedIn, withTyped } from './typed-before.ts';

export type ChosenDeviceFormOptions<Given> = {
  readonly command: string;
  readonly title: string;
  readonly submit: string;
  /** Said below the reason. */
  readonly reason: string;
  /** What was typed before the form was opened. */
  readonly typed: (typed: unknown) => Given;
  /** What was chosen for this device, where the form is drawn anew; null: nothing yet, so what was typed holds. */
  readonly entered: (device: number, values: FieldValues) => Given | null;
  /** What stands between the device and the reason; null: no device is chosen yet. */
  readonly draw: (device: FormOption | null, given: Given, ports: ReadPorts) => Promise<Drawn>;
  /** The input but for the device and the reason. From memory alone. */
  readonly read: (device: number, values: FieldValues, context: unknown) => PartRead;
};

/** Fields, and what the window carries beside them. */
export type Drawn = { readonly fields: readonly FormField[]; readonly context: object };

export type PartRead =
  | { readonly kind: 'input'; readonly input: object }
  | Extract<FormRead, { readonly kind: 'errors' }>;

export function chosenDeviceForm<Given>(options: ChosenDeviceFormOptions<Given>): Form {
  const { command, title, submit, typed, entered, read } = options;

  type Known = { readonly device: FormOption | null; readonly given: Given; readonly reason: string | null };
  const draw = async (known: Known, before: unknown, ports: ReadPorts): Promise<FormOpened> => {
    const { device, given, reason } = known;
    const drawn = await options.draw(device, given, ports);
    const which = { ...deviceField(device), live: true } as const;
    const fields = [which, ...drawn.fields, reasonField(reason, options.reason)];
    const context = { ...drawn.context, ...withTyped(before, [DEVICE, REASON]) };
    return { kind: 'form', form: { command, title, submit, fields, context } };
  };
  return {
    async open(from, ports) {
      const { device, reason } = givenDevice.parse(from);
      return draw({ device: await deviceOption(device, ports), given: typed(from), reason }, from, ports);
    },
    async redraw(values, context, ports) {
      const id = chosenDevice(values);
      const before = typedIn(context);
      const given = (id === null ? null : entered(id, values)) ?? typed(before);
      const device = await deviceOption(id ?? undefined, ports);
      return draw({ device, given, reason: givenReason(values) }, before, ports);
    },
    read(values, context) {
      const device = chosenDevice(values);
      if (device === null) return errorOn(DEVICE, 'Choose a device.');
      const part = read(device, values, context);
      if (part.kind === 'errors') return part;
      return { kind: 'input', input: { device, ...part.input, reason: givenReason(values) } };
    },
  };
}

/** Words in place of fields. */
export function wordsField(text: string): FormField {
  return { kind: 'words', text };
}
