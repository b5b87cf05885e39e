/** `scan`: asks a device to report its software and state anew. */
import { planSameCommand } from './changes/same-command.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { deviceForm } from './forms/shared/device-form.ts';
import { withSeenDevices } from './forms/shared/seen-devices-form.ts';
import { withSeveralDevices } from './forms/shared/several-devices-form.ts';
import { parseTargets, type TargetInput, targetInput } from './targets/target-line.ts';

const HINT = 'Shown with the request.';
const form = withSeenDevices(
  withSeveralDevices(
    deviceForm({
      command: 'scan',
      title: 'Scan a device',
      submit: 'Scan',
      reason: HINT,
    }),
    { command: 'scan', title: 'Scan devices', submit: 'Scan', reason: HINT },
  ),
);

const HEAD = { name: 'scan', usage: 'scan NAME|#ID|FILTERS [OPTIONS] [because REASON]' };

export const scanCommand = defineWriteCommand<TargetInput>({
  ...HEAD,
  summary: 'Have devices report their current software and state.',
  examples: ['scan web-01', 'scan web-01, web-02', 'scan group:"Linux servers" offline:skip'],
  input: targetInput,
  form,
  targets: 'filters',
  parse: parseTargets,
  plan: (target, ports) => planSameCommand({ kind: 'scan' }, HEAD, target, ports),
});
