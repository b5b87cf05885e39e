/** What running a policy by hand takes: its words, the kinds that allow it, and whom it applies to. */
import { z } from 'zod';
import type { FleetCommand } from '../../fleet/model/actions.ts';
import {
  appliesTo,
  type PolicyAction,
  RUNNABLE_POLICY_TYPES,
  toPolicyFacts,
} from '../../fleet/model/policy-status.ts';
import { type Device, displayName, type Policy } from '../../fleet/model/resources.ts';
import { collectRows, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import type { PolicyId } from '../../lib/ids.ts';
import type { CommandChoice } from '../../views/models/list-model.ts';
import type { Problem } from '../../views/views.ts';
import type { Planned, ReadPorts, TypedInput } from '../core/command.ts';
import type { LineWords } from '../parser/tokenizer.ts';
import { unknownWordFault, usageFault } from '../parser/usage-errors.ts';
import { choiceOffers, type NameOrId, nameOrId } from '../targets/name-lookup.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import {
  policyChoiceNames,
  resolvePolicy,
  unknownPolicyProblem,
} from '../targets/resolve-group-or-policy.ts';
import { type DeviceTarget, retryFor } from '../targets/resolve-targets.ts';
import { parseTargetLine, splitTarget, targetFields, toTargetInput } from '../targets/target-line.ts';
import {
  type ChosenAction,
  type ChosenForMany,
  factsWriter,
  leaveOut,
  planForDevice,
  planTargets,
} from './plan-targets.ts';

export const policyRunInput = z.object({ ...targetFields, policy: nameOrId });
export type PolicyRunInput = z.infer<typeof policyRunInput>;

/** The devices, and the policy after `policy:`, which selects no devices here. */
export function parsePolicyRun(words: LineWords): TypedInput<PolicyRunInput> {
  const line = parseTargetLine(words, { ownKeys: ['policy'] });
  if (line.kind === 'fault') return line;
  const [named, second] = line.input.own;
  if (named?.negated) return usageFault(unknownWordFault(named.text, ['policy:']));
  if (second !== undefined)
    return usageFault({ kind: 'bad-value', word: second.text, expected: 'one policy at a time' });
  const policy = named?.value ?? '';
  const missing = policy === '' ? 'Which policy? For example policy:"Disable SMBv1".' : line.input.missing;
  const read = toTargetInput({ ...line.input, missing }, policy === '' ? {} : { policy });
  return read.kind === 'fault' ? read : { kind: 'input', input: { ...read.input, policy } };
}

type PolicyRunPlan = PolicyRunInput & {
  readonly command: { readonly name: string; readonly usage: string };
  readonly action: PolicyAction;
  /** The devices are those of the policy, so another policy has other ones. */
  readonly ofPolicy?: true;
};

/** A proposal to run the policy on the devices, or why they do not go together and what would do. */
export async function planPolicyRun(order: PolicyRunPlan, ports: ReadPorts): Promise<Planned> {
  const { command, action, ofPolicy = false, ...input } = order;
  const { name, usage } = command;
  const { target, meant, rest: asked } = splitTarget(input);
  const { reason } = asked;
  const retryWith = (policy: NameOrId, of: DeviceTarget = meant) => ({
    command: name,
    input: { ...asked, ...of, policy },
  });
  const found = await resolvePolicy(order.policy, (id) => retryWith(id), ports);
  if (found.kind === 'view') return found;
  const { id } = found;
  const again = { name, usage, input: { ...asked, policy: id } };
  const choose = (device: Device) => {
    const retryOn = (policy: NameOrId) => retryWith(policy, { device: device.id });
    return checkedPolicy(device, { action, id, retryWith: retryOn }, ports);
  };
  return planTargets(
    {
      again,
      target,
      withPolicies: true,
      one: (ref) => planForDevice({ device: ref, retryWith: retryFor(again), reason, choose }, ports),
      many: (devices) => policyForMany(devices, { action, id, retryWith }, ofPolicy, ports),
    },
    ports,
  );
}

