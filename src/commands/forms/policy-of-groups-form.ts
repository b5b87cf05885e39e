/** The form of `policy-run`: a policy with the devices of its groups, waves and other options, and a reason. */
import { z } from 'zod';
import type { FieldValues, FormField } from '../../views/models/form-model.ts';
import { rolloutOptions } from '../parser/rollout-options.ts';
import { policyFilter } from '../targets/device-filters.ts';
import { type NameOrId, nameOrId } from '../targets/name-lookup.ts';
import { reasonSchema } from '../targets/resolve-device.ts';
import type { CommandForm, FormPorts, OpenedForm } from './shared/command-form.ts';
import { changeReasonField, enteredReason } from './shared/device-form.ts';
import { fieldError, idValue } from './shared/field-values.ts';
import { matchingDevices } from './shared/matching-devices.ts';
import { POLICY_FIELD, policySearchField } from './shared/policy-field.ts';
import { enteredOptions, optionFields, optionValues } from './shared/rollout-options-field.ts';

const prefillSchema = z
  .object({
    policy: nameOrId.optional().catch(undefined),
    rollout: rolloutOptions.optional().catch(undefined),
    reason: reasonSchema.catch(null).default(null),
  })
  .catch({ policy: undefined, rollout: undefined, reason: null });

export const policyOfGroupsForm: CommandForm = {
  open(typed, ports) {
    const { policy, rollout = {}, reason } = prefillSchema.parse(typed);
    return draw({ policy, options: optionValues(rollout), reason }, ports);
  },
  redraw: (values, _context, ports) =>
    draw(
      {
        policy: idValue(values, POLICY_FIELD) ?? undefined,
        options: values,
        reason: enteredReason(values),
      },
      ports,
    ),
  read(values: FieldValues) {
    const policy = idValue(values, POLICY_FIELD);
    if (policy === null) return fieldError(POLICY_FIELD, 'Choose a policy.');
    const options = enteredOptions(values);
    if (options.kind === 'errors') return options;
    return { kind: 'input', input: { policy, ...options.input, reason: enteredReason(values) } };
  },
};

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
    await changeReasonField(reason, 'Approvers see it with the request.', { command, devices }, ports),
  ];
  const head = { command, title: 'Run a policy', submit: 'Request approval' };
  return { kind: 'form', form: { ...head, fields, context: null } };
}
