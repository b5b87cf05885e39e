/**
 * `policy-test` has devices judge anew whether they comply with a Worklet, which changes nothing on them; `policy-remediate`
 * has them do what it or required software says.
 * `policy-run` has every device of a policy's groups do it. The service can start
 * that by one request for all of them, which has no waves, no brake and no proof of a device: each device is sent its own.
 */

import { z } from 'zod';
import type { PolicyAction } from '../fleet/model/policy-status.ts';
import type { Policy } from '../fleet/model/resources.ts';
import { collectRows, nullIfMissing } from '../fleet/reads/read-helpers.ts';
import { deviceId } from '../lib/ids.ts';
import { quoteStructure } from '../lib/text.ts';
import type { FieldValues, FormField, FormOption } from '../views/models/form-model.ts';
import type { HelpEntry } from '../views/views.ts';
import {
  type PolicyRunInput,
  parsePolicyRun,
  planPolicyRun,
  policyRunInput,
  policyRunObstacle,
} from './changes/plan-policy-run.ts';
import type {
  CommandForm,
  FormPorts,
  OpenedForm,
  Planned,
  ReadPorts,
  TypedInput,
  WriteCommand,
} from './core/command.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { fieldError, idValue } from './core/field-values.ts';
import { enteredOptions, optionFields, optionValues } from './forms/rollout-options-field.ts';
import { withSeenDevices } from './forms/seen-devices-form.ts';
import { matchingDevices, withSeveralDevices } from './forms/several-devices-form.ts';
import {
  changeReasonField,
  DEVICE_FIELD,
  DEVICE_SUBJECT,
  dependentForm,
  enteredReason,
  type PartialFormRead,
  POLICY_FIELD,
  policySearchField,
  prefillOf,
  textBlockField,
} from './forms/subject-forms.ts';
import { misspelledOption, rolloutOptions, takeRolloutOptions } from './parser/rollout-options.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord, usageFault } from './parser/usage-errors.ts';
import { policyFilter } from './targets/device-query.ts';
import { matchName, type NameOrId, nameOrId } from './targets/name-lookup.ts';
import { PERSON_PRIORITY, reasonSchema } from './targets/resolve-device.ts';
import { resolvePolicy } from './targets/resolve-group-or-policy.ts';

const input = z.object({ policy: nameOrId, rollout: rolloutOptions.exactOptional(), reason: reasonSchema });
type Input = z.infer<typeof input>;

const HEAD = { name: 'policy-run', usage: 'policy-run NAME|#ID [OPTIONS] [because REASON]' };

export const policyOfGroupsForm: CommandForm = {
  open(typed, ports) {
    const { policy, rollout = {}, reason } = ofGroupsPrefill.parse(typed);
    return draw({ policy, options: optionValues(rollout), reason }, ports);
  },
  redraw(values, _context, ports) {
    const policy = idValue(values, POLICY_FIELD) ?? undefined;
    return draw({ policy, options: values, reason: enteredReason(values) }, ports);
  },
  read(values: FieldValues) {
    const policy = idValue(values, POLICY_FIELD);
    if (policy === null) return fieldError(POLICY_FIELD, 'Choose a policy.');
    const options = enteredOptions(values);
    if (options.kind === 'errors') return options;
    return { kind: 'input', input: { policy, ...options.input, reason: enteredReason(values) } };
  },
};

export const policyRunCommand = defineWriteCommand<Input>({
  ...HEAD,
  summary:
    'Request that all devices of a policy’s groups run a Worklet or install required software. Needs approval.',
  examples: ['policy-run "Require VPN client" waves:1,25% because audit'],
  input,
  form: policyOfGroupsForm,
  parse,
  plan: planPolicy,
});

/** All free words are the policy. */
function parse(typed: LineWords): TypedInput<Input> {
  const taken = takeRolloutOptions(typed);
  if (taken.kind === 'fault') return taken;
  const { words, rollout } = taken.input;
  const fault = misspelledOption(words.filters) ?? unexpectedWord(words, { reason: true });
  if (fault !== null && fault.kind !== 'missing') return usageFault(fault);
  const policy = words.free.join(' ');
  const options = rollout === undefined ? {} : { rollout };
  const { reason } = words;
  if (policy !== '' && fault === null) return { kind: 'input', input: { policy, ...options, reason } };
  const what = policy === '' ? 'Which policy?' : (fault?.what ?? '');
  const known = { ...(policy === '' ? {} : { policy }), ...options };
  return usageFault({ kind: 'missing', what, prefill: reason ? { ...known, reason } : known });
}

/** The devices that the index knows under the policy; those that are not any more stay out and are listed. */
async function planPolicy(asked: Input, ports: ReadPorts): Promise<Planned> {
  const again = (policy: NameOrId) => ({ command: HEAD.name, input: { ...asked, policy } });
  const found = await resolvePolicy(asked.policy, again, ports);
  if (found.kind === 'view') return found;
  const order = { ...asked, policy: found.id, command: HEAD, action: 'remediate' } as const;
  const planned = await planPolicyRun({ ...order, ofPolicy: true, filters: [policyFilter(found.id)] }, ports);
  if (planned.kind !== 'problem' || planned.problem.kind !== 'no-devices-match') return planned;
  const { policies } = await ports.inventory.snapshot(PERSON_PRIORITY);
  const name = policies.find(({ id }) => id === found.id)?.name ?? '';
  return { kind: 'problem', problem: { kind: 'policy-without-devices', policy: { id: found.id, name } } };
}