type PolicyRun = {
  readonly action: PolicyAction;
  readonly id: PolicyId;
  readonly retryWith: (policy: NameOrId) => CommandChoice;
};

async function policyForMany(
  devices: readonly Device[],
  { action, id, retryWith }: PolicyRun,
  ofPolicy: boolean,
  ports: ReadPorts,
): Promise<ChosenForMany> {
  const policy = await nullIfMissing(() => ports.fleet.policy(id, PERSON_PRIORITY));
  if (policy === null) return { kind: 'problem', problem: unknownPolicyProblem(id) };
  const notFor = (device: Device) => policyRunObstacle(policy, action, device);
  const [first] = devices;
  if (first !== undefined && notFor(first) === 'kind') {
    const fits = (one: Policy) =>
      ofPolicy
        ? isRunnable(one, action) && one.groupIds.length > 0
        : devices.some((on) => policyRunObstacle(one, action, on) === null);
    return obstacleProblem(wrongPolicy(policy, { why: 'kind', action }), fits, retryWith, ports);
  }
  const factsOf = await factsWriter(devices, ports);
  const command = policyCommand(action, policy);
  const fitting = devices.filter((device) => notFor(device) === null);
  const others = devices.filter((device) => !fitting.includes(device));
  return {
    kind: 'chosen',
    command,
    targets: fitting.map((device) =>
      factsOf(device, { packages: [], policy: toPolicyFacts(device, command, policy) }),
    ),
    leftOut: others.map((device) =>
      leaveOut(device, (deviceName) => wrongPolicy(policy, { why: 'device', action, deviceName })),
    ),
  };
}

function policyCommand(action: PolicyAction, { id, name }: Policy): FleetCommand {
  const kind = action === 'test' ? 'policy-test' : 'policy-remediate';
  return { kind, policyId: id, ...(name === '' ? {} : { policyName: name }) };
}

async function checkedPolicy(
  device: Device,
  { action, id, retryWith }: PolicyRun,
  ports: ReadPorts,
): Promise<ChosenAction> {
  // Caught here, because a missing policy is not a missing device.
  const policy = await nullIfMissing(() => ports.fleet.policy(id, PERSON_PRIORITY));
  if (policy === null) return { kind: 'problem', problem: unknownPolicyProblem(id) };
  const why = policyRunObstacle(policy, action, device);
  if (why === null) return { kind: 'command', command: policyCommand(action, policy), packages: [], policy };
  const wrong = wrongPolicy(policy, { why, action, deviceName: displayName(device) });
  const fits = (one: Policy) => policyRunObstacle(one, action, device) === null;
  return obstacleProblem(wrong, fits, retryWith, ports);
}

/** What keeps the policy from being run so on this device; null where nothing does. */
export function policyRunObstacle(
  policy: Policy,
  action: PolicyAction,
  device: Device,
): 'kind' | 'device' | null {
  if (!isRunnable(policy, action)) return 'kind';
  return appliesTo(device, policy) ? null : 'device';
}

function isRunnable({ type }: Policy, action: PolicyAction): boolean {
  return type !== null && RUNNABLE_POLICY_TYPES[action].includes(type);
}

type PolicyNotFor = Extract<Problem, { kind: 'policy-not-for' }>;

/** `deviceName`: absent for several devices. */
function wrongPolicy(
  { id, name, type }: Policy,
  rest: Pick<PolicyNotFor, 'why' | 'action' | 'deviceName'>,
): PolicyNotFor {
  return { kind: 'policy-not-for', ...rest, policy: { id, name, type }, others: [] };
}

/** With the other policies that would do. */
async function obstacleProblem(
  wrong: PolicyNotFor,
  fits: (policy: Policy) => boolean,
  retryWith: PolicyRun['retryWith'],
  { fleet }: ReadPorts,
) {
  const others = (await collectRows(fleet.policies(PERSON_PRIORITY))).filter(fits);
  const offers = choiceOffers(others, policyChoiceNames(retryWith));
  const named = { ...wrong, others: others.map(({ name }) => name) };
  return { kind: 'problem', problem: offers.length === 0 ? named : { ...named, offers } } as const;
}
