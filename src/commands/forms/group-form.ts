/** The forms of `group-create` and `group-edit`. */

import { z } from 'zod';
import type { Group } from '../../fleet/model/resources.ts';
import { collectRows, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { groupId } from '../../lib/ids.ts';
import { defined } from '../../lib/record-fields.ts';
import type { FieldValues, FormOption } from '../../views/models/form-model.ts';
import {
  DEFAULT_INTERVAL,
  GROUP_ARGUMENTS,
  type GroupInput,
  groupChange,
  groupInput,
  invalidGroupFields,
  prefilledPolicies,
  serverId,
} from '../changes/group-fields.ts';
import type { CommandForm, ReadPorts } from '../core/command.ts';
import { fieldError, selectedValue, textValue } from '../core/field-values.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import {
  changeReasonField,
  type DrawnFields,
  dependentForm,
  enteredReason,
  GROUP_FIELD,
  GROUP_SUBJECT,
  groupOption,
  groupPrefillSchema,
  type PartialFormRead,
  textBlockField,
} from './subject-forms.ts';

const FIELDS_NOT_LOADED = 'The fields of this group aren’t shown yet. Wait a moment, then send again.';

/** The values that the form showed, so that only changes are checked. */
const shownValues = z.object({ server: z.string() }).catch({ server: '' });

/** What was typed before the form opens. Values that do not fit are dropped. */
const typedFields = groupInput.catch({});

export const groupCreateForm: CommandForm = {
  open: async (typed, ports) => {
    const given = typedFields.parse(typed);
    const parent = await groupOption(given.parent ?? 'default', ports);
    const now = await prefillGroup(null, { ...given, parent }, ports);
    const fields = GROUP_ARGUMENTS.draw(now, ports.dialect);
    const context = { server: now.wsus.server };
    const head = { command: 'group-create', title: 'Create a group', submit: 'Request approval', context };
    const why = await changeReasonField(groupPrefillSchema.parse(typed).reason, head, ports);
    return { kind: 'form', form: { ...head, fields: [...fields, why] } };
  },
  read: (values, context, ports) => {
    const entered = GROUP_ARGUMENTS.enter(values);
    if (entered.kind === 'errors') return entered;
    const { input: read } = entered;
    // A new group leaves these to the device by default, so they are not sent.
    const { osAutoUpdate, wsus, notes, policies, ...rest } = read;
    const input = {
      ...rest,
      name: read.name ?? '',
      ...(typeof osAutoUpdate === 'boolean' ? { osAutoUpdate } : {}),
      ...(wsus === undefined || wsus.enabled === null ? {} : { wsus }),
      ...(notes === undefined || notes === '' ? {} : { notes }),
      ...(policies === undefined || policies.length === 0 ? {} : { policies }),
    };
    const given = { ...input, reason: enteredReason(values) };
    return unusedServerError('', values, context) ?? checkedInput(input, '', ports, given);
  },
};

export const groupEditForm = dependentForm<GroupInput>(GROUP_SUBJECT, {
  command: 'group-edit',
  title: 'Edit a group',
  submit: 'Request approval',
  parsePrefill: (typed) => typedFields.parse(typed),
  buildFields: editFields,
  read: (group, values, context, ports) => {
    const ending = `:${group}`;
    // They appear a moment after the group is selected.
    if (!values.has(`wsus${ending}`)) return fieldError(GROUP_FIELD, FIELDS_NOT_LOADED);
    const entered = GROUP_ARGUMENTS.enter(values, ending);
    if (entered.kind === 'errors') return entered;
    const { name, ...rest } = entered.input;
    // The Default Group has a blank name, which cannot be set.
    const read = defined({ ...rest, name: name === '' ? undefined : name });
    return unusedServerError(ending, values, context) ?? checkedInput(read, ending, ports, read);
  },
});

async function editFields(
  option: FormOption | null,
  prefill: GroupInput,
  ports: ReadPorts,
): Promise<DrawnFields> {
  const id = option === null ? null : groupId(Number(option.value));
  const group = id === null ? null : await nullIfMissing(() => ports.fleet.group(id, PERSON_PRIORITY));
  if (group === null)
    return { fields: [textBlockField('Choose a group to see its fields.')], context: { server: '' } };
  const parent = await groupOption(prefill.parent, ports);
  const now = await prefillGroup(group, { ...prefill, parent }, ports);
  return {
    fields: GROUP_ARGUMENTS.draw(now, ports.dialect, `:${group.id}`),
    context: { server: now.wsus.server },
  };
}

async function prefillGroup(
  group: Group | null,
  input: Omit<GroupInput, 'parent'> & { readonly parent: FormOption | null },
  ports: ReadPorts,
) {
  return {
    name: input.name ?? group?.name ?? '',
    parent: input.parent ?? (await groupOption(group?.parentId ?? undefined, ports)),
    every: input.every ?? (group === null ? DEFAULT_INTERVAL : group.refreshIntervalMinutes),
    color: input.color ?? (group === null || group.color === '' ? null : group.color),
    notes: input.notes ?? group?.notes ?? '',
    osAutoUpdate: input.osAutoUpdate === undefined ? (group?.osAutoUpdate ?? null) : input.osAutoUpdate,
    wsus: {
      enabled: input.wsus === undefined ? (group?.wsus?.managed ?? null) : input.wsus.enabled,
      server: input.wsus?.server ?? group?.wsus?.server ?? '',
    },
    policies: await policyOptions(input, group?.policyIds ?? [], ports),
  };
}

async function policyOptions(
  input: Pick<GroupInput, 'policies' | 'link' | 'unlink'>,
  current: readonly number[],
  { fleet }: ReadPorts,
): Promise<readonly FormOption[]> {
  const { policies = current, link = [] } = input;
  if (policies.length + link.length === 0) return [];
  const known = await collectRows(fleet.policies(PERSON_PRIORITY));
  return prefilledPolicies(input, current, known).map((id) => {
    const policy = known.find((one) => one.id === id);
    const label = policy === undefined || policy.name === '' ? `#${id}` : policy.name;
    return { value: String(id), label, detail: `#${id}` };
  });
}

/** A server that would be of no use; the one that the form showed is no such, because it came with the group. */
function unusedServerError(ending: string, values: FieldValues, context: unknown) {
  const source = `wsus${ending}`;
  const field = serverId(source);
  const server = textValue(values, field);
  const isShown = server === '' || server === shownValues.parse(context).server;
  if (isShown || selectedValue(values, source) === 'on') return null;
  return fieldError(field, 'A server needs WSUS above. Choose WSUS, or clear this field.');
}

function checkedInput(
  fields: GroupInput,
  ending: string,
  { dialect }: ReadPorts,
  input: object,
): PartialFormRead {
  const faults = invalidGroupFields(groupChange(fields, undefined), dialect);
  if (faults.length === 0) return { kind: 'input', input };
  const errors = faults.map(({ id, expected }) => [`${id}${ending}`, `Expected ${expected}.`]);
  return { kind: 'errors', errors: Object.fromEntries(errors) };
}
