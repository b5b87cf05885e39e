/** Requests again what was not sent or not accepted. */

import type { FleetAction } from '../../fleet/model/actions.ts';
import type { DeviceChange, GroupChange, PolicyChange } from '../../fleet/model/changes.ts';
import { defined } from '../../lib/defined.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { packIds } from '../../lib/packed-ids.ts';
import { optionsAgain, type PlanOptions, type RolloutPlan } from '../../rollout/plan.ts';
import { isAgain } from '../../rollout/results.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { RetrySet } from '../../views/model.ts';
import type { UnrequestedTarget } from '../../views/models/request-model.ts';
import type { Planned, ReadPorts, WriteCommand } from '../core/command.ts';

/** `input`: that of the command, for all of these targets together. */
export type UnsentOrder = {
  readonly unsent: readonly Unsent[];
  readonly input: object;
};
type Unsent = { readonly name: string; readonly deviceId: DeviceId | null };

/** The targets to which nothing was done, or exactly this set. Their facts are read when they are planned. Pure. */
export function unsentOf(request: RequestWithTargets, of: RetrySet | null = null): UnsentOrder {
  const { action, targets, reason, rollout } = request;
  const unsent = targets
    .filter((target) => isAgain(request, of, target))
    .map(({ deviceId, displayName: name }) => ({ name, deviceId }));
  const devices = unsent.flatMap(({ deviceId }) => deviceId ?? []);
  const [only = null] = devices;
  const { device, ...own } = { device: only, ...inputOf(action, devices.length > 1) };
  const where = devices.length > 1 ? { ids: packIds(devices) } : device === null ? {} : { device };
  const how = defined({ rollout: rollout === null ? undefined : optionsFor(rollout.plan, devices.length) });
  return { unsent, input: { ...own, ...where, ...how, reason } };
}

/** A single device has no waves, and nothing to brake; only one that was to be left out offline still is. */
function optionsFor(plan: RolloutPlan, devices: number): PlanOptions | undefined {
  if (devices > 1) return optionsAgain(plan, devices);
  return plan.offline === 'skip' ? { offline: plan.offline } : undefined;
}

/** Plans all of it from fresh facts. Targets that cannot be requested now are left out, with the reason. */
export async function planAgain(
  { plan }: Pick<WriteCommand, 'plan'>,
  { unsent, input }: UnsentOrder,
  ports: ReadPorts,
): Promise<Planned> {
  if (unsent.length === 0) return noneRequested([]);
  const planned = await plan(input, ports);
  switch (planned.kind) {
    case 'view':
      return planned;
    case 'proposal':
      return planned.leftOut === undefined
        ? planned
        : { ...planned, leftOut: named(planned.leftOut, unsent) };
    case 'problem':
      return planned.problem.kind === 'none-to-change'
        ? noneRequested(named(planned.problem.leftOut, unsent))
        : planned;
  }
}

function noneRequested(unrequested: readonly UnrequestedTarget[]): Planned {
  return { kind: 'view', view: { kind: 'requested-again', view: null, unrequested } };
}

/** A device that is gone has only its number; the earlier request knows its name. */
function named(leftOut: readonly UnrequestedTarget[], unsent: readonly Unsent[]) {
  const names = new Map(unsent.map(({ name, deviceId }) => [`#${deviceId}`, name]));
  return leftOut.map((one) => ({ ...one, name: names.get(one.name) ?? one.name }));
}

/** The name of the command that requests the action. */
export function commandOf(order: FleetAction): string {
  return order.kind === 'patch-all' || order.kind === 'patch-each' ? 'patch' : order.kind;
}

/** The command's own input. `several`: of the packages that a patch names, each device may be missing others. */
function inputOf(order: FleetAction, several: boolean): object {
  switch (order.kind) {
    case 'scan':
    case 'reboot':
    // Its form asks for the name again.
    case 'device-remove':
      return {};
    case 'patch-all':
      return { packages: [], severities: [] };
    case 'patch-each': {
      const { named, severities } = order.chosen ?? { named: [], severities: [] };
      return { packages: named, severities, ...(several && order.chosen ? { shared: order.chosen } : {}) };
    }
    case 'patch': {
      const { packages, chosen } = order;
      const { named, severities } = chosen ?? { named: packages, severities: [] };
      return { packages: named, severities };
    }
    case 'policy-test':
    case 'policy-remediate':
      return { policy: order.policyId };
    case 'device-edit':
      return deviceInput(order.change);
    case 'group-create':
      return groupInput(order.group);
    case 'group-edit':
      return { group: order.groupId, ...groupInput(order.change) };
    case 'policy-create':
      return policyInput(order.policy);
    case 'policy-edit':
      return { policy: order.policyId, ...policyInput(order.change) };
    case 'group-remove':
      return { group: order.groupId };
  }
}

function deviceInput({ customName, groupId, tags, retag, exception, addresses }: DeviceChange): object {
  const { add = tags ?? [], remove = [] } = retag ?? {};
  return defined({
    name: customName,
    group: groupId,
    add: add.length === 0 ? undefined : add,
    remove: remove.length === 0 ? undefined : remove,
    exception,
    addresses,
  });
}

function groupInput(change: GroupChange): object {
  const { parentId: parent, refreshIntervalMinutes: every, policyIds: policies, ...same } = change;
  return defined({ ...same, parent, every, policies });
}

function policyInput({ groupIds: groups, ...same }: PolicyChange): object {
  return defined({ ...same, groups });
}
