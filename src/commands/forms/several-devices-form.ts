/** The form of a change of several devices: a picker, or a line of names or filters with what it matches now. */

import { z } from 'zod';
import { displayName } from '../../fleet/model/resources.ts';
import { SECOND } from '../../lib/clock.ts';
import { unpackIds } from '../../lib/ids.ts';
import { quoteStructure } from '../../lib/text.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import type { CommandForm, FormPorts, FormValues, OpenedForm, TypedInput } from '../core/command.ts';
import {
  fieldError,
  idValue,
  idValues,
  searchesField,
  textField,
  textValue,
  usageFaultText,
} from '../core/field-values.ts';
import { expandSaved, usesSavedTarget } from '../parser/named-lines.ts';
import type { LineWords } from '../parser/tokenizer.ts';
import { usageFault } from '../parser/usage-errors.ts';
import { type DeviceFilter, deviceQueryText, PERSONAL_KEYS } from '../targets/device-query.ts';
import { findDevices } from '../targets/find-devices.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { severalNames } from '../targets/resolve-targets.ts';
import { parseTargetLine, type TargetLine, targetFields } from '../targets/target-line.ts';
import { enteredOptions, lineWords, optionFields, optionValues } from './rollout-options-field.ts';
import { changeReasonField, DEVICE_FIELD, deviceOption, enteredReason } from './subject-forms.ts';

/** Tells this form from that of one device. */
export const DEVICES_FIELD = 'devices';

/** More names than this stand in the line, where they can be read and changed. A menu shows 100 (Slack). */
export const MAX_PICKED = 50;

const prefillSchema = z
  .object({ ...targetFields, reason: targetFields.reason.catch(null).default(null) })
  .partial()
  .catch({});

/** Of a form that was opened for devices of a list. */
const chosenIds = z.object({ ids: targetFields.ids }).catch({});

export type SeveralDevicesFormOptions = {
  readonly command: string;
  readonly title: string;
  readonly submit: string;
  /** Hint below the reason, where it is not the usual one. */
  readonly reason?: string;
  /** The command's own fields, with what was typed or entered before; with `ids` the devices are chosen already. */
  readonly ownFields?: (typed: unknown, ports: FormPorts) => Promise<readonly FormField[]>;
  readonly readOwn?: (
    values: FieldValues,
  ) => { readonly kind: 'input'; readonly input: object } | Extract<FormValues, { kind: 'errors' }>;
};

type Drawn = {
  readonly picked: readonly FormOption[];
  readonly line: string;
  readonly options: FieldValues;
  readonly reason: string | null;
};

/** With a line for several devices, which turns it into the form of those. */
export function withSeveralDevices(single: CommandForm, options: SeveralDevicesFormOptions): CommandForm {
  const several = severalDevicesForm(options);
  return {
    async open(typed, ports) {
      if (await meansSeveral(typed, ports)) return several.open(typed, ports);
      return withLine(await single.open(typed, ports));
    },
    async redraw(values, context, ports) {
      if (values.has(DEVICES_FIELD)) return several.redraw(values, context, ports);
      const line = textValue(values, LINE_FIELD);
      if (line !== '')
        return several.draw({ picked: [], line, options: values, reason: enteredReason(values) }, {}, ports);
      if (single.redraw !== undefined) return withLine(await single.redraw(values, context, ports));
      const entered = { device: idValue(values, DEVICE_FIELD) ?? undefined, reason: enteredReason(values) };
      return withLine(await single.open(entered, ports));
    },
    read(values, context, ports) {
      if (values.has(DEVICES_FIELD)) return several.read(values, context);
      const line = textValue(values, LINE_FIELD);
      if (line === '') return single.read(values, context, ports);
      if (values.get(DEVICE_FIELD)?.[0] !== undefined)
        return fieldError(LINE_FIELD, 'Use either the device above or this line, not both.');
      // The fields of several devices may be other ones, which are not shown yet.
      if (options.ownFields === undefined) return several.read(values, context);
      return fieldError(
        LINE_FIELD,
        'Press Enter in this field first, to see the fields for several devices.',
      );
    },
  };
}

async function meansSeveral(typed: unknown, ports: FormPorts): Promise<boolean> {
  const { device, filters, rollout } = prefillSchema.parse(typed);
  if (filters !== undefined || rollout !== undefined) return true;
  return device !== undefined && (await severalNames(device, ports)) !== null;
}

/** Until a device is chosen it is not required, because the line below may stand in its place. */
function withLine(opened: OpenedForm): OpenedForm {
  if (opened.kind !== 'form') return opened;
  const fields = opened.form.fields.flatMap((field): readonly FormField[] =>
    field.kind === 'search' && field.id === DEVICE_FIELD && field.initial === null
      ? [{ ...field, optional: true }, lineField('', 'Or several devices')]
      : [field],
  );
  return { kind: 'form', form: { ...opened.form, fields } };
}

