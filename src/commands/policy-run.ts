/** What running a policy by hand on one device takes: its words, the kinds that allow it, and whom it applies to. */

import { z } from 'zod';
import { collectRows } from '../fleet/collect-rows.ts';
import { type Device, displayName } from '../fleet/model.ts';
import type { Policy } from '../fleet/policy.ts';
import { appliesTo, type PolicyAction, RUN_BY_HAND } from '../fleet/standing.ts';
import { unlessMissing } from '../fleet/unless-missing.ts';
import type { PolicyId } from '../ids.ts';
import type { Problem } from '../views/model.ts';
import type { Choice } from '../views/models/report-model.ts';
import type { Planned, ReadPorts } from './command.ts';
import type { Typed } from './define.ts';
import { extraWord, unknownWord } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { type Chosen, planOne } from './plan.ts';
import { type Ref, ref } from './targets/named.ts';
import { manyDevices } from './targets/one-device.ts';
import { offersOf } from './targets/one-meant.ts';
import { noSuchPolicy, policyMeant, policyNaming } from './targets/policy-meant.ts';
import { type DeviceRef, deviceRef, PERSON, reasonText } from './targets/resolve.ts';

export const policyRunInput = z.object({ device: deviceRef, policy: ref, reason: reasonText });
export type PolicyRunInput = z.infer<typeof policyRunInput>;

/** The device is all free words together, the policy follows `policy:`. */
export function parsePolicyRun(words: Words): Typed<PolicyRunInput> {
  const many = manyDevices(words, ['policy']);
  if (many !== null) return { kind: 'fault', fault: many };
  const extra = extraWord(words, { filters: true, reason: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const other = words.filters.find(({ key, negated }) => key !== 'policy' || negated);
  if (other !== undefined) return { kind: 'fault', fault: unknownWord(other.text, ['policy:']) };
  const [named, second] = words.filters;
  if (second !== undefined) {
    return {
      kind: 'fault',
      fault: { kind: 'bad-value', word: second.text, expected: 'one policy at a time' },
    };
  }
  const device = words.free.join(' ');
  const policy = named?.value ?? '';
  const { reason } = words;
  if (device === '') return missing('Which device?', policy === '' ? { reason } : { policy, reason });
  if (policy === '') return missing('Which policy? For example policy:"Disable SMBv1".', { device, reason });
  return { kind: 'input', input: { device, policy, reason } };
}

function missing(what: string, given: Partial<PolicyRunInput>): Typed<never> {
  return { kind: 'fault', fault: { kind: 'missing', what, given } };
}

type Order = PolicyRunInput & { readonly command: string; readonly action: PolicyAction };

/** A proposal to run the policy on the device, or why the two do not go together and what would do. */
export async function planPolicyRun(order: Order, ports: ReadPorts): Promise<Planned> {
  const { command, action, device, reason } = order;
  const again = (of: DeviceRef, policy: Ref) => ({ command, input: { device: of, policy, reason } });
  const found = await policyMeant(order.policy, (id) => again(device, id), ports);
  if (found.kind === 'view') return found;
  const choose = (fresh: Device) => chosen({ action, id: found.id, device: fresh, again }, ports);
  return planOne({ device, again: (id) => again(id, found.id), reason, choose }, ports);
}

type Asked = {
  readonly action: PolicyAction;
  readonly id: PolicyId;
  readonly device: Device;
  /** Asks for the same with another policy. */
  readonly again: (of: DeviceRef, policy: Ref) => Choice;
};

async function chosen({ action, id, device, again }: Asked, ports: ReadPorts): Promise<Chosen> {
  // Caught here, because a missing policy is not a missing device.
  const policy = await unlessMissing(() => ports.fleet.policy(id, PERSON));
  if (policy === null) return { kind: 'problem', problem: noSuchPolicy(id) };
  const why = whyNot(policy, action, device);
  if (why !== null)
    return { kind: 'problem', problem: await refusal(why, { action, policy, device, again }, ports) };
  const kind = action === 'test' ? 'policy-test' : 'policy-remediate';
  return {
    kind: 'command',
    command: { kind, policyId: policy.id, ...(policy.name === '' ? {} : { policyName: policy.name }) },
    missing: [],
    policy,
  };
}

/** What keeps the policy from being run so on this device; null where nothing does. */
export function whyNot(policy: Policy, action: PolicyAction, device: Device): 'kind' | 'device' | null {
  if (policy.type === null || !RUN_BY_HAND[action].includes(policy.type)) return 'kind';
  return appliesTo(device, policy) ? null : 'device';
}

async function refusal(
  why: 'kind' | 'device',
  { action, policy, device, again }: Omit<Asked, 'id'> & { readonly policy: Policy },
  { fleet }: ReadPorts,
): Promise<Problem> {
  const all = await collectRows(fleet.policies(PERSON));
  const others = all.filter((one) => whyNot(one, action, device) === null);
  const offers = offersOf(
    others,
    policyNaming((other) => again(device.id, other)),
  );
  const { id, name, type } = policy;
  return {
    kind: 'policy-not-for',
    why,
    action,
    policy: { id, name, type },
    deviceName: displayName(device),
    others: others.map((one) => one.name),
    ...(offers.length === 0 ? {} : { offers }),
  };
}
