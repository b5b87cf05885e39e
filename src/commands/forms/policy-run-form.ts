/** The form of `policy-test` and `policy-remediate`: a device, then the policies that can be run on it by hand. */

import { z } from 'zod';
import { collectRows } from '../../fleet/collect-rows.ts';
import type { Policy } from '../../fleet/policy.ts';
import type { PolicyAction } from '../../fleet/standing.ts';
import { unlessMissing } from '../../fleet/unless-missing.ts';
import { deviceId } from '../../ids.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../command.ts';
import { whyNot } from '../policy-run.ts';
import { meant, type Ref, ref } from '../targets/named.ts';
import { PERSON } from '../targets/resolve.ts';
import { chosenDeviceForm, type Drawn, type PartRead, wordsField } from './chosen-device-form.ts';
import { DEVICE } from './device-form.ts';
import type { Form } from './form.ts';
import { errorOn, idIn } from './form-values.ts';

const givenPolicy = z.object({ policy: ref.optional() }).catch({ policy: undefined });

/** Each device has a field of its own, so that nothing chosen for one is taken for another. */
const policyOf = (device: number): string => `policy:${device}`;
const isPolicy = (field: string): boolean => field.startsWith('policy:');

export type PolicyRunFormOptions = {
  readonly command: string;
  readonly action: PolicyAction;
  readonly title: string;
  readonly submit: string;
  /** Said below the reason. */
  readonly reason: string;
};

export function policyRunForm({ action, ...head }: PolicyRunFormOptions): Form {
  return chosenDeviceForm<Ref | undefined>({
    ...head,
    typed: (typed) => givenPolicy.parse(typed).policy,
    entered: (device, values) => idIn(values, policyOf(device)),
    draw: (device, policy, ports) => draw(device, { action, policy }, ports),
    read,
  });
}

async function draw(device: FormOption | null, wanted: Wanted, ports: ReadPorts): Promise<Drawn> {
  const field =
    device === null
      ? wordsField('Choose a device to see its policies.')
      : await policyField(device, wanted, ports);
  return { fields: [field], context: {} };
}

type Wanted = { readonly action: PolicyAction; readonly policy: Ref | undefined };

async function policyField(
  { value, label }: FormOption,
  { action, policy }: Wanted,
  ports: ReadPorts,
): Promise<FormField> {
  const fitting = await runnable(Number(value), action, ports);
  const what = action === 'test' ? 'tested' : 'remediated';
  if (fitting.length === 0) return wordsField(`No policy of ${label} can be ${what} manually.`);
  const found = policy === undefined ? null : meant(policy, fitting, ({ name }) => name);
  return {
    kind: 'choice',
    id: policyOf(Number(value)),
    label: 'Policy',
    options: fitting.map(({ id, name }) => ({ value: String(id), label: name, detail: `#${id}` })),
    initial: found?.kind === 'one' ? String(found.id) : null,
  };
}

/** None where the device is not there any more: the command says so. */
async function runnable(id: number, action: PolicyAction, { fleet }: ReadPorts): Promise<readonly Policy[]> {
  const fitting = await unlessMissing(async () => {
    const [device, all] = await Promise.all([
      fleet.device(deviceId(id), PERSON),
      collectRows(fleet.policies(PERSON)),
    ]);
    return all.filter((one) => whyNot(one, action, device) === null);
  });
  return fitting ?? [];
}

function read(device: number, values: FieldValues): PartRead {
  const field = policyOf(device);
  const policy = idIn(values, field);
  if (policy !== null) return { kind: 'input', input: { policy } };
  if (values.has(field)) return errorOn(field, 'Choose a policy.');
  const others = [...values.keys()].some(isPolicy);
  return errorOn(
    DEVICE,
    others
      ? 'The policies aren’t listed yet. Wait a moment, then send again.'
      : 'No policy of this device can be chosen. Choose another device.',
  );
}