function severalDevicesForm({ ownFields, readOwn, reason: reasonHint, ...head }: SeveralDevicesFormOptions) {
  const draw = async (known: Drawn, own: unknown, ports: FormPorts): Promise<OpenedForm> => {
    const { picked, line, options, reason } = known;
    const matches = line === '' ? null : await drawLine(line, ports);
    const { ids } = chosenIds.parse(own);
    const seen = ids === undefined ? null : unpackIds(ids);
    const devices = picked.length > 0 ? picked.length : (seen?.length ?? matches?.devices ?? 0);
    const fields: readonly FormField[] = [
      searchesField(DEVICES_FIELD, 'Devices', 'device', picked, { optional: true }),
      lineField(line, 'Or names or filters'),
      ...(matches === null ? [] : [{ kind: 'words', text: matches.text } as const]),
      ...((await ownFields?.(own, ports)) ?? []),
      ...optionFields(options),
      await changeReasonField(reason, { command: head.command, devices, hint: reasonHint }, ports),
    ];
    return { kind: 'form', form: { ...head, fields, context: matches?.context ?? null } };
  };
  return {
    draw,
    async open(typed: unknown, ports: FormPorts): Promise<OpenedForm> {
      const { rollout = {}, reason = null, ...target } = prefillSchema.parse(typed);
      const known = await prefilledDevices(target, ports);
      return draw({ ...known, options: optionValues(rollout), reason }, typed, ports);
    },
    async redraw(values: FieldValues, context: unknown, ports: FormPorts): Promise<OpenedForm> {
      const picked = await optionsOf(idValues(values, DEVICES_FIELD), ports);
      const own = readOwn?.(values);
      const line = textValue(values, LINE_FIELD);
      const known = { picked, line, options: values, reason: enteredReason(values) };
      const entered = own?.kind === 'input' ? own.input : {};
      return draw(known, { ...chosenIds.parse(context), ...entered }, ports);
    },
    read(values: FieldValues, context: unknown): FormValues {
      const target = readTarget(values, context);
      if (target.kind === 'errors') return target;
      const options = enteredOptions(values);
      if (options.kind === 'errors') return options;
      const own = readOwn?.(values) ?? ({ kind: 'input', input: {} } as const);
      if (own.kind === 'errors') return own;
      const rollout = { ...target.rollout, ...options.input.rollout };
      const some = Object.keys(rollout).length === 0 ? {} : { rollout };
      return {
        kind: 'input',
        input: { ...target.input, ...own.input, ...some, reason: enteredReason(values) },
      };
    },
  };
}

/** Names that are each one device are picked; all else stands in the line as it was typed. */
async function prefilledDevices(
  { device, filters }: z.infer<typeof prefillSchema>,
  ports: FormPorts,
): Promise<Pick<Drawn, 'picked' | 'line'>> {
  if (filters !== undefined)
    return { picked: [], line: deviceQueryText({ words: [], filters: [...filters] }) };
  if (device === undefined) return { picked: [], line: '' };
  const names = (await severalNames(device, ports)) ?? [device];
  const picked = names.length > MAX_PICKED ? [] : await optionsOf(names, ports);
  return picked.length === names.length ? { picked, line: '' } : { picked: [], line: String(device) };
}

async function optionsOf(
  devices: readonly (string | number)[],
  ports: FormPorts,
): Promise<readonly FormOption[]> {
  const options = await Promise.all(devices.map((device) => deviceOption(device, ports)));
  return options.filter((option) => option !== null);
}

function readTarget(values: FieldValues, context: unknown) {
  const ids = idValues(values, DEVICES_FIELD);
  const line = textValue(values, LINE_FIELD);
  if (ids.length > 0 && line !== '')
    return fieldError(LINE_FIELD, 'Use either the devices above or this line, not both.');
  if (ids.length > 0)
    return { kind: 'target' as const, input: { device: ids.map((id) => `#${id}`).join(', ') }, rollout: {} };
  if (line === '')
    return fieldError(
      values.has(DEVICES_FIELD) ? DEVICES_FIELD : LINE_FIELD,
      'Choose devices, or enter names or filters below.',
    );
  const read = readLine(line, context);
  if (read.kind === 'fault') return fieldError(LINE_FIELD, usageFaultText(read.fault));
  return { kind: 'target' as const, input: read.input.target, rollout: read.input.rollout ?? {} };
}

export const LINE_FIELD = 'filters';

/** A text field holds 3,000 characters (Slack). */
const MOST = 2_900;

