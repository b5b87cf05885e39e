/**
 * What every write command does before it may be asked for: one device, read fresh, with its queue and the
 * facts an approver will see. Changes nothing.
 */
import { deviceFacts } from '../fleet/facts.ts';
import { type Device, displayName, type FleetCommand, type QueueEntry } from '../fleet/model.ts';
import { pendingSame } from '../fleet/pending.ts';
import type { Policy } from '../fleet/policy.ts';
import { policyFacts } from '../fleet/standing.ts';
import type { Problem } from '../views/model.ts';
import type { Planned, ReadPorts } from './command.ts';
import { type Again, type DeviceRef, PERSON, withDevice } from './targets/resolve.ts';

/** The command for this device, and what it is about: missing packages by machine name, or the policy as it is now. */
export type Chosen =
  | {
      readonly kind: 'command';
      readonly command: FleetCommand;
      readonly missing: readonly string[];
      readonly policy?: Policy;
    }
  | { readonly kind: 'problem'; readonly problem: Problem };

export type Order = {
  readonly device: DeviceRef;
  readonly again: Again;
  readonly reason: string | null;
  readonly choose: (device: Device) => Promise<Chosen>;
};

/** A proposal for one device, a picker, or the reason why there is nothing to propose. */
export async function planOne({ device, again, reason, choose }: Order, ports: ReadPorts): Promise<Planned> {
  const result = await withDevice({ device, again }, ports, async (id): Promise<Planned> => {
    const asOf = ports.clock.now();
    const [fresh, queue] = await Promise.all([ports.fleet.device(id, PERSON), ports.fleet.queue(id, PERSON)]);
    ports.inventory.learn(fresh);
    const chosen = await choose(fresh);
    if (chosen.kind === 'problem') return chosen;
    const { command, missing, policy = null } = chosen;
    const waiting = pendingSame(command, queue);
    if (waiting !== null) return alreadyQueued(command, fresh, waiting);
    const groupName = await ports.inventory.groupName(fresh.groupId, PERSON);
    const facts = deviceFacts(fresh, {
      groupName,
      missing,
      policy: policyFacts(fresh, command, policy),
      asOf,
    });
    return { kind: 'proposal', proposal: { command, targets: [facts], reason } };
  });
  return result.kind === 'done' ? result.value : result;
}

/** The same for a command that is the same for every device. */
export function planSimple(
  command: FleetCommand,
  order: Omit<Order, 'choose'>,
  ports: ReadPorts,
): Promise<Planned> {
  return planOne({ ...order, choose: async () => ({ kind: 'command', command, missing: [] }) }, ports);
}

function alreadyQueued(command: FleetCommand, device: Device, entry: QueueEntry): Planned {
  const deviceName = displayName(device);
  return { kind: 'problem', problem: { kind: 'already-queued', command, deviceName, since: entry.execTime } };
}
