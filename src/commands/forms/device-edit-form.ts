/** The form of `device-edit`: a device, then its fields as they are. */

import { z } from 'zod';
import { type Device, displayName } from '../../fleet/model.ts';
import { unlessMissing } from '../../fleet/unless-missing.ts';
import { deviceId } from '../../ids.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../command.ts';
import { ref } from '../targets/named.ts';
import { PERSON } from '../targets/resolve.ts';
import { chosenDeviceForm, type Drawn, type PartRead, wordsField } from './chosen-device-form.ts';
import { DEVICE } from './device-form.ts';
import { addressesIn, chosen, errorOn, idIn, listIn, textIn } from './form-values.ts';
import { groupOption } from './group-option.ts';

const texts = z.array(z.string()).catch([]).default([]);
/** What was typed before the form is opened; what does not fit is nothing. */
const givenEdit = z.object({
  name: z.string().nullable().optional().catch(undefined),
  group: ref.optional().catch(undefined),
  add: texts,
  remove: texts,
  exception: z.boolean().optional().catch(undefined),
  addresses: z.array(z.string()).optional().catch(undefined),
});
type GivenEdit = z.infer<typeof givenEdit>;
const NOTHING: GivenEdit = givenEdit.parse({});

/** The tags that the form showed, so that only what was written or taken away changes. */
const context = z.object({ tags: z.array(z.string()) });

/** As JSON: what a window carries has room for little more (3,000 characters, Slack). */
const MOST_TAGS = 2_000;
/** A text field holds 3,000 characters (Slack). */
const MOST_TEXT = 2_900;
const LEAVE = 'leave';
const NOT_DRAWN = 'The fields of this device aren’t shown yet. Wait a moment, then send again.';

export const deviceEditForm = chosenDeviceForm<GivenEdit>({
  command: 'device-edit',
  title: 'Edit a device',
  submit: 'Request change',
  reason: 'The approver sees it on the card. A custom name alone needs no approval.',
  typed: (typed) => givenEdit.catch(NOTHING).parse(typed),
  entered: () => null,
  draw,
  read,
});

async function draw(option: FormOption | null, given: GivenEdit, ports: ReadPorts): Promise<Drawn> {
  const device =
    option === null
      ? null
      : await unlessMissing(() => ports.fleet.device(deviceId(Number(option.value)), PERSON));
  const fields =
    device === null
      ? [wordsField('Choose a device to see its fields.')]
      : await editFields(device, given, ports);
  return { fields, context: { tags: shownTags(device) } };
}

/** Each device has fields of its own, so that nothing written for one is taken for another. */
const of = (field: string, device: number): string => `${field}:${device}`;

async function editFields(device: Device, given: GivenEdit, ports: ReadPorts): Promise<readonly FormField[]> {
  const { id } = device;
  const name = given.name === undefined ? device.customName : given.name;
  const group = await groupOption(given.group ?? device.groupId ?? undefined, ports);
  const tags = [...new Set([...device.tags, ...given.add])].filter((tag) => !given.remove.includes(tag));
  const addresses = given.addresses ?? device.addresses;
  const exception = device.exception === null ? 'unknown' : device.exception ? 'yes' : 'no';
  return [
    {
      kind: 'text',
      id: of('name', id),
      label: 'Custom name',
      hint: `Shown instead of ${displayName({ ...device, customName: null })}. Leave empty for none.`,
      optional: true,
      initial: name ?? '',
      most: Math.max(200, (name ?? '').length),
    },
    { kind: 'search', id: of('group', id), label: 'Group', of: 'group', initial: group },
    ...(tagsFit(device.tags)
      ? [tagsField(of('tags', id), tags)]
      : [
          wordsField(
            'This device has too many tags to show here. To change them, type tag:NEW and -tag:OLD.',
          ),
        ]),
    {
      kind: 'choice',
      id: of('exception', id),
      label: 'Excluded from reports and statistics',
      hint: 'Policies apply either way. This doesn’t stop patches.',
      options: [
        { value: LEAVE, label: `Don’t change (${exception})` },
        { value: 'yes', label: 'Yes (policies still apply)' },
        { value: 'no', label: 'No (included in reports)' },
      ],
      initial: given.exception === undefined ? LEAVE : given.exception ? 'yes' : 'no',
    },
    ...(ports.personalFrom === undefined ? addressField(of('addresses', id), addresses.join(', ')) : []),
  ];
}

function tagsField(id: string, tags: readonly string[]): FormField {
  const hint = 'Separated by commas.';
  return { kind: 'text', id, label: 'Tags', hint, optional: true, initial: tags.join(', '), most: MOST_TEXT };
}

/** What does not fit into a field would come back cut short. */
function addressField(id: string, initial: string): readonly FormField[] {
  const head = { id, label: 'Addresses', hint: 'Separated by commas.', optional: true } as const;
  return initial.length > MOST_TEXT ? [] : [{ ...head, kind: 'text', initial, most: MOST_TEXT }];
}

/** A tag with a comma in it could not be told from two. */
function tagsFit(tags: readonly string[]): boolean {
  return JSON.stringify(tags).length <= MOST_TAGS && tags.every((tag) => listIn(tag)[0] === tag);
}

function shownTags(device: Device | null): readonly string[] {
  return device !== null && tagsFit(device.tags) ? device.tags : [];
}

function read(device: number, values: FieldValues, carried: unknown): PartRead {
  if (!values.has(of('exception', device))) return errorOn(DEVICE, NOT_DRAWN);
  const { tags: shown } = context.catch({ tags: [] }).parse(carried);
  const name = values.has(of('name', device)) ? textIn(values, of('name', device)) : undefined;
  const group = idIn(values, of('group', device));
  const exception = chosen(values, of('exception', device));
  const tags = values.has(of('tags', device)) ? listIn(textIn(values, of('tags', device))) : shown;
  const add = tags.filter((tag) => !shown.includes(tag));
  const remove = shown.filter((tag) => !tags.includes(tag));
  const addresses = addressesIn(values, of('addresses', device));
  if (addresses.kind === 'odd') {
    const error = `${addresses.text} isn’t an IP address.`;
    return errorOn(of('addresses', device), error);
  }
  return {
    kind: 'input',
    input: {
      ...(name === undefined ? {} : { name: name === '' ? null : name }),
      ...(group === null ? {} : { group }),
      ...(add.length === 0 ? {} : { add }),
      ...(remove.length === 0 ? {} : { remove }),
      ...(exception === 'yes' || exception === 'no' ? { exception: exception === 'yes' } : {}),
      ...(addresses.all === null ? {} : { addresses: addresses.all }),
    },
  };
}
