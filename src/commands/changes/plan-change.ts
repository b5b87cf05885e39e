/**
 * What every write command does before it may be asked for: one device, read fresh, with its queue and the
 * facts an approver will see. Changes nothing.
 */
import { type PackageFacts, packageFacts, toDeviceFacts } from '../../fleet/facts/facts.ts';
import type { FleetCommand } from '../../fleet/model/actions.ts';
import type { Policy } from '../../fleet/model/policy.ts';
import { toPolicyFacts } from '../../fleet/model/policy-status.ts';
import { type Device, displayName, type QueueEntry } from '../../fleet/model/resources.ts';
import { findQueuedDuplicate } from '../../fleet/queue-entries.ts';
import type { Problem } from '../../views/model.ts';
import type { Planned, ReadPorts } from '../core/command.ts';
import {
  type DeviceRef,
  PERSON_PRIORITY,
  type RetryWithDevice,
  withDevice,
} from '../targets/resolve-device.ts';

/** The command for this device with its subject: the missing packages that it installs, or the current policy. */
export type ChosenAction =
  | {
      readonly kind: 'command';
      readonly command: FleetCommand;
      readonly packages: readonly PackageFacts[];
      readonly policy?: Policy;
    }
  | { readonly kind: 'problem'; readonly problem: Problem };

export type DevicePlan = {
  readonly device: DeviceRef;
  readonly retryWith: RetryWithDevice;
  readonly reason: string | null;
  readonly choose: (device: Device) => Promise<ChosenAction>;
};

/** A proposal for one device, a picker, or the reason why there is nothing to propose. */
export async function planForDevice(
  { device, retryWith, reason, choose }: DevicePlan,
  ports: ReadPorts,
): Promise<Planned> {
  const result = await withDevice({ device, again: retryWith }, ports, async (id): Promise<Planned> => {
    const asOf = ports.clock.now();
    const [fresh, queue] = await Promise.all([
      ports.fleet.device(id, PERSON_PRIORITY),
      ports.fleet.queue(id, PERSON_PRIORITY),
    ]);
    ports.inventory.learnDevice(fresh);
    const chosen = await choose(fresh);
    if (chosen.kind === 'problem') return chosen;
    const { command, packages, policy = null } = chosen;
    const waiting = findQueuedDuplicate(command, queue);
    if (waiting !== null) return alreadyQueuedProblem(command, fresh, waiting);
    const groupName = await ports.inventory.groupName(fresh.groupId, PERSON_PRIORITY);
    const facts = toDeviceFacts(fresh, {
      groupName,
      packages: packageFacts(packages),
      policy: toPolicyFacts(fresh, command, policy),
      asOf,
    });
    return { kind: 'proposal', proposal: { command, targets: [facts], reason } };
  });
  return result.kind === 'done' ? result.value : result;
}

/** Plans a command that is the same for every device. */
export function planCommand(
  command: FleetCommand,
  order: Omit<DevicePlan, 'choose'>,
  ports: ReadPorts,
): Promise<Planned> {
  return planForDevice({ ...order, choose: async () => ({ kind: 'command', command, packages: [] }) }, ports);
}

function alreadyQueuedProblem(command: FleetCommand, device: Device, entry: QueueEntry): Planned {
  const deviceName = displayName(device);
  return { kind: 'problem', problem: { kind: 'already-queued', command, deviceName, since: entry.execTime } };
}
