/** Requests again what was not sent or not accepted. */
import { z } from 'zod';
import type { FleetAction } from '../../fleet/model/actions.ts';
import type { DeviceChange, GroupChange, PolicyChange } from '../../fleet/model/changes.ts';
import { requestId } from '../../lib/ids.ts';
import { packIds } from '../../lib/packed-ids.ts';
import { defined } from '../../lib/record-fields.ts';
import { optionsAgain, type PlanOptions, type RolloutPlan } from '../../rollout/plan.ts';
import { isAgain, mayRun } from '../../rollout/results.ts';
import type { RequestTarget, RequestWithTargets } from '../../store/port/request-records.ts';
import type { CommandForm, FormPorts, OpenedForm } from './shared/command-form.ts';
import { firstNames, withNote } from './shared/seen-devices-form.ts';

/** What a button says that requests it once more: which request, and which of its devices; null: those to which nothing was done. */
const againInput = z.object({
  again: z.object({
    request: z.string().transform(requestId),
    of: z.enum(['failed', 'not-sent']).nullable(),
  }),
});

/** Opens the form with what was typed or entered, or with exactly what a request did not do. */
export async function openFilled(form: CommandForm, typed: unknown, ports: FormPorts): Promise<OpenedForm> {
  const asked = againInput.safeParse(typed);
  if (!asked.success) return form.open(typed, ports);
  const { of, request: id } = asked.data.again;
  const request = await ports.records.request(id);
  if (request === null) return form.open({}, ports);
  const late = of === 'failed' ? request.targets.filter(mayRun) : [];
  return withNote(await form.open(unsentInput(request, of), ports), mayRunText(late));
}

function mayRunText(late: readonly RequestTarget[]): readonly string[] {
  if (late.length === 0) return [];
  return [
    `Left out, because they may still run the command: ${firstNames(late.map(({ displayName }) => displayName))}.`,
  ];
}

/** The input of the command for the targets to which nothing was done, or exactly this set. Pure. */
function unsentInput(request: RequestWithTargets, of: z.infer<typeof againInput>['again']['of']): object {
  const { action, targets, reason, rollout } = request;
  const unsent = targets.filter((target) => isAgain(request, of, target));
  const devices = unsent.flatMap(({ deviceId }) => deviceId ?? []);
  const [device] = devices;
  const where = devices.length > 1 ? { ids: packIds(devices) } : defined({ device });
  const how = defined({ rollout: rollout === null ? undefined : optionsFor(rollout.plan, devices.length) });
  return { ...inputOf(action), ...where, ...how, reason };
}

/** A single device has no waves, and nothing to brake; only one that was to be left out offline still is. */
function optionsFor(plan: RolloutPlan, devices: number): PlanOptions | undefined {
  if (devices > 1) return optionsAgain(plan, devices);
  return plan.offline === 'skip' ? { offline: plan.offline } : undefined;
}

/** The command's own input. */
function inputOf(order: FleetAction): object {
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
      return { packages: named, severities };
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
