/** The form of `device-edit`: a device, then its fields with their current values; for several, what changes on all. */

import { isIP } from 'node:net';
import { z } from 'zod';
import { applyTagChange } from '../../fleet/editor/device-fields.ts';
import { type Device, displayName } from '../../fleet/model/resources.ts';
import { nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { deviceId } from '../../lib/ids.ts';
import { quoteStructure } from '../../lib/text.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../core/command.ts';
import {
  commaList,
  fieldError,
  idValue,
  searchField,
  selectedValue,
  textField,
  textValue,
} from '../core/field-values.ts';
import { nameOrId } from '../targets/name-lookup.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { withSeenDevices } from './seen-devices-form.ts';
import { type SeveralDevicesFormOptions, withSeveralDevices } from './several-devices-form.ts';
import {
  DEVICE_FIELD,
  DEVICE_SUBJECT,
  type DrawnFields,
  dependentForm,
  groupOption,
  type PartialFormRead,
  prefillOf,
  textBlockField,
} from './subject-forms.ts';

const ADD_FIELD = 'add';
const REMOVE_FIELD = 'remove';
const GROUP_FIELD = 'group';
const EXCEPTION_FIELD = 'exception';
/** A text field holds 3,000 characters (Slack). */
const MAX_TAGS_LENGTH = 2_900;

const typedTags = z.array(z.string()).catch([]).default([]);
const severalPrefill = prefillOf({
  add: typedTags,
  remove: typedTags,
  group: nameOrId.optional().catch(undefined),
  exception: z.boolean().optional().catch(undefined),
});

const tagsOfSeveral: SeveralDevicesFormOptions = {
  command: 'device-edit',
  title: 'Edit several devices',
  submit: 'Request approval',
  async ownFields(typed, ports) {
    const { add, remove, group, exception } = severalPrefill.parse(typed);
    return [
      tagsField(ADD_FIELD, 'Tags to add', add),
      tagsField(REMOVE_FIELD, 'Tags to remove', remove),
      searchField(GROUP_FIELD, 'Move to group', 'group', await groupOption(group, ports), { optional: true }),
      {
        kind: 'choice',
        id: EXCEPTION_FIELD,
        label: 'Reports and statistics',
        options: [
          { value: 'no', label: 'Included' },
          { value: 'yes', label: 'Excluded' },
        ],
        initial: exception === undefined ? null : exception ? 'yes' : 'no',
        optional: true,
      },
    ];
  },
  readOwn(values) {
    const [add = [], remove = []] = [ADD_FIELD, REMOVE_FIELD].map((field) =>
      commaList(textValue(values, field)),
    );
    const group = idValue(values, GROUP_FIELD);
    const exception = selectedValue(values, EXCEPTION_FIELD);
    if (add.length + remove.length === 0 && group === null && exception === null)
      return fieldError(ADD_FIELD, 'Enter a tag to add or remove, or choose what else changes.');
    return {
      kind: 'input',
      input: {
        ...(add.length === 0 ? {} : { add }),
        ...(remove.length === 0 ? {} : { remove }),
        ...(group === null ? {} : { group }),
        ...(exception === null ? {} : { exception: exception === 'yes' }),
      },
    };
  },
};

function tagsField(id: string, label: string, tags: readonly string[], hint = 'Separated by commas.') {
  return textField(id, label, tags.join(', '), MAX_TAGS_LENGTH, { hint, optional: true });
}

const prefillSchema = prefillOf({
  name: z.string().nullable().optional().catch(undefined),
  group: nameOrId.optional().catch(undefined),
  add: typedTags,
  remove: typedTags,
  exception: z.boolean().optional().catch(undefined),
  addresses: z.array(z.string()).optional().catch(undefined),
});
type Prefill = z.infer<typeof prefillSchema>;

/** The tags that the form showed, so that only added and removed ones change. */
const context = z.object({ tags: z.array(z.string()) }).catch({ tags: [] });

/** Characters as JSON: Slack limits the metadata of a window to 3,000. */
const MAX_TAGS = 2_000;
const UNCHANGED = 'leave';
const TAGS_HINT =
  'All tags of the device, separated by commas. A tag that you delete here is removed from the device.';
const TOO_MANY_TAGS =
  'This device has too many tags to show here. To change them, type tag:NEW and -tag:OLD.';
const FIELDS_NOT_LOADED = 'The fields of this device aren’t shown yet. Wait a moment, then send again.';

const singleDeviceForm = dependentForm<Prefill>(DEVICE_SUBJECT, {
  command: 'device-edit',
  title: 'Edit a device',
  submit: 'Request change',
  parsePrefill: (typed) => prefillSchema.parse(typed),
  enteredValues: () => null,
  buildFields: drawFields,
  read,
});

export const deviceEditForm = withSeenDevices(withSeveralDevices(singleDeviceForm, tagsOfSeveral));

async function drawFields(
  option: FormOption | null,
  prefill: Prefill,
  ports: ReadPorts,
): Promise<DrawnFields> {
  const device =
    option === null
      ? null
      : await nullIfMissing(() => ports.fleet.device(deviceId(Number(option.value)), PERSON_PRIORITY));
  const fields =
    device === null
      ? [textBlockField('Choose a device to see its fields.')]
      : await editFields(device, prefill, ports);
  return { fields, context: { tags: device?.tags && tagsFit(device.tags) ? device.tags : [] } };
}

/** Each device has its own fields, so that input for one does not apply to another. */
const fieldId = (field: string, device: number): string => `${field}:${device}`;

async function editFields(device: Device, prefill: Prefill, ports: ReadPorts): Promise<readonly FormField[]> {
  const { id } = device;
  const name = prefill.name === undefined ? device.customName : prefill.name;
  const group = await groupOption(prefill.group ?? device.groupId ?? undefined, ports);
  const tags = applyTagChange(device.tags ?? [], prefill);
  const addresses = prefill.addresses ?? device.addresses;
  return [
    textField(fieldId('name', id), 'Custom name', name ?? '', Math.max(200, (name ?? '').length), {
      hint: `Shown instead of ${quoteStructure(displayName({ ...device, customName: null }))}. Leave empty for none. All changes except the name need approval.`,
      optional: true,
    }),
    searchField(fieldId('group', id), 'Group', 'group', group, {
      hint: 'If you change the group, the policies of the new group apply instead of those of the current one.',
    }),
    ...(tagsFit(device.tags ?? [])
      ? [tagsField(fieldId('tags', id), 'Tags', tags, TAGS_HINT)]
      : [textBlockField(TOO_MANY_TAGS)]),
    exceptionField(fieldId('exception', id), device.exception, prefill.exception),
    ...(ports.personalFrom === undefined ? addressField(fieldId('addresses', id), addresses.join(', ')) : []),
  ];
}

/** What the device is now stands for "no change", so that an untouched field changes nothing. */
function exceptionField(id: string, now: boolean | null, typed: boolean | undefined): FormField {
  const included = { value: now === false ? UNCHANGED : 'no', label: 'Included' };
  const excluded = { value: now === true ? UNCHANGED : 'yes', label: 'Excluded' };
  const unknown = { value: UNCHANGED, label: 'Don’t change (not known)' };
  const wanted = typed === undefined || typed === now ? UNCHANGED : typed ? 'yes' : 'no';
  return {
    kind: 'choice',
    id,
    label: 'Reports and statistics',
    hint: 'Patches and policies apply either way.',
    options: now === null ? [unknown, included, excluded] : [included, excluded],
    initial: wanted,
  };
}

/** A value that does not fit the field would be cut, so the field is left out. */
function addressField(id: string, initial: string): readonly FormField[] {
  const hint =
    'Changes only what the management service lists, not the device’s network settings. Separate addresses with commas. Leave empty to change nothing.';
  if (initial.length > MAX_TAGS_LENGTH) return [];
  return [textField(id, 'IP addresses', initial, MAX_TAGS_LENGTH, { hint, optional: true })];
}

/** Whether the tags fit the field. A tag with a comma would be read as two. */
function tagsFit(tags: readonly string[]): boolean {
  return JSON.stringify(tags).length <= MAX_TAGS && tags.every((tag) => commaList(tag)[0] === tag);
}

function read(device: number, values: FieldValues, carried: unknown): PartialFormRead {
  if (!values.has(fieldId('exception', device))) return fieldError(DEVICE_FIELD, FIELDS_NOT_LOADED);
  const { tags: shownTagsBefore } = context.parse(carried);
  const name = values.has(fieldId('name', device)) ? textValue(values, fieldId('name', device)) : undefined;
  const group = idValue(values, fieldId('group', device));
  const exception = selectedValue(values, fieldId('exception', device));
  const tags = values.has(fieldId('tags', device))
    ? commaList(textValue(values, fieldId('tags', device)))
    : shownTagsBefore;
  const add = tags.filter((tag) => !shownTagsBefore.includes(tag));
  const remove = shownTagsBefore.filter((tag) => !tags.includes(tag));
  // Empty where the field was not there: an empty list is not sent, because it may take all of them away.
  const addresses = commaList(textValue(values, fieldId('addresses', device)));
  const odd = addresses.find((address) => isIP(address) === 0);
  if (odd !== undefined) return fieldError(fieldId('addresses', device), `${odd} isn’t an IP address.`);
  return {
    kind: 'input',
    input: {
      ...(name === undefined ? {} : { name: name === '' ? null : name }),
      ...(group === null ? {} : { group }),
      ...(add.length === 0 ? {} : { add }),
      ...(remove.length === 0 ? {} : { remove }),
      ...(exception === 'yes' || exception === 'no' ? { exception: exception === 'yes' } : {}),
      ...(addresses.length === 0 ? {} : { addresses }),
    },
  };
}
