/** The forms of `policy-create` and `policy-edit`. */
import { z } from 'zod';
import {
  allBits,
  DEVICE_TIME,
  MONTHS,
  POLICY_SETTING_NAMES,
  type Policy,
  settingsOfType,
  WEEKS,
} from '../../fleet/model/policy.ts';
import { nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import type { FormField, FormOption } from '../../views/models/form-model.ts';
import { listAfter } from '../changes/list-after.ts';
import { type PolicyInput, policyInput } from '../changes/policy-fields.ts';
import type { ReadPorts } from '../core/command.ts';
import { type NameOrId, nameOrId } from '../targets/name-lookup.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { resolveGroup } from '../targets/resolve-group.ts';
import { resolvePolicy } from '../targets/resolve-policy.ts';
import { type PolicyFieldValues, policyFields } from './policy-form-fields.ts';
import { policyInputOf } from './policy-form-values.ts';
import { type CommandForm, type OpenedForm, prefillIn, withPrefill } from './shared/command-form.ts';
import { changeReasonField, enteredReason, REASON_FIELD } from './shared/device-form.ts';
import { fieldError, idValue } from './shared/field-values.ts';
import { groupOption } from './shared/group-or-policy-form.ts';

const POLICY = 'policy';
const HINT = 'Approvers see it with the request.';
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
    const why = await changeReasonField(typedReason.parse(typed).reason, HINT, head, ports);
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
  const search = {
    kind: 'search',
    id: POLICY,
    label: 'Policy',
    of: 'policy',
    initial: policy === null ? null : policyOption(policy),
    live: true,
  } as const;
  const rest = await editFields(policy, typed, ports);
  const unset = settingsOfType(policy?.type ?? null).filter((name) => policy?.settings[name] === undefined);
  const context = { unset, ...withPrefill(typed, [POLICY, REASON_FIELD]) };
  const head = { command: 'policy-edit', title: 'Edit a policy', submit: 'Request approval', context };
  const why = await changeReasonField(reason, HINT, head, ports);
  return { kind: 'form', form: { ...head, fields: [search, ...rest, why] } };
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

/** The current values of the policy, replaced by typed ones. */
async function fieldValues(
  policy: Policy | null,
  input: PolicyInput,
  ports: ReadPorts,
): Promise<PolicyFieldValues> {
  const schedule = policy?.schedule ?? NO_SCHEDULE;
  const ids = input.groups ?? (await groupsAfter(policy?.groupIds ?? [], input, ports));
  const options = await Promise.all(ids.map((id) => groupOption(id, ports)));
  return {
    name: input.name ?? policy?.name ?? '',
    groups: options.map((option, at) => option ?? { value: String(ids[at]), label: `#${ids[at]}` }),
    schedule: {
      days: input.days ?? schedule.days,
      weeksOfMonth: input.weeksOfMonth ?? schedule.weeksOfMonth,
      months: input.months ?? schedule.months,
      time: input.time ?? schedule.time,
      timezone: input.timezone ?? schedule.timezone,
    },
    notes: input.notes ?? policy?.notes ?? '',
    settings: { ...policy?.settings, ...input.settings },
    severities: policy === null ? (input.severities ?? []) : null,
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

function policyOption({ id, name }: Policy): FormOption {
  return { value: String(id), label: name === '' ? `#${id}` : name, detail: `#${id}` };
}
