/** Requests again what was not sent or not accepted. */

import { type FleetAction, isCertainlyNotDone, isEdit } from '../../fleet/model/actions.ts';
import type { DeviceChange, GroupChange, PolicyChange } from '../../fleet/model/edits.ts';
import { chunksOf } from '../../lib/chunks.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { planRollout } from '../../rollout/plan.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { RetrySet } from '../../views/model.ts';
import type { UnrequestedTarget } from '../../views/models/request-model.ts';
import type { Planned, ReadPorts, WriteCommand } from '../core/command.ts';

/** A target to which nothing was done, with the command input for it alone. */
type Unsent = { readonly name: string; readonly input: object };

/** `command`: the name of the command for each target. `order`: the fleet command of the operation. */
export type UnsentOrder = {
  readonly command: string;
  readonly order: FleetAction;
  readonly unsent: readonly Unsent[];
};

const IN_SET: Readonly<Record<RetrySet, (target: { readonly state: string }) => boolean>> = {
  failed: ({ state }) => state === 'not_verified' || state === 'refused',
  'not-sent': ({ state }) => state === 'not_sent',
};

/** The targets to which nothing was done, or exactly this set. Their facts are read when they are planned. Pure. */
export function unsentOf(
  { action: order, targets, reason }: RequestWithTargets,
  of: RetrySet | null = null,
): UnsentOrder {
  const isMeant = of === null ? isCertainlyNotDone : IN_SET[of];
  const unsent = targets.filter(isMeant).map(({ deviceId, displayName: name }) => {
    return { name, input: { ...inputOf(order, deviceId, targets.length > 1), reason } };
  });
  return { command: commandOf(order), order, unsent };
}

export type PlannedAgain = {
  /** Null: none of several can be requested. */
  readonly planned: Planned | null;
  /** Targets that cannot be requested now, and why. The proposal leaves them out. */
  readonly leftOut: readonly UnrequestedTarget[];
};

/** Devices read at a time, so that other requests are not delayed. */
const AT_ONCE = 4;

/** Plans each target from fresh facts, and combines those that can be requested into one proposal. */
export async function planAgain(
  { plan }: Pick<WriteCommand, 'plan'>,
  { order, unsent }: UnsentOrder,
  ports: ReadPorts,
): Promise<PlannedAgain> {
  const each: { readonly name: string; readonly planned: Planned }[] = [];
  for (const some of chunksOf(unsent, AT_ONCE)) {
    const plans = some.map(async ({ name, input }) => ({ name, planned: await plan(input, ports) }));
    each.push(...(await Promise.all(plans)));
  }
  const [only, ...others] = each;
  return only !== undefined && others.length === 0
    ? { planned: only.planned, leftOut: [] }
    : joined(order, each);
}

function joined(
  order: FleetAction,
  each: readonly { readonly name: string; readonly planned: Planned }[],
): PlannedAgain {
  const leftOut = each.flatMap(({ name, planned }) =>
    planned.kind === 'problem' ? { name, problem: planned.problem } : [],
  );
  const proposals = each.flatMap(({ planned }) => (planned.kind === 'proposal' ? planned.proposal : []));
  const [first] = proposals;
  if (first === undefined) return { planned: null, leftOut };
  // An edit leaves out what a device has already, which may differ among them; a policy may have a new name.
  const command = isEdit(order) || order.kind === 'patch-each' ? order : first.command;
  const targets = proposals.flatMap((proposal) => proposal.targets);
  const plan = targets.length > 1 ? { plan: planRollout(targets.length) } : {};
  return { planned: { kind: 'proposal', proposal: { ...first, command, targets, ...plan } }, leftOut };
}

/** The name of the command that requests the action. */
export function commandOf(order: FleetAction): string {
  return order.kind === 'patch-all' || order.kind === 'patch-each' ? 'patch' : order.kind;
}

/** `several`: the order was one for several devices, which may miss different packages of those that it names. */
export function inputOf(order: FleetAction, device: DeviceId | null, several: boolean): object {
  switch (order.kind) {
    case 'scan':
    case 'reboot':
      return { device };
    case 'patch-all':
      return { device, packages: [], severities: [] };
    case 'patch-each':
      return { device, packages: order.chosen?.named ?? [], severities: order.chosen?.severities ?? [] };
    case 'patch': {
      const { packages, chosen } = order;
      if (several) return { device, packages, shared: chosen ?? null };
      const { named, severities } = chosen ?? { named: packages, severities: [] };
      return { device, packages: named, severities };
    }
    case 'policy-test':
    case 'policy-remediate':
      return { device, policy: order.policyId };
    case 'device-edit':
      return { device, ...deviceInput(order.change) };
    case 'group-create':
      return groupInput(order.group);
    case 'group-edit':
      return { group: order.groupId, ...groupInput(order.change) };
    case 'policy-create':
      return policyInput(order.policy);
    case 'policy-edit':
      return { policy: order.policyId, ...policyInput(order.change) };
    // Its form asks for the name again.
    case 'device-remove':
      return { device };
    case 'group-remove':
      return { group: order.groupId };
  }
}

function deviceInput({ customName, groupId, tags, retag, exception, addresses }: DeviceChange): object {
  const { add = tags ?? [], remove = [] } = retag ?? {};
  return {
    ...(customName === undefined ? {} : { name: customName }),
    ...(groupId === undefined ? {} : { group: groupId }),
    ...(add.length === 0 ? {} : { add }),
    ...(remove.length === 0 ? {} : { remove }),
    ...(exception === undefined ? {} : { exception }),
    ...(addresses === undefined ? {} : { addresses }),
  };
}

function groupInput(change: GroupChange): object {
  const { parentId: parent, refreshIntervalMinutes: every, policyIds: policies, ...same } = change;
  return {
    ...same,
    ...(parent === undefined ? {} : { parent }),
    ...(every === undefined ? {} : { every }),
    ...(policies === undefined ? {} : { policies }),
  };
}

function policyInput({ groupIds: groups, ...same }: PolicyChange): object {
  return { ...same, ...(groups === undefined ? {} : { groups }) };
}
