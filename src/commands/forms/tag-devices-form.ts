/** The fields of `device-edit` for several devices: the tags to add and to remove, a group, and the exclusion from reports. */
import { z } from 'zod';
import type { FormField } from '../../views/models/form-model.ts';
import { nameOrId } from '../targets/name-lookup.ts';
import { commaList, fieldError, idValue, selectedValue, textValue } from './shared/field-values.ts';
import { groupOption } from './shared/group-or-policy-form.ts';
import type { SeveralDevicesFormOptions } from './shared/several-devices-form.ts';

const ADD_FIELD = 'add';
const REMOVE_FIELD = 'remove';
const GROUP_FIELD = 'group';
const EXCEPTION_FIELD = 'exception';
/** A text field holds 3,000 characters (Slack). */
export const MAX_TAGS_LENGTH = 2_900;

/** Typed tags; those that do not fit are dropped. */
export const typedTags = z.array(z.string()).catch([]).default([]);
/** What was typed before the form opens. Values that do not fit are dropped. */
const prefillSchema = z
  .object({
    add: typedTags,
    remove: typedTags,
    group: nameOrId.optional().catch(undefined),
    exception: z.boolean().optional().catch(undefined),
  })
  .catch({ add: [], remove: [], group: undefined, exception: undefined });

export const tagsOfSeveral: SeveralDevicesFormOptions = {
  command: 'device-edit',
  title: 'Edit several devices',
  submit: 'Request approval',
  reason: 'Approvers see it with the request.',
  async ownFields(typed, ports) {
    const { add, remove, group, exception } = prefillSchema.parse(typed);
    return [
      tagsField({ id: ADD_FIELD, label: 'Tags to add', hint: SEPARATED }, add),
      tagsField({ id: REMOVE_FIELD, label: 'Tags to remove', hint: SEPARATED }, remove),
      {
        kind: 'search',
        id: GROUP_FIELD,
        label: 'Move to group',
        of: 'group',
        initial: await groupOption(group, ports),
        optional: true,
      },
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

const SEPARATED = 'Separated by commas.';

type TagsFieldHead = { readonly id: string; readonly label: string; readonly hint: string };

export function tagsField(head: TagsFieldHead, tags: readonly string[]): FormField {
  return { ...head, kind: 'text', optional: true, initial: tags.join(', '), most: MAX_TAGS_LENGTH };
}
