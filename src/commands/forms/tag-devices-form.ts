/** The form of `device-edit` for several devices: the tags to add and to remove. */
import { z } from 'zod';
import type { FormField } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { reasonSchema } from '../targets/resolve-device.ts';
import type { CommandForm } from './shared/command-form.ts';
import { deviceOption, enteredReason, reasonField } from './shared/device-form.ts';
import { commaList, fieldError, idValues, textValue } from './shared/field-values.ts';

/** The field that tells this form from that of one device. */
export const DEVICES_FIELD = 'devices';
const ADD_FIELD = 'add';
const REMOVE_FIELD = 'remove';
/** A text field holds 3,000 characters (Slack). */
const MAX_TAGS_LENGTH = 2_900;

const texts = z.array(z.string()).catch([]).default([]);
/** What was typed before the form opens. Values that do not fit are dropped. */
const prefillSchema = z
  .object({ add: texts, remove: texts, reason: reasonSchema.catch(null).default(null) })
  .catch({ add: [], remove: [], reason: null });

/** Opens with the devices of these names. */
export async function openTagsForm(names: readonly string[], typed: unknown, ports: ReadPorts) {
  const { add, remove, reason } = prefillSchema.parse(typed);
  const options = await Promise.all(names.map((name) => deviceOption(name, ports)));
  const devices: FormField = {
    kind: 'searches',
    id: DEVICES_FIELD,
    label: 'Devices',
    of: 'device',
    initial: options.filter((option) => option !== null),
  };
  const fields: readonly FormField[] = [
    devices,
    tagsField(ADD_FIELD, 'Tags to add', add),
    tagsField(REMOVE_FIELD, 'Tags to remove', remove),
    reasonField(reason, 'Approvers see it with the request.'),
  ];
  const head = { command: 'device-edit', title: 'Tag several devices', submit: 'Request approval' };
  return { kind: 'form', form: { ...head, fields, context: null } } as const;
}

export const readTagsForm: CommandForm['read'] = (values) => {
  const devices = idValues(values, DEVICES_FIELD);
  if (devices.length === 0) return fieldError(DEVICES_FIELD, 'Choose devices.');
  const [add, remove] = [ADD_FIELD, REMOVE_FIELD].map((field) => [...commaList(textValue(values, field))]);
  if (add?.length === 0 && remove?.length === 0)
    return fieldError(ADD_FIELD, 'Enter a tag to add or remove.');
  const device = devices.map((id) => `#${id}`).join(', ');
  return { kind: 'input', input: { device, add, remove, reason: enteredReason(values) } };
};

function tagsField(id: string, label: string, tags: readonly string[]): FormField {
  const head = { id, label, hint: 'Separated by commas.', optional: true } as const;
  return { ...head, kind: 'text', initial: tags.join(', '), most: MAX_TAGS_LENGTH };
}
