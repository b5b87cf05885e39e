/** `scan` and `reboot`: the same for every device. */

import type { FleetCommand } from '../fleet/model/actions.ts';
import { factsWriter, planCommand, planTargets } from './changes/plan-targets.ts';
import type { CommandForm, Planned, ReadPorts } from './core/command.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { withSeenDevices } from './forms/seen-devices-form.ts';
import { type SeveralDevicesFormOptions, withSeveralDevices } from './forms/several-devices-form.ts';
import { deviceForm } from './forms/subject-forms.ts';
import type { TargetCommand } from './targets/resolve-targets.ts';
import { retryFor } from './targets/resolve-targets.ts';
import { parseTargets, splitTarget, type TargetInput, targetInput } from './targets/target-line.ts';

const SCAN = { name: 'scan', usage: 'scan NAME|#ID|FILTERS [OPTIONS] [because REASON]' };

export const scanCommand = defineWriteCommand<TargetInput>({
  ...SCAN,
  summary: 'Have devices report their current software and state.',
  examples: ['scan web-01', 'scan web-01, web-02', 'scan group:"Linux servers" offline:skip'],
  input: targetInput,
  form: sameCommandForm({
    command: SCAN.name,
    title: 'Scan a device',
    several: 'Scan devices',
    submit: 'Scan',
    reason: 'Shown with the request.',
  }),
  targets: 'filters',
  parse: parseTargets,
  plan: (target, ports) => planSameCommand({ kind: 'scan' }, SCAN, target, ports),
});

const REBOOT = { name: 'reboot', usage: 'reboot NAME|#ID|FILTERS [OPTIONS] [because REASON]' };

export const rebootCommand = defineWriteCommand<TargetInput>({
  ...REBOOT,
  summary: 'Request a reboot of devices. Needs approval.',
  examples: [
    'reboot web-01 because kernel update',
    'reboot group:"Linux servers" is:needs-reboot waves:1,25% because kernel update',
  ],
  input: targetInput,
  form: sameCommandForm({
    command: REBOOT.name,
    title: 'Reboot a device',
    several: 'Reboot devices',
    submit: 'Request approval',
    reason: 'Approvers see it with the request.',
  }),
  targets: 'filters',
  parse: parseTargets,
  plan: (target, ports) => planSameCommand({ kind: 'reboot' }, REBOOT, target, ports),
});

function planSameCommand(
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

/** `title`: of the form for one device; `several`: of that for several. */
function sameCommandForm({
  several,
  ...options
}: SeveralDevicesFormOptions & { readonly several: string }): CommandForm {
  return withSeenDevices(withSeveralDevices(deviceForm(options), { ...options, title: several }));
}