function lineField(initial: string, label: string): FormField {
  const hint =
    'Names or #IDs separated by commas, or filters such as group:"Linux servers" is:online. Press Enter to see the matches.';
  return textField(LINE_FIELD, label, initial, MOST, { hint, optional: true, live: true });
}

type DeviceLine = Pick<TargetLine, 'target' | 'rollout'>;

/** Longer than a typed line may be: the devices of a retry. */
const IDS = /^#\d{1,15}(?: ?, ?#\d{1,15})*$/;

/** What saved targets in the line stood for when the window was drawn: a form is read without asking anybody. */
const expandedLine = z.object({
  line: z.string(),
  filters: targetFields.filters,
  rollout: targetFields.rollout,
});
/** The metadata of a window holds 3,000 characters (Slack), and the form's own. */
const MAX_CONTEXT = 2_000;

/** `context`: what {@link drawLine} left for this. */
function readLine(line: string, context: unknown): TypedInput<DeviceLine> {
  if (IDS.test(line)) return { kind: 'input', input: { target: { device: line } } };
  const words = lineWords(line);
  if (words.kind === 'fault') return words;
  if (!usesSavedTarget(words.input)) return readWords(words.input);
  const drawn = expandedLine.safeParse(context);
  if (!drawn.success || drawn.data.line !== line)
    return usageFault({ kind: 'missing', what: 'Press Enter in this field to look up the saved target.' });
  const { filters, rollout } = drawn.data;
  const target = filters === undefined ? {} : { filters };
  return { kind: 'input', input: { target, ...(rollout === undefined ? {} : { rollout }) } };
}

function readWords(words: LineWords): TypedInput<DeviceLine> {
  if (words.reason !== null)
    return usageFault({ kind: 'bad-value', word: 'because', expected: 'the reason in its own field' });
  return parseTargetLine(words);
}

/** What the line matches now: how many devices, and some of them. `context`: for {@link readLine}. */
async function drawLine(
  line: string,
  ports: FormPorts,
): Promise<{ readonly text: string; readonly devices?: number; readonly context: unknown }> {
  if (IDS.test(line)) return { text: LOOKED_UP_LATER, context: null };
  const words = lineWords(line);
  if (words.kind === 'fault') return { text: usageFaultText(words.fault), context: null };
  const saved = { saved: ports.settings.saved, person: ports.asker };
  const full = await expandSaved(words.input, saved, 'filters');
  const read = full.kind === 'fault' ? full : readWords(full.words);
  if (read.kind === 'fault') return { text: usageFaultText(read.fault), context: null };
  const { target, rollout } = read.input;
  if (target.filters === undefined) return { text: LOOKED_UP_LATER, context: null };
  const { text, devices } = await matchingDevices(target.filters, ports);
  if (!usesSavedTarget(words.input)) return { text, devices, context: null };
  const context = { line, filters: target.filters, ...(rollout === undefined ? {} : { rollout }) };
  if (JSON.stringify(context).length <= MAX_CONTEXT) return { text, devices, context };
  return { text: `${text}\nA saved target of this length has to be typed as a command.`, context: null };
}

const LOOKED_UP_LATER = 'Each name is looked up when you send the form.';

const SAMPLE = 5;
/** What devices miss is read behind the form if it takes longer. */
const PACKAGE_WAIT_MS = 2 * SECOND;

export async function matchingDevices(
  filters: readonly DeviceFilter[],
  ports: FormPorts,
): Promise<{ readonly text: string; readonly devices: number }> {
  if (ports.personalFrom !== undefined && filters.some(({ key }) => PERSONAL_KEYS.has(key)))
    return none('These filters need a higher role.');
  const snapshot = await ports.inventory.snapshot(PERSON_PRIORITY);
  const found = await findDevices(snapshot, { words: [], filters }, ports, { waitMs: PACKAGE_WAIT_MS });
  if (found.kind === 'unknown') return none(`No device has “${found.unknown.value}”.`);
  const { devices, packages } = found;
  if (packages !== null && packages.looked < packages.candidates)
    return none(
      `Packages of ${packages.looked} of ${packages.candidates} devices read so far. Press Enter again in a minute.`,
    );
  if (devices.length === 0) return none('No devices match.');
  const names = devices
    .slice(0, SAMPLE)
    .map((device) => `${quoteStructure(displayName(device))} · #${device.id}`);
  const more = devices.length > SAMPLE ? `\nand ${devices.length - SAMPLE} more` : '';
  const count = devices.length === 1 ? '1 device matches' : `${devices.length} devices match`;
  return { text: `${count} now:\n${names.join('\n')}${more}`, devices: devices.length };
}

const none = (text: string) => ({ text, devices: 0 });
