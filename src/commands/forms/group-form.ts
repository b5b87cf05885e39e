/** The forms of `group-create` and `group-edit`. */

import { z } from 'zod';
import type { Dialect } from '../../fleet/dialect.ts';
import type { GroupField } from '../../fleet/model/changes.ts';
import { COLORS, colorName, colorValue } from '../../fleet/model/derived-fields.ts';
import type { Group } from '../../fleet/model/resources.ts';
import { collectRows, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { groupId } from '../../lib/ids.ts';
import { defined } from '../../lib/record-fields.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import {
  DEFAULT_INTERVAL,
  type GroupInput,
  groupChange,
  groupInput,
  invalidGroupFields,
  prefilledPolicies,
  readTriState,
} from '../changes/group-fields.ts';
import type { CommandForm, ReadPorts } from '../core/command.ts';
import {
  fieldError,
  idValue,
  idValues,
  notesField,
  searchesField,
  searchField,
  selectedValue,
  textField,
  textLines,
  textValue,
} from '../core/field-values.ts';
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
    const fields = groupFields('', now, ports.dialect);
    const context = { server: now.wsus.server };
    const head = { command: 'group-create', title: 'Create a group', submit: 'Request approval', context };
    const why = await changeReasonField(groupPrefillSchema.parse(typed).reason, head, ports);
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
  parsePrefill: (typed) => typedFields.parse(typed),
  buildFields: editFields,
  read: (group, values, context, ports) => {
    const ending = `:${group}`;
    // They appear a moment after the group is selected.
    if (!values.has(`${FIELD_IDS.wsus}${ending}`)) return fieldError(GROUP_FIELD, FIELDS_NOT_LOADED);
    const { name, ...rest } = groupInputOf(ending, values);
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
  return { fields: groupFields(`:${group.id}`, now, ports.dialect), context: { server: now.wsus.server } };
}

