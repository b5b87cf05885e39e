/** The forms of `group-create` and `group-edit`. */

import { z } from 'zod';
import type { Group } from '../../fleet/model/resources.ts';
import { collectRows, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { groupId } from '../../lib/ids.ts';
import type { FieldValues, FormOption } from '../../views/models/form-model.ts';
import { type GroupInput, groupChange, groupInput, invalidGroupFields } from '../changes/group-fields.ts';
import { prefilledPolicies } from '../changes/linked-policies.ts';
import type { ReadPorts } from '../core/command.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { FIELD_IDS, type GroupFieldValues, groupFields } from './group-form-fields.ts';
import { groupInputOf, hasGroupFields, hasUnusedServer, UNUSED_SERVER_ERROR } from './group-form-values.ts';
import type { CommandForm } from './shared/command-form.ts';
import {
  type DrawnFields,
  dependentForm,
  type PartialFormRead,
  textBlockField,
} from './shared/dependent-form.ts';
import { changeReasonField, enteredReason } from './shared/device-form.ts';
import { fieldError } from './shared/field-values.ts';
import {
  GROUP_FIELD,
  GROUP_SUBJECT,
  groupOption,
  groupPrefillSchema,
} from './shared/group-or-policy-form.ts';

const HINT = 'Approvers see it with the request.';
const FIELDS_NOT_LOADED = 'The fields of this group aren’t shown yet. Wait a moment, then send again.';

/** The values that the form showed, so that only changes are checked. */
const shownValues = z.object({ server: z.string() }).catch({ server: '' });
function shownValuesIn(now: GroupFieldValues | null): z.infer<typeof shownValues> {
  return { server: now?.wsus.server ?? '' };
}

/** What was typed before the form opens. Values that do not fit are dropped. */
const typedFields = groupInput.catch({});

export const groupCreateForm: CommandForm = {
  open: async (typed, ports) => {
    const given = typedFields.parse(typed);
    const parent = await groupOption(given.parent ?? 'default', ports);
    const now = await prefillGroup(null, { ...given, parent }, ports);
    const fields = groupFields('', now, ports.dialect);
    const context = shownValuesIn(now);
    const head = { command: 'group-create', title: 'Create a group', submit: 'Request approval', context };
    const why = await changeReasonField(groupPrefillSchema.parse(typed).reason, HINT, head, ports);
    return { kind: 'form', form: { ...head, fields: [...fields, why] } };
  },
  read: (values, context, ports) => {
    const read = groupInputOf('', values);
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
  reason: HINT,
  parsePrefill: (typed) => typedFields.parse(typed),
  buildFields: editFields,
  read: (group, values, context, ports) => {
    const ending = `:${group}`;
    if (!hasGroupFields(ending, values)) return fieldError(GROUP_FIELD, FIELDS_NOT_LOADED);
    const read = isOfDefaultGroup(groupInputOf(ending, values));
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
    return { fields: [textBlockField('Choose a group to see its fields.')], context: shownValuesIn(null) };
  const parent = await groupOption(prefill.parent, ports);
  const now = await prefillGroup(group, { ...prefill, parent }, ports);
  return { fields: groupFields(`:${group.id}`, now, ports.dialect), context: shownValuesIn(now) };
}

/** Minutes of a new group's scan interval: a day, as for a typed command. */
const DEFAULT_INTERVAL = 1_440;

/** The current values of the group, replaced by typed ones. */
async function prefillGroup(
  group: Group | null,
  input: Omit<GroupInput, 'parent'> & { readonly parent: FormOption | null },
  ports: ReadPorts,
): Promise<GroupFieldValues> {
  const above = input.parent ?? (await groupOption(group?.parentId ?? undefined, ports));
  return {
    name: input.name ?? group?.name ?? '',
    parent: above,
    refreshInterval: input.every ?? (group === null ? DEFAULT_INTERVAL : group.refreshIntervalMinutes),
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

/** The Default Group has a blank name, which cannot be set. */
function isOfDefaultGroup(read: GroupInput): GroupInput {
  const { name, ...rest } = read;
  return name === '' ? rest : read;
}

/** Reports input that would have no effect. */
function unusedServerError(ending: string, values: FieldValues, context: unknown) {
  const { server } = shownValues.parse(context);
  return hasUnusedServer(ending, values, server)
    ? fieldError(`${UNUSED_SERVER_ERROR.field}${ending}`, UNUSED_SERVER_ERROR.words)
    : null;
}

/** `input`, or an error at each field that the service would reject. */
function checkedInput(
  fields: GroupInput,
  ending: string,
  { dialect }: ReadPorts,
  input: object,
): PartialFormRead {
  const faults = invalidGroupFields(groupChange(fields, undefined), dialect);
  if (faults.length === 0) return { kind: 'input', input };
  const errors = faults.map(({ field, expected }) => [
    `${FIELD_IDS[field]}${ending}`,
    `Expected: ${expected}.`,
  ]);
  return { kind: 'errors', errors: Object.fromEntries(errors) };
}
