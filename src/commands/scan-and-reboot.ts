/** `scan` and `reboot`: the same for every device. */

import type { FleetCommand } from '../fleet/model/actions.ts';
import type { HelpEntry } from '../views/views.ts';
import { factsWriter, planForDevice, planTargets } from './changes/plan-targets.ts';
import type { Planned, ReadPorts, WriteCommand } from './core/command.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { withSeenDevices } from './forms/seen-devices-form.ts';
import { withSeveralDevices } from './forms/several-devices-form.ts';
import { deviceForm } from './forms/subject-forms.ts';
import { retryFor, type TargetCommand } from './targets/resolve-targets.ts';
import { parseTargets, splitTarget, type TargetInput, targetInput } from './targets/target-line.ts';

export const scanCommand = defineSameForAll('scan', {
  usage: 'scan NAME|#ID|FILTERS [OPTIONS] [because REASON]',
  summary: 'Have devices report their current software and state.',
  examples: ['scan web-01', 'scan web-01, web-02', 'scan group:"Linux servers" offline:skip'],
  title: 'Scan a device',
  several: 'Scan devices',
  submit: 'Scan',
  reason: 'Shown with the request.',
});

export const rebootCommand = defineSameForAll('reboot', {
  usage: 'reboot NAME|#ID|FILTERS [OPTIONS] [because REASON]',
  summary: 'Request a reboot of devices. Needs approval.',
  examples: [
    'reboot web-01 because kernel update',
    'reboot group:"Linux servers" is:needs-reboot waves:1,25% because kernel update',
  ],
  title: 'Reboot a device',
  several: 'Reboot devices',
  submit: 'Request approval',
  reason: 'Approvers see it with the request.',
});

/** `title`: of the form for one device; `several`: of that for several; `reason`: the hint below the reason. */
type Words = Omit<HelpEntry, 'name'> & Readonly<Record<'title' | 'several' | 'submit' | 'reason', string>>;

function defineSameForAll(
  name: 'scan' | 'reboot',
  { usage, summary, examples, several, ...form }: Words,
): WriteCommand {
  const oneDevice = deviceForm({ command: name, ...form });
  return defineWriteCommand<TargetInput>({
    name,
    usage,
    summary,
    examples,
    input: targetInput,
    form: withSeenDevices(withSeveralDevices(oneDevice, { command: name, ...form, title: several })),
    targets: 'filters',
    parse: parseTargets,
    plan: (asked, ports) => {
      const { target, rest } = splitTarget(asked);
      return planForAll({ kind: name }, target, { name, usage, input: rest }, ports);
    },
  });
}

function planForAll(
  command: FleetCommand,
  target: TargetInput,
  again: TargetCommand,
  ports: ReadPorts,
): Promise<Planned> {
  const { reason } = target;
  return planTargets(
    {
      again,
      target,
      one: (device) =>
        planForDevice(
          {
            device,
            retryWith: retryFor(again),
            reason,
            choose: async () => ({ kind: 'command', command, packages: [] }),
          },
          ports,
        ),
      many: async (devices) => {
        const factsOf = await factsWriter(devices, ports);
        const targets = devices.map((device) => factsOf(device, { packages: [] }));
        return { kind: 'chosen', command, targets, leftOut: [] };
      },
    },
    ports,
  );
}
