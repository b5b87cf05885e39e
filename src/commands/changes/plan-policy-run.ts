/** What running a policy by hand takes: its words, the kinds that allow it, and whom it applies to. */
import { z } from 'zod';
import type { FleetCommand } from '../../fleet/model/actions.ts';
import type { Policy } from '../../fleet/model/policy.ts';
import {
  appliesTo,
  type PolicyAction,
  RUNNABLE_POLICY_TYPES,
  toPolicyFacts,
} from '../../fleet/model/policy-status.ts';
import { type Device, displayName } from '../../fleet/model/resources.ts';
import { collectRows, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import type { PolicyId } from '../../lib/ids.ts';
import type { Problem } from '../../views/model.ts';
import type { CommandChoice } from '../../views/models/list-model.ts';
import type { Planned, ReadPorts, TypedInput } from '../core/command.ts';
import type { LineWords } from '../parser/tokenizer.ts';
import { unknownWordFault, usageFault } from '../parser/usage-errors.ts';
import { choiceOffers, type NameOrId, nameOrId } from '../targets/name-lookup.ts';
import { type DeviceRef, PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { policyChoiceNames, resolvePolicy, unknownPolicyView } from '../targets/resolve-group-or-policy.ts';
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
  const { target, meant, rest: asked } = splitTarget(input);
  const { reason } = asked;
  const retryWith = (policy: NameOrId, of: DeviceTarget = meant) => ({
    command: command.name,
    input: { ...asked, ...of, policy },
  });
  const found = await resolvePolicy(order.policy, (id) => retryWith(id), ports);
  if (found.kind === 'view') return found;
  const { name, usage } = command;
  const again = { name, usage, input: { ...asked, policy: found.id } };
  const run = { action, id: found.id };
  const choose = (fresh: Device) =>
    checkedPolicy(
      { ...run, device: fresh, retryWith: (of, policy) => retryWith(policy, { device: of }) },
      ports,
    );
  return planTargets(
    {
      again,
      target,
      withPolicies: true,
      one: (ref) => planForDevice({ device: ref, retryWith: retryFor(again), reason, choose }, ports),
      many: (devices) =>
        policyForMany(devices, { ...run, ofPolicy, retryWith: (policy) => retryWith(policy) }, ports),
    },
    ports,
  );
}

async function policyForMany(
  devices: readonly Device[],
  {
    action,
    id,
    ofPolicy,
    retryWith,
  }: Pick<PolicyRunRequest, 'action' | 'id'> & {
    readonly ofPolicy: boolean;
    readonly retryWith: (policy: NameOrId) => CommandChoice;
  },
  ports: ReadPorts,
): Promise<ChosenForMany> {
  const policy = await nullIfMissing(() => ports.fleet.policy(id, PERSON_PRIORITY));
  if (policy === null) return { kind: 'problem', problem: unknownPolicyView(id) };
  const notFor = (device: Device) => policyRunObstacle(policy, action, device);
  const [first] = devices;
  if (first !== undefined && notFor(first) === 'kind') {
    const fits = (one: Policy) =>
      ofPolicy
        ? isRunnable(one, action) && one.groupIds.length > 0
        : devices.some((on) => policyRunObstacle(one, action, on) === null);
    const problem = await obstacleProblem({ why: 'kind', action, policy, fits, retryWith }, ports);
    return { kind: 'problem', problem };
  }
  const factsOf = await factsWriter(devices, ports);
  const command = policyCommand(action, policy);
  const fitting = devices.filter((device) => notFor(device) === null);
  return {
    kind: 'chosen',
    command,
    targets: fitting.map((device) =>
      factsOf(device, { packages: [], policy: toPolicyFacts(device, command, policy) }),
    ),
    leftOut: devices
      .filter((device) => !fitting.includes(device))
      .map((device) =>
        leaveOut(device, (deviceName) => wrongPolicy(policy, { why: 'device', action, deviceName })),
      ),
  };
}

function policyCommand(action: PolicyAction, { id, name }: Policy): FleetCommand {
  const kind = action === 'test' ? 'policy-test' : 'policy-remediate';
  return { kind, policyId: id, ...(name === '' ? {} : { policyName: name }) };
}

function wrongPolicy(
  { id, name, type }: Policy,
  rest: Pick<Extract<Problem, { kind: 'policy-not-for' }>, 'why' | 'action' | 'deviceName'>,
): Problem {
  return { kind: 'policy-not-for', ...rest, policy: { id, name, type }, others: [] };
}

type PolicyRunRequest = {
  readonly action: PolicyAction;
  readonly id: PolicyId;
  readonly device: Device;
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
      problem: await obstacleProblem(
        {
          why,
          action,
          policy,
          deviceName: displayName(device),
          fits: (one) => policyRunObstacle(one, action, device) === null,
          retryWith: (other) => retryWith(device.id, other),
        },
        ports,
      ),
    };
  return { kind: 'command', command: policyCommand(action, policy), packages: [], policy };
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

type Obstacle = Pick<PolicyRunRequest, 'action'> & {
  readonly why: 'kind' | 'device';
  readonly policy: Policy;
  /** Absent: several devices. */
  readonly deviceName?: string;
  readonly fits: (policy: Policy) => boolean;
  readonly retryWith: (policy: NameOrId) => CommandChoice;
};

async function obstacleProblem(
  { why, action, policy, deviceName, fits, retryWith }: Obstacle,
  { fleet }: ReadPorts,
): Promise<Problem> {
  const others = (await collectRows(fleet.policies(PERSON_PRIORITY))).filter(fits);
  const offers = choiceOffers(others, policyChoiceNames(retryWith));
  const { id, name, type } = policy;
  return {
    kind: 'policy-not-for',
    why,
    action,
    policy: { id, name, type },
    ...(deviceName === undefined ? {} : { deviceName }),
    others: others.map((one) => one.name),
    ...(offers.length === 0 ? {} : { offers }),
  };
}
