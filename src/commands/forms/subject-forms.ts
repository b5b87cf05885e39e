/** Forms of commands about one device, group or policy. */

import { z } from 'zod';
import { displayName } from '../../fleet/model/resources.ts';
import { HOUR, later } from '../../lib/clock.ts';
import { countsTowardsLimits } from '../../lib/rollout-limits.ts';
import { REASON_LENGTH, upperFirst } from '../../lib/text.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import type { CommandForm, FormValues, OpenedForm, ReadPorts } from '../core/command.ts';
import { fieldError, idValue, searchField, textValue } from '../core/field-values.ts';
import { matchName, type NameOrId, nameOrId } from '../targets/name-lookup.ts';
import { type DeviceRef, deviceRef, PERSON_PRIORITY, reasonSchema } from '../targets/resolve-device.ts';
import { resolveGroup } from '../targets/resolve-group-or-policy.ts';

export const DEVICE_FIELD = 'device';
export const REASON_FIELD = 'reason';

/** What was typed before the form opens. Values that do not fit are dropped. */
/** What was typed before a form opens, each part with what stands for one that is absent or does not fit. */
export function prefillOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const parts = z.object(shape);
  return parts.catch(() => parts.parse({}));
}

export const devicePrefillSchema = prefillOf({
  device: deviceRef.optional().catch(undefined),
  reason: reasonSchema.catch(null).default(null),
});

type DeviceFormOptions = {
  readonly command: string;
  readonly title: string;
  readonly submit: string;
  /** Adds a field for the reason, with this hint. */
  readonly reason?: string;
  /** Other typed input is passed on unchanged. */
  readonly carriesInput?: true;
};

export function deviceForm({ command, title, submit, reason, carriesInput }: DeviceFormOptions): CommandForm {
  return {
    async open(typed, ports) {
      const prefill = devicePrefillSchema.parse(typed);
      const device = deviceField(await deviceOption(prefill.device, ports));
      const why =
        reason === undefined
          ? []
          : [await changeReasonField(prefill.reason, { command, hint: reason }, ports)];
      const fields = [device, ...why];
      return { kind: 'form', form: { command, title, submit, fields, context: carriesInput ? typed : null } };
    },
    read(values, context) {
      const device = idValue(values, DEVICE_FIELD);
      if (device === null) return fieldError(DEVICE_FIELD, 'Choose a device.');
      const why = reason === undefined ? {} : { reason: enteredReason(values) };
      const input = { ...enteredInput.parse(context), device, ...why };
      return { kind: 'input', input };
    },
  };
}

/** Finds a device by name, ID, address, serial number or user, and shows its card. */
export const deviceSearch = deviceForm({ command: 'device', title: 'Find a device', submit: 'Show' });

export function deviceField(initial: FormOption | null): Extract<FormField, { kind: 'search' }> {
  return { kind: 'search', id: DEVICE_FIELD, label: 'Device', of: 'device', initial };
}

export const DEVICE_SUBJECT: FormSubject = {
  field: DEVICE_FIELD,
  missing: 'Choose a device.',
  menu: (chosen) => ({ ...deviceField(chosen), live: true }),
  option: deviceOption,
  prefill: (typed) => {
    const { device, reason } = devicePrefillSchema.parse(typed);
    return { ref: device, reason };
  },
};

export function reasonField(reason: string | null, hint: string, isRequired = false): FormField {
  const field = { kind: 'text', id: REASON_FIELD, label: 'Reason', hint, initial: reason ?? '' } as const;
  const most = { lines: true, most: REASON_LENGTH, upperFirst } as const;
  return isRequired ? { ...field, ...most } : { ...field, ...most, optional: true };
}

/** `devices`: how many are known to be meant. Those that the person asked for in the last hour count, too. */
export async function changeReasonField(
  reason: string | null,
  {
    command,
    devices = 1,
    hint = 'Approvers see it with the request.',
  }: { readonly command: string; readonly devices?: number; readonly hint?: string | undefined },
  { rollouts, records, asker, clock }: ReadPorts,
): Promise<FormField> {
  const { reasonFrom } = rollouts();
  const before = countsTowardsLimits({ kind: command })
    ? await records.requestedSince(asker, later(clock.now(), -HOUR))
    : 0;
  const isRequired = before + devices >= reasonFrom;
  if (devices === 1 && !isRequired) return reasonField(reason, hint);
  const counted = before === 0 ? '' : `, counting your ${before} of the last hour`;
  return reasonField(reason, `${hint} Required from ${reasonFrom} devices on${counted}.`, isRequired);
}

