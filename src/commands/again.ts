/** An order as the command that asks for it, to be asked for once more. Pure. */
import type { DeviceChange, GroupChange } from '../fleet/edits.ts';
import type { FleetOrder } from '../fleet/orders.ts';
import type { DeviceId } from '../ids.ts';
import type { OperationRecord } from '../store/records.ts';
import type { Choice } from '../views/models/report-model.ts';

/** The command and its input for the first thing that the operation is about; its facts are read when it is planned. */
export function choiceOf({ command: order, targets, reason }: OperationRecord): Choice {
  const device = targets[0]?.deviceId ?? null;
  return { command: commandOf(order), input: { ...inputOf(order, device), reason } };
}

function commandOf(order: FleetOrder): string {
  return order.kind === 'patch-all' ? 'patch' : order.kind;
}

function inputOf(order: FleetOrder, device: DeviceId | null): object {
  switch (order.kind) {
    case 'scan':
    case 'reboot':
      return { device };
    case 'patch-all':
      return { device, packages: [], severities: [] };
    case 'patch': {
      const { packages, chosen } = order;
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
