/** What running a policy by hand on one device takes: its words, the kinds that allow it, and whom it applies to. */

import { z } from 'zod';
import type { Policy } from '../../fleet/model/policy.ts';
import { appliesTo, type PolicyAction, RUNNABLE_POLICY_TYPES } from '../../fleet/model/policy-status.ts';
import { type Device, displayName } from '../../fleet/model/resources.ts';
import { collectRows, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import type { PolicyId } from '../../lib/ids.ts';
import type { Problem } from '../../views/model.ts';
import type { CommandChoice } from '../../views/models/report-model.ts';
import type { Planned, ReadPorts } from '../core/command.ts';
import type { TypedInput } from '../core/define-command.ts';
import type { LineWords } from '../parser/tokenizer.ts';
import { unexpectedWord, unknownWordFault } from '../parser/usage-errors.ts';
import { choiceOffers } from '../targets/name-choices.ts';
import { type NameOrId, nameOrId } from '../targets/name-lookup.ts';
import { type DeviceRef, deviceRef, PERSON_PRIORITY, reasonSchema } from '../targets/resolve-device.ts';
import { policyChoiceNames, resolvePolicy, unknownPolicyView } from '../targets/resolve-policy.ts';
import { manyDevicesFault } from '../targets/unknown-devices.ts';
import { type ChosenAction, planForDevice } from './plan-change.ts';

export const policyRunInput = z.object({ device: deviceRef, policy: nameOrId, reason: reasonSchema });
export type PolicyRunInput = z.infer<typeof policyRunInput>;

/** The device is all free words together, the policy follows `policy:`. */
export function parsePolicyRun(words: LineWords): TypedInput<PolicyRunInput> {
  const many = manyDevicesFault(words, ['policy']);
  if (many !== null) return { kind: 'fault', fault: many };
  const extra = unexpectedWord(words, { filters: true, reason: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const other = words.filters.find(({ key, negated }) => key !== 'policy' || negated);
  if (other !== undefined) return { kind: 'fault', fault: unknownWordFault(other.text, ['policy:']) };
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
  if (device === '') return missingFault('Which device?', policy === '' ? { reason } : { policy, reason });
  if (policy === '')
    return missingFault('Which policy? For example policy:"Disable SMBv1".', { device, reason });
  return { kind: 'input', input: { device, policy, reason } };
}

function missingFault(what: string, partialInput: Partial<PolicyRunInput>): TypedInput<never> {
  return { kind: 'fault', fault: { kind: 'missing', what, prefill: partialInput } };
}

type PolicyRunPlan = PolicyRunInput & { readonly command: string; readonly action: PolicyAction };

/** A proposal to run the policy on the device, or why the two do not go together and what would do. */
export async function planPolicyRun(order: PolicyRunPlan, ports: ReadPorts): Promise<Planned> {
  const { command, action, device, reason } = order;
  const retryWith = (of: DeviceRef, policy: NameOrId) => ({ command, input: { device: of, policy, reason } });
  const found = await resolvePolicy(order.policy, (id) => retryWith(device, id), ports);
  if (found.kind === 'view') return found;
  const choose = (fresh: Device) => checkedPolicy({ action, id: found.id, device: fresh, retryWith }, ports);
  return planForDevice({ device, retryWith: (id) => retryWith(id, found.id), reason, choose }, ports);
}

type PolicyRunRequest = {
  readonly action: PolicyAction;
  readonly id: PolicyId;
  readonly device: Device;
  /** Asks for the same with another policy. */
  readonly retryWith: (of: DeviceRef, policy: NameOrId) => CommandChoice;
};

async function checkedPolicy(
  { action, id, device, retryWith }: PolicyRunRequest,
  ports: ReadPorts,
): Promise<ChosenAction> {
  // Caught here, because a missing policy is not a missing device.
  const policy = await nullIfMissing(() => ports.fleet.policy(id, PERSON_PRIORITY));
  if (policy === null) return { kind: 'problem', problem: unknownPolicyView(id) };
  const why = policyRunObstacle(policy, action, device);
  if (why !== null)
    return {
      kind: 'problem',
      problem: await obstacleProblem(why, { action, policy, device, retryWith }, ports),
    };
  const kind = action === 'test' ? 'policy-test' : 'policy-remediate';
  return {
    kind: 'command',
    command: { kind, policyId: policy.id, ...(policy.name === '' ? {} : { policyName: policy.name }) },
    missing: [],
    policy,
  };
}

/** What keeps the policy from being run so on this device; null where nothing does. */
export function policyRunObstacle(
  policy: Policy,
  action: PolicyAction,
  device: Device,
): 'kind' | 'device' | null {
  if (policy.type === null || !RUNNABLE_POLICY_TYPES[action].includes(policy.type)) return 'kind';
  return appliesTo(device, policy) ? null : 'device';
}

async function obstacleProblem(
  why: 'kind' | 'device',
  { action, policy, device, retryWith }: Omit<PolicyRunRequest, 'id'> & { readonly policy: Policy },
  { fleet }: ReadPorts,
): Promise<Problem> {
  const all = await collectRows(fleet.policies(PERSON_PRIORITY));
  const others = all.filter((one) => policyRunObstacle(one, action, device) === null);
  const offers = choiceOffers(
    others,
    policyChoiceNames((other) => retryWith(device.id, other)),
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
