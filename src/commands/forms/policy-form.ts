/** The forms of `policy-create` and `policy-edit`. */

import { z } from 'zod';
import type { Dialect } from '../../fleet/dialect.ts';
import { policyFieldFaults } from '../../fleet/editor/policy-fields.ts';
import { FIELD_LABELS } from '../../fleet/facts/edit-changes.ts';
import {
  allBits,
  DEVICE_TIME,
  MAX_DEFERRAL_HOURS,
  MAX_DEFERRAL_PERIODS,
  MONTHS,
  POLICY_SETTING_NAMES,
  POLICY_SETTINGS,
  type PolicySettingName,
  type PolicySettings,
  type SettingValue,
  settingsOfType,
  WEEKS,
} from '../../fleet/model/policy.ts';
import type { Policy } from '../../fleet/model/resources.ts';
import { nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { upperFirst } from '../../lib/text.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import { listAfter } from '../changes/edit-plan.ts';
import {
  expectedSetting,
  FIELD_KEYS,
  POLICY_ARGUMENTS,
  type PolicyInput,
  policyChange,
  policyInput,
  readSetting,
} from '../changes/policy-fields.ts';
import type { CommandForm, FormValues, OpenedForm, ReadPorts } from '../core/command.ts';
import { fieldError, idValue, searchField, textField, textValue } from '../core/field-values.ts';
import { type NameOrId, nameOrId } from '../targets/name-lookup.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { resolveGroup, resolvePolicy } from '../targets/resolve-group-or-policy.ts';
import {
  changeReasonField,
  enteredReason,
  groupOption,
  prefillIn,
  REASON_FIELD,
  withPrefill,
} from './subject-forms.ts';

const POLICY = 'policy';
const FIELDS_NOT_LOADED = 'The fields of this policy aren’t shown yet. Wait a moment, then send again.';

/** What was typed before the form opens. Values that do not fit are dropped. */
const typedFields = policyInput.catch({});
const typedReason = z.object({ reason: z.string().nullable().default(null) }).catch({ reason: null });
const typedPolicy = z.object({ policy: nameOrId.optional() }).catch({});
/** Settings that the policy did not state, so that leaving them alone changes nothing. */
const shownValues = z.object({ unset: z.array(z.string()) }).catch({ unset: [] });

/** A new policy runs in every week and month of its days. */
const NO_SCHEDULE = {
  days: 0,
  weeksOfMonth: allBits(WEEKS),
  months: allBits(MONTHS),
  time: null,
  timezone: DEVICE_TIME,
};

export const policyCreateForm: CommandForm = {
  open: async (typed, ports) => {
    const now = await fieldValues(null, typedFields.parse(typed), ports);
    const fields = policyFields({ ending: '', type: 'patch' }, now, ports.dialect);
    const context = { unset: [...POLICY_SETTING_NAMES] };
    const head = { command: 'policy-create', title: 'Create a policy', submit: 'Request approval', context };
    const why = await changeReasonField(typedReason.parse(typed).reason, head, ports);
    return { kind: 'form', form: { ...head, fields: [...fields, why] } };
  },
  read: (values, context, { dialect }) => {
    const read = policyInputOf('', values, { ...shownValues.parse(context), dialect });
    if (read.kind === 'errors') return read;
    const { notes, groups = [], days = 0, time, timezone, ...rest } = read.policy;
    if (days > 0 && time === undefined) return fieldError('time', 'Choose a time for these days.');
    if (days === 0 && time !== undefined) return fieldError('days', 'Choose the days for this time.');
    const input = {
      ...rest,
      days,
      ...(time === undefined ? {} : { time }),
      ...(days === 0 || timezone === undefined ? {} : { timezone }),
      ...(notes === undefined || notes === '' ? {} : { notes }),
      ...(groups.length === 0 ? {} : { groups }),
    };
    return { kind: 'input', input: { ...input, reason: enteredReason(values) } };
  },
};

export const policyEditForm: CommandForm = {
  open: async (typed, ports) => {
    const policy = await readPolicy(typedPolicy.parse(typed).policy, ports);
    return drawEditForm(policy, { typed, reason: typedReason.parse(typed).reason }, ports);
  },
  redraw: async (values, context, ports) => {
    const policy = await readPolicy(idValue(values, POLICY) ?? undefined, ports);
    return drawEditForm(policy, { typed: prefillIn(context), reason: enteredReason(values) }, ports);
  },
  read: (values, context, { dialect }) => {
    const policy = idValue(values, POLICY);
    if (policy === null) return fieldError(POLICY, 'Choose a policy.');
    const ending = `:${policy}`;
    if (!values.has(`name${ending}`)) return fieldError(POLICY, FIELDS_NOT_LOADED);
    const read = policyInputOf(ending, values, { ...shownValues.parse(context), dialect });
    if (read.kind === 'errors') return read;
    return { kind: 'input', input: { ...read.policy, policy, reason: enteredReason(values) } };
  },
};

async function drawEditForm(
  policy: Policy | null,
  { typed, reason }: { readonly typed: unknown; readonly reason: string | null },
  ports: ReadPorts,
): Promise<OpenedForm> {
  const rest = await editFields(policy, typed, ports);
  const unset = settingsOfType(policy?.type ?? null).filter((name) => policy?.settings[name] === undefined);
  const context = { unset, ...withPrefill(typed, [POLICY, REASON_FIELD]) };
  const head = { command: 'policy-edit', title: 'Edit a policy', submit: 'Request approval', context };
  const why = await changeReasonField(reason, head, ports);
  const search = searchField(POLICY, 'Policy', 'policy', policyOption(policy), { live: true });
  return { kind: 'form', form: { ...head, fields: [search, ...rest, why] } };
}

function policyOption(policy: Policy | null): FormOption | null {
  if (policy === null) return null;
  const { id, name } = policy;
  return { value: String(id), label: name === '' ? `#${id}` : name, detail: `#${id}` };
}

async function editFields(
  policy: Policy | null,
  typed: unknown,
  ports: ReadPorts,
): Promise<readonly FormField[]> {
  if (policy === null) return [{ kind: 'words', text: 'Choose a policy to see its fields.' }];
  const now = await fieldValues(policy, typedFields.parse(typed), ports);
  return policyFields({ ending: `:${policy.id}`, type: policy.type }, now, ports.dialect);
}

async function fieldValues(policy: Policy | null, input: PolicyInput, ports: ReadPorts) {
  const schedule = policy?.schedule ?? NO_SCHEDULE;
  const ids = input.groups ?? (await groupsAfter(policy?.groupIds ?? [], input, ports));
  const options = await Promise.all(ids.map((id) => groupOption(id, ports)));
  return {
    name: input.name ?? policy?.name ?? '',
    // Only a new policy lets choose what it installs.
    ...(policy === null ? { severities: input.severities ?? [] } : {}),
    groups: options.map((option, at) => option ?? { value: String(ids[at]), label: `#${ids[at]}` }),
    days: input.days ?? schedule.days,
    time: input.time ?? schedule.time,
    timezone: input.timezone ?? schedule.timezone,
    weeksOfMonth: input.weeksOfMonth ?? schedule.weeksOfMonth,
    months: input.months ?? schedule.months,
    notes: input.notes ?? policy?.notes ?? '',
    settings: { ...policy?.settings, ...input.settings },
  };
}

/** Names that do not mean one group are left out: the form shows which ones it has. */
async function groupsAfter(
  now: readonly number[],
  { add = [], remove = [] }: PolicyInput,
  ports: ReadPorts,
): Promise<readonly number[]> {
  const idsOf = async (refs: readonly NameOrId[]) => {
    const again = () => ({ command: 'group', input: {} });
    const found = await Promise.all(refs.map((ref) => resolveGroup(ref, again, ports)));
    return found.flatMap((one) => (one.kind === 'one' ? one.id : []));
  };
  return listAfter(now, await idsOf(add), await idsOf(remove));
}

async function readPolicy(policy: NameOrId | undefined, ports: ReadPorts): Promise<Policy | null> {
  if (policy === undefined) return null;
  const found = await resolvePolicy(policy, () => ({ command: 'policy', input: {} }), ports);
  if (found.kind === 'view') return null;
  return nullIfMissing(() => ports.fleet.policy(found.id, PERSON_PRIORITY));
}

/** All settings that are on or off are one field. */
const FLAGS_FIELD = 'flags';

/** `ending` keeps the fields of one policy apart from those of another. */
function policyFields(
  { ending, type }: { readonly ending: string; readonly type: string | null },
  { settings, ...now }: Awaited<ReturnType<typeof fieldValues>>,
  dialect: Dialect,
): readonly FormField[] {
  return [
    ...POLICY_ARGUMENTS.draw(now, dialect, ending),
    ...settingFields((field) => `${field}${ending}`, type, settings),
  ];
}

function settingFields(
  id: (field: string) => string,
  type: string | null,
  settings: PolicySettings,
): readonly FormField[] {
  const known = settingsOfType(type);
  const flags = known.filter(isFlag);
  if (flags.length === 0) return [];
  return [
    {
      kind: 'choices',
      id: id(FLAGS_FIELD),
      label: 'Reboots and notifications',
      options: flags.map((name) => ({ value: name, label: upperFirst(FIELD_LABELS[name]) })),
      initial: flags.filter((name) => settings[name] === true),
      optional: true,
    },
    ...known.filter((name) => !isFlag(name)).map((name) => settingField(id, name, settings[name])),
  ];
}

function isFlag(name: PolicySettingName): boolean {
  return POLICY_SETTINGS[name].shape.kind === 'flag';
}

function settingField(
  id: (field: string) => string,
  name: PolicySettingName,
  value: SettingValue | undefined,
): FormField {
  const { shape } = POLICY_SETTINGS[name];
  const initial = value === undefined ? '' : typeof value === 'object' ? value.join(', ') : String(value);
  const most = shape.kind === 'text' ? Math.max(shape.most, initial.length) : Math.max(30, initial.length);
  const head = textField(id(FIELD_KEYS[name] ?? name), upperFirst(FIELD_LABELS[name]), initial, most);
  return { ...head, optional: true, ...settingHint(name) };
}

function settingHint(name: PolicySettingName): { readonly hint?: string } {
  const { shape } = POLICY_SETTINGS[name];
  const most = `Up to ${MAX_DEFERRAL_PERIODS}, each at most ${MAX_DEFERRAL_HOURS}.`;
  if (shape.kind === 'hours') return { hint: `Hours, such as 1, 4, 8. ${most}` };
  if (shape.kind !== 'number' || shape.most === null) return {};
  return { hint: `In minutes, ${shape.least} to ${shape.most}.` };
}

/** `unset`: on/off settings that the policy did not state when the form was drawn. */
function policyInputOf(
  ending: string,
  values: FieldValues,
  { unset, dialect }: { readonly unset: readonly string[]; readonly dialect: Dialect },
): { readonly kind: 'policy'; readonly policy: PolicyInput } | Extract<FormValues, { kind: 'errors' }> {
  const id = (field: string) => `${field}${ending}`;
  const entered = POLICY_ARGUMENTS.enter(values, ending);
  if (entered.kind === 'errors') return entered;
  const { settings, errors } = readSettings(id, values, unset);
  const policy: PolicyInput = {
    name: '',
    ...entered.input,
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
  const faults = policyFieldFaults(policyChange(policy, undefined), dialect).map(
    ({ field, expected }) => [id(FIELD_KEYS[field] ?? field), `Expected ${expected}.`] as const,
  );
  const all = Object.fromEntries([...faults, ...errors]);
  return Object.keys(all).length === 0 ? { kind: 'policy', policy } : { kind: 'errors', errors: all };
}

/** An empty field leaves a number or the periods as they are; an empty text is a value. */
function readSettings(id: (field: string) => string, values: FieldValues, unset: readonly string[]) {
  const settings: [PolicySettingName, SettingValue][] = [];
  const errors: [field: string, words: string][] = [];
  const flags = values.get(id(FLAGS_FIELD));
  for (const name of POLICY_SETTING_NAMES) {
    if (isFlag(name)) {
      const isOn = flags?.includes(name) === true;
      if (flags !== undefined && (isOn || !unset.includes(name))) settings.push([name, isOn]);
      continue;
    }
    const field = id(POLICY_SETTINGS[name].key);
    const text = textValue(values, field);
    const keepsEmpty = POLICY_SETTINGS[name].shape.kind !== 'text' || unset.includes(name);
    if (!values.has(field) || (text === '' && keepsEmpty)) continue;
    const value = readSetting(name, text);
    if (value === null) errors.push([field, `Expected ${expectedSetting(name)}.`]);
    else settings.push([name, value]);
  }
  return { settings: Object.fromEntries(settings), errors };
}