/** The current values of the group, replaced by typed ones. */
async function prefillGroup(
  group: Group | null,
  input: Omit<GroupInput, 'parent'> & { readonly parent: FormOption | null },
  ports: ReadPorts,
) {
  return {
    name: input.name ?? group?.name ?? '',
    parent: input.parent ?? (await groupOption(group?.parentId ?? undefined, ports)),
    refreshIntervalMinutes: input.every ?? (group === null ? DEFAULT_INTERVAL : group.refreshIntervalMinutes),
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
  const field = `${WSUS_SERVER_FIELD}${ending}`;
  const server = textValue(values, field);
  const isShown = server === '' || server === shownValues.parse(context).server;
  if (isShown || selectedValue(values, `${FIELD_IDS.wsus}${ending}`) === 'on') return null;
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
  const idOf = (field: GroupField) => `${FIELD_IDS[field]}${ending}`;
  const errors = faults.map(({ field, expected }) => [idOf(field), `Expected: ${expected}.`]);
  return { kind: 'errors', errors: Object.fromEntries(errors) };
}

/** Field ids by the service's field. A form may append an ending. */
const FIELD_IDS = {
  name: 'name',
  parentId: 'parent',
  refreshIntervalMinutes: 'every',
  color: 'color',
  notes: 'notes',
  osAutoUpdate: 'os',
  wsus: 'wsus',
  policyIds: 'policies',
} as const satisfies Readonly<Record<GroupField, string>>;
/** The WSUS server, which is of use with {@link FIELD_IDS}' `wsus` alone. */
const WSUS_SERVER_FIELD = 'server';
/** Longer than typed names, so that names from the console fit as well. */
const MAX_NAME = 200;

const HOURS = [4, 6, 8, 12, 24];

/** `ending` keeps the fields of one group apart from those of another. */
function groupFields(
  ending: string,
  now: Awaited<ReturnType<typeof prefillGroup>>,
  dialect: Dialect,
): readonly FormField[] {
  const id = (field: string) => `${field}${ending}`;
  const every = now.refreshIntervalMinutes;
  return [
    textField(id('name'), 'Name', now.name, Math.max(MAX_NAME, now.name.length)),
    searchField(id('parent'), 'Parent group', 'group', now.parent, { optional: true }),
    {
      kind: 'choice',
      id: id('every'),
      label: 'Scan interval',
      options: intervalOptions(every, dialect),
      initial: every === null ? null : String(every),
    },
    {
      kind: 'choice',
      id: id('color'),
      label: 'Color',
      optional: true,
      options: colorOptions(now.color),
      initial: now.color === null ? null : colorKey(now.color),
    },
    notesField(id('notes'), now.notes),
    {
      kind: 'choice',
      id: id('os'),
      label: 'Automatic OS updates',
      options: YES_NO_UNCHANGED,
      initial: now.osAutoUpdate === null ? 'device' : now.osAutoUpdate ? 'on' : 'off',
    },
    {
      kind: 'choice',
      id: id('wsus'),
      label: 'Windows update source',
      options: WSUS,
      initial: now.wsus.enabled === null ? 'device' : now.wsus.enabled ? 'on' : 'off',
    },
    textField(id(WSUS_SERVER_FIELD), 'WSUS server', now.wsus.server, 300, {
      hint: 'http://HOST:PORT, if WSUS is chosen above.',
      optional: true,
    }),
    searchesField(id('policies'), 'Policies', 'policy', now.policies, { optional: true }),
  ];
}

const YES_NO_UNCHANGED: readonly FormOption[] = [
  { value: 'device', label: 'Device setting' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
];
const WSUS: readonly FormOption[] = [
  { value: 'device', label: 'Device setting' },
  { value: 'on', label: 'WSUS' },
  { value: 'off', label: 'Windows Update' },
];

function intervalOptions(now: number | null, dialect: Dialect): readonly FormOption[] {
  const usual = HOURS.map((hours) => hours * 60).filter((minutes) => minutes >= dialect.leastRefreshMinutes);
  const all = now === null || usual.includes(now) ? usual : [...usual, now];
  return all
    .toSorted((a, b) => a - b)
    .map((minutes) => ({
      value: String(minutes),
      label: minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`,
    }));
}

/** One of the nine colors in the menu's spelling; any other unchanged. */
function colorKey(color: string): string {
  const value = colorValue(color) ?? color;
  return COLORS.find((one) => one.value.toLowerCase() === value.toLowerCase())?.value ?? value;
}

/** The nine colors, and the current one if the console does not know it and shows its first instead (§2.1). */
function colorOptions(now: string | null): readonly FormOption[] {
  const nine = COLORS.map(({ name, value }) => ({ value, label: name, detail: value }));
  if (now === null || nine.some(({ value }) => value === colorKey(now))) return nine;
  const currentName = colorName(now);
  return [
    ...nine,
    {
      value: colorKey(now),
      label: now,
      ...(currentName === null ? {} : { detail: `${currentName} in the management service` }),
    },
  ];
}

/** Missing and unselected fields are left out; an empty text is a value. */
function groupInputOf(ending: string, values: FieldValues): GroupInput {
  const id = (field: string) => `${field}${ending}`;
  const parent = idValue(values, id('parent'));
  const every = selectedValue(values, id('every'));
  const color = selectedValue(values, id('color'));
  const osAutoUpdate = readTriState(selectedValue(values, id('os')));
  const enabled = readTriState(selectedValue(values, id('wsus')));
  const server = textValue(values, id(WSUS_SERVER_FIELD));
  return defined({
    name: values.has(id('name')) ? textValue(values, id('name')) : undefined,
    parent: parent ?? undefined,
    every: every === null ? undefined : Number(every),
    color: color ?? undefined,
    notes: values.has(id('notes')) ? textLines(values, id('notes')) : undefined,
    osAutoUpdate,
    wsus: enabled === undefined ? undefined : { enabled, ...(enabled && server !== '' ? { server } : {}) },
    policies: values.has(id('policies')) ? [...idValues(values, id('policies'))] : undefined,
  });
}