export const policyTestCommand = defineRunOnDevices({
  name: 'policy-test',
  usage: 'policy-test NAME|#ID|FILTERS policy:NAME|#ID [OPTIONS] [because REASON]',
  summary: 'Have devices check whether they comply with a Worklet.',
  examples: ['policy-test win-ts-01 policy:"Disable SMBv1"'],
  action: 'test',
  form: { title: 'Test a policy', submit: 'Test', reason: 'Shown with the request.' },
});

export const policyRemediateCommand = defineRunOnDevices({
  name: 'policy-remediate',
  usage: 'policy-remediate NAME|#ID|FILTERS policy:NAME|#ID [OPTIONS] [because REASON]',
  summary: 'Request that devices run a Worklet or install required software. Needs approval.',
  examples: ['policy-remediate win-ts-01 policy:"Require VPN client" because audit'],
  action: 'remediate',
  form: { title: 'Remediate a policy', submit: 'Request approval' },
});

type RunForm = { readonly title: string; readonly submit: string; readonly reason?: string };

function defineRunOnDevices({
  action,
  form,
  ...command
}: HelpEntry & { readonly action: PolicyAction; readonly form: RunForm }): WriteCommand {
  return defineWriteCommand<PolicyRunInput>({
    ...command,
    input: policyRunInput,
    form: policyRunForm(action, { command: command.name, ...form }),
    targets: 'filters',
    parse: parsePolicyRun,
    plan: (input, ports) => planPolicyRun({ ...input, command, action }, ports),
  });
}

const prefillSchema = z.object({ policy: nameOrId.optional() }).catch({ policy: undefined });

/** Each device has its own field, so that a choice for one does not apply to another. */
const policyOf = (device: number): string => `policy:${device}`;

function policyRunForm(action: PolicyAction, head: RunForm & { readonly command: string }): CommandForm {
  const oneDevice = dependentForm<NameOrId | undefined>(DEVICE_SUBJECT, {
    ...head,
    parsePrefill: (typed) => prefillSchema.parse(typed).policy,
    enteredValues: (device, values) => idValue(values, policyOf(device)),
    buildFields: async (device, ref, ports) => ({
      fields: [
        device === null
          ? textBlockField('Choose a device to see its policies.')
          : await policyField(device, action, ref, ports),
      ],
      context: {},
    }),
    read: readForm,
  });
  const several = withSeveralDevices(oneDevice, {
    ...head,
    title: `${head.title} on several`,
    ownFields: async (typed, ports) => [await policySearchField(prefillSchema.parse(typed).policy, ports)],
    readOwn(values) {
      const policy = idValue(values, POLICY_FIELD);
      return policy === null
        ? fieldError(POLICY_FIELD, 'Choose a policy.')
        : { kind: 'input', input: { policy } };
    },
  });
  return withSeenDevices(several);
}

async function policyField(
  { value, label }: FormOption,
  action: PolicyAction,
  ref: NameOrId | undefined,
  ports: ReadPorts,
): Promise<FormField> {
  const fitting = await runnablePolicies(Number(value), action, ports);
  const what = action === 'test' ? 'tested' : 'remediated';
  if (fitting.length === 0)
    return textBlockField(`No policy of ${quoteStructure(label)} can be ${what} manually.`);
  const found = ref === undefined ? null : matchName(ref, fitting, ({ name }) => name);
  return {
    kind: 'choice',
    id: policyOf(Number(value)),
    label: 'Policy',
    options: fitting.map(({ id, name }) => ({ value: String(id), label: name, detail: `#${id}` })),
    initial: found?.kind === 'one' ? String(found.id) : null,
  };
}

/** Empty if the device no longer exists, which the command reports. */
async function runnablePolicies(
  id: number,
  action: PolicyAction,
  { fleet }: ReadPorts,
): Promise<readonly Policy[]> {
  const fitting = await nullIfMissing(async () => {
    const [device, all] = await Promise.all([
      fleet.device(deviceId(id), PERSON_PRIORITY),
      collectRows(fleet.policies(PERSON_PRIORITY)),
    ]);
    return all.filter((one) => policyRunObstacle(one, action, device) === null);
  });
  return fitting ?? [];
}

function readForm(device: number, values: FieldValues): PartialFormRead {
  const field = policyOf(device);
  const policy = idValue(values, field);
  if (policy !== null) return { kind: 'input', input: { policy } };
  if (values.has(field)) return fieldError(field, 'Choose a policy.');
  const others = [...values.keys()].some((id) => id.startsWith('policy:'));
  return fieldError(
    DEVICE_FIELD,
    others
      ? 'The policies aren’t listed yet. Wait a moment, then send again.'
      : 'No policy of this device can be chosen. Choose another device.',
  );
}

const ofGroupsPrefill = prefillOf({
  policy: nameOrId.optional().catch(undefined),
  rollout: rolloutOptions.optional().catch(undefined),
  reason: reasonSchema.catch(null).default(null),
});

type Drawn = {
  readonly policy: NameOrId | undefined;
  readonly options: FieldValues;
  readonly reason: string | null;
};

async function draw({ policy, options, reason }: Drawn, ports: FormPorts): Promise<OpenedForm> {
  const field = await policySearchField(policy, ports);
  const command = 'policy-run';
  const { text, devices } =
    field.initial === null
      ? { text: 'Choose a policy to see the devices of its groups.', devices: 0 }
      : await matchingDevices([policyFilter(Number(field.initial.value))], ports);
  const fields: readonly FormField[] = [
    { ...field, live: true },
    { kind: 'words', text },
    ...optionFields(options),
    await changeReasonField(reason, { command, devices }, ports),
  ];
  const head = { command, title: 'Run a policy', submit: 'Request approval' };
  return { kind: 'form', form: { ...head, fields, context: null } };
}
