/** Commands that are the same for every device: `scan` and `reboot`. */
import type { FleetCommand } from '../../fleet/model/actions.ts';
import type { Planned, ReadPorts } from '../core/command.ts';
import { retryFor } from '../targets/resolve-targets.ts';
import { splitTarget, type TargetInput } from '../targets/target-line.ts';
import type { TargetCommand } from '../targets/target-offer.ts';
import { planCommand } from './plan-change.ts';
import { factsWriter, planTargets } from './plan-targets.ts';

/** A proposal for the devices that are meant. */
export function planSameCommand(
  command: FleetCommand,
  { name, usage }: Pick<TargetCommand, 'name' | 'usage'>,
  asked: TargetInput,
  ports: ReadPorts,
): Promise<Planned> {
  const { target, rest } = splitTarget(asked);
  const again = { name, usage, input: rest };
  const { reason } = target;
  return planTargets(
    {
      again,
      target,
      one: (device) => planCommand(command, { device, retryWith: retryFor(again), reason }, ports),
      many: async (devices) => {
        const factsOf = await factsWriter(devices, ports);
        const targets = devices.map((device) => factsOf(device, { packages: [] }));
        return { kind: 'chosen', command, targets, leftOut: [] };
      },
    },
    ports,
  );
}
