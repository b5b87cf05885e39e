/** The form of `policy-test` and `policy-remediate`: a device, then the policies that can be run on it by hand. */
import { z } from 'zod';
import type { Policy } from '../../fleet/model/policy.ts';
import type { PolicyAction } from '../../fleet/model/policy-status.ts';
import { collectRows, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { deviceId } from '../../lib/ids.ts';
import { quoteStructure } from '../../lib/text.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import { policyRunObstacle } from '../changes/policy-run.ts';
import type { ReadPorts } from '../core/command.ts';
import { matchName, type NameOrId, nameOrId } from '../targets/name-lookup.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import type { CommandForm } from './shared/command-form.ts';
import {
  type DrawnFields,
  dependentForm,
  type PartialFormRead,
  textBlockField,
} from './shared/dependent-form.ts';
import { DEVICE_FIELD, DEVICE_SUBJECT } from './shared/device-form.ts';
import { fieldError, idValue } from './shared/field-values.ts';
import { POLICY_FIELD, policySearchField } from './shared/policy-field.ts';
import { withSeenDevices } from './shared/seen-devices-form.ts';
import { withSeveralDevices } from './shared/several-devices-form.ts';

const prefillSchema = z.object({ policy: nameOrId.optional() }).catch({ policy: undefined });

/** Each device has its own field, so that a choice for one does not apply to another. */
const policyOf = (device: number): string => `policy:${device}`;
const isPolicy = (field: string): boolean => field.startsWith('policy:');

export type PolicyRunFormOptions = {
  readonly command: string;
  readonly action: PolicyAction;
  readonly title: string;
  readonly submit: string;
  /** Hint below the reason. */
  readonly reason: string;
};

export function policyRunForm({ action, ...head }: PolicyRunFormOptions): CommandForm {
  const oneDevice = dependentForm<NameOrId | undefined>(DEVICE_SUBJECT, {
    ...head,
    parsePrefill: (typed) => prefillSchema.parse(typed).policy,
    enteredValues: (device, values) => idValue(values, policyOf(device)),
    buildFields: (device, ref, ports) => drawFields(device, { action, ref }, ports),
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

async function drawFields(
  device: FormOption | null,
  requested: RequestedPolicy,
  ports: ReadPorts,
): Promise<DrawnFields> {
  const field =
    device === null
      ? textBlockField('Choose a device to see its policies.')
      : await policyField(device, requested, ports);
  return { fields: [field], context: {} };
}

type RequestedPolicy = { readonly action: PolicyAction; readonly ref: NameOrId | undefined };

async function policyField(
  { value, label }: FormOption,
  { action, ref }: RequestedPolicy,
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
  const others = [...values.keys()].some(isPolicy);
  return fieldError(
    DEVICE_FIELD,
    others
      ? 'The policies aren’t listed yet. Wait a moment, then send again.'
      : 'No policy of this device can be chosen. Choose another device.',
  );
}
