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
export const MAX_TAGS_LENGTH = 2_900;

/** Typed tags; those that do not fit are dropped. */
export const typedTags = z.array(z.string()).catch([]).default([]);
/** What was typed before the form opens. Values that do not fit are dropped. */
const prefillSchema = z
  .object({ add: typedTags, remove: typedTags, reason: reasonSchema.catch(null).default(null) })
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
    tagsField({ id: ADD_FIELD, label: 'Tags to add', hint: SEPARATED }, add),
    tagsField({ id: REMOVE_FIELD, label: 'Tags to remove', hint: SEPARATED }, remove),
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

const SEPARATED = 'Separated by commas.';

type TagsFieldHead = { readonly id: string; readonly label: string; readonly hint: string };

export function tagsField(head: TagsFieldHead, tags: readonly string[]): FormField {
  return { ...head, kind: 'text', optional: true, initial: tags.join(', '), most: MAX_TAGS_LENGTH };
}
