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
import {
  chosenDevice,
  DEVICE,
  deviceField,
  deviceOption,
  givenDevice,
  givenReason,
  reasonField,
} from './device-form.ts';
import type { Form, FormOpened, FormRead } from './form.ts';
import { errorOn, idIn } from './form-values.ts';

const givenPolicy = z.object({ policy: ref.optional() }).catch({ policy: undefined });

/** What a window carries has room for little more (3,000 characters, Slack). */
const MOST_POLICY = 500;

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

type Entered = {
  readonly device: FormOption | null;
  readonly policy: Ref | undefined;
  readonly reason: string | null;
};

export function policyRunForm(options: PolicyRunFormOptions): Form {
  return {
    async open(typed, ports) {
      const { device, reason } = givenDevice.parse(typed);
      const { policy } = givenPolicy.parse(typed);
      return draw(options, { device: await deviceOption(device, ports), policy, reason }, ports);
    },
    async redraw(values, context, ports) {
      const id = chosenDevice(values);
      const chosen = id === null ? null : idIn(values, policyOf(id));
      // What was typed holds for every device, until another is chosen.
      const policy = chosen ?? givenPolicy.parse(context).policy;
      const device = await deviceOption(id ?? undefined, ports);
      return draw(options, { device, policy, reason: givenReason(values) }, ports);
    },
    read,
  };
}

async function draw(
  { command, action, title, submit, reason: hint }: PolicyRunFormOptions,
  { device, policy, reason }: Entered,
  ports: ReadPorts,
): Promise<FormOpened> {
  const choice: FormField =
    device === null
      ? { kind: 'words', text: 'Once a device is chosen, its policies stand here.' }
      : await policyField(device, { action, policy }, ports);
  const fields = [{ ...deviceField(device), live: true } as const, choice, reasonField(reason, hint)];
  const isShort = String(policy).length <= MOST_POLICY;
  const context = policy === undefined || !isShort ? {} : { policy };
  return { kind: 'form', form: { command, title, submit, fields, context } };
}

type Wanted = { readonly action: PolicyAction; readonly policy: Ref | undefined };

async function policyField(
  { value, label }: FormOption,
  { action, policy }: Wanted,
  ports: ReadPorts,
): Promise<FormField> {
  const fitting = await runnable(Number(value), action, ports);
  const what = action === 'test' ? 'tested' : 'remediated';
  if (fitting.length === 0) return { kind: 'words', text: `No policy of ${label} can be ${what} by hand.` };
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

function read(values: FieldValues): FormRead {
  const device = chosenDevice(values);
  if (device === null) return errorOn(DEVICE, 'Choose a device.');
  const field = policyOf(device);
  const policy = idIn(values, field);
  if (policy !== null) return { kind: 'input', input: { device, policy, reason: givenReason(values) } };
  if (values.has(field)) return errorOn(field, 'Choose a policy.');
  const others = [...values.keys()].some(isPolicy);
  return errorOn(
    DEVICE,
    others
      ? 'The policies of this device are not listed yet. Wait a moment and ask again.'
      : 'No policy of this device can be chosen: take another device.',
  );
}