/** The device as a menu option; null unless exactly one matches. */
export async function deviceOption(
  device: DeviceRef | undefined,
  ports: ReadPorts,
): Promise<FormOption | null> {
  if (device === undefined) return null;
  const query = typeof device === 'number' ? `#${device}` : device;
  const found = await ports.inventory.find(query, { ...PERSON_PRIORITY, exact: true });
  if (found.kind !== 'one') return null;
  const { id, groupId } = found.device;
  const groupName = await ports.inventory.groupName(groupId, PERSON_PRIORITY);
  const detail = groupName === null ? [`#${id}`] : [`#${id}`, groupName];
  return { value: String(id), label: displayName(found.device), detail };
}

export function enteredReason(values: FieldValues): string | null {
  const reason = textValue(values, REASON_FIELD);
  return reason === '' ? null : reason;
}

export function groupOrPolicyForm(command: 'group' | 'policy'): CommandForm {
  return {
    open: async () => {
      const field = searchField(command, upperFirst(command), command, null);
      const form = { command, title: `Show a ${command}`, submit: 'Show', fields: [field], context: null };
      return { kind: 'form', form };
    },
    read(values) {
      const id = idValue(values, command);
      if (id === null) return fieldError(command, `Choose a ${command}.`);
      return { kind: 'input', input: { [command]: id } };
    },
  };
}

export const GROUP_FIELD = 'group';

/** What was typed before the form opens. Values that do not fit are dropped. */
export const groupPrefillSchema = prefillOf({
  group: nameOrId.optional().catch(undefined),
  reason: z.string().nullable().catch(null).default(null),
});

/** The group as a menu shows it; null where none is meant, or not exactly one. */
export async function groupOption(group: NameOrId | undefined, ports: ReadPorts): Promise<FormOption | null> {
  if (group === undefined) return null;
  const found = await resolveGroup(group, () => ({ command: 'group', input: {} }), ports);
  if (found.kind === 'view') return null;
  const name = await ports.inventory.groupName(found.id, PERSON_PRIORITY);
  return name === null ? null : { value: String(found.id), label: name, detail: `#${found.id}` };
}

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

export const POLICY_FIELD = 'policy';

/** Whether it can be run, and on which of the devices, is found out when it is requested. */
export async function policySearchField(
  ref: NameOrId | undefined,
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<Extract<FormField, { kind: 'search' }>> {
  const { policies } = await inventory.snapshot(PERSON_PRIORITY);
  const found = ref === undefined ? null : matchName(ref, policies, ({ name }) => name);
  const known = found?.kind === 'one' ? policies.find(({ id }) => id === found.id) : undefined;
  const initial = known === undefined ? null : { value: String(known.id), label: known.name };
  return { kind: 'search', id: POLICY_FIELD, label: 'Policy', of: 'policy', initial };
}

type DependentFormOptions<Given> = {
  readonly command: string;
  readonly title: string;
  readonly submit: string;
  /** Hint below the reason, where it is not the usual one. */
  readonly reason?: string;
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

/** The form of commands whose fields depend on a device or group: what chooses it, its fields, and a reason. */
export function dependentForm<Given>(
  { field, missing, menu, option, prefill }: FormSubject,
  options: DependentFormOptions<Given>,
): CommandForm {
  const { command, title, submit, parsePrefill, enteredValues, buildFields, read } = options;

  type Known = { readonly chosen: FormOption | null; readonly given: Given; readonly reason: string | null };
  const draw = async (known: Known, before: unknown, ports: ReadPorts): Promise<OpenedForm> => {
    const { chosen, given, reason } = known;
    const drawn = await buildFields(chosen, given, ports);
    const why = await changeReasonField(reason, { command, hint: options.reason }, ports);
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

export type FormSubject = {
  /** Its field, which has its name in the command's input. */
  readonly field: string;
  /** The error where none is chosen. */
  readonly missing: string;
  readonly menu: (chosen: FormOption | null) => FormField;
  readonly option: (ref: string | number | undefined, ports: ReadPorts) => Promise<FormOption | null>;
  readonly prefill: (typed: unknown) => {
    readonly ref: string | number | undefined;
    readonly reason: string | null;
  };
};

/** Slack limits the metadata of a window to 3,000 characters. */
const MAX_CARRIED = 500;

export const enteredInput = z.record(z.string(), z.unknown()).catch({});
const carried = z.object({ typed: enteredInput }).catch({ typed: {} });

/** Kept in the form's metadata for fields that are drawn later; what is too long is left out. */
export function withPrefill(typed: unknown, apart: readonly string[]) {
  const rest = Object.entries(enteredInput.parse(typed)).filter(([name]) => !apart.includes(name));
  const carriedFields = Object.fromEntries(rest);
  return { typed: JSON.stringify(carriedFields).length > MAX_CARRIED ? {} : carriedFields };
}

export function prefillIn(context: unknown): Readonly<Record<string, unknown>> {
  return carried.parse(context).typed;
}
