/** `reboot`: restarts a device, after approval. */
import { planSameCommand } from './changes/same-command.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { deviceForm } from './forms/shared/device-form.ts';
import { withSeenDevices } from './forms/shared/seen-devices-form.ts';
import { withSeveralDevices } from './forms/shared/several-devices-form.ts';
import { parseTargets, type TargetInput, targetInput } from './targets/target-line.ts';

const HINT = 'Approvers see it with the request.';
const form = withSeenDevices(
  withSeveralDevices(
    deviceForm({
      command: 'reboot',
      title: 'Reboot a device',
      submit: 'Request approval',
      reason: HINT,
    }),
    { command: 'reboot', title: 'Reboot devices', submit: 'Request approval', reason: HINT },
  ),
);

const HEAD = { name: 'reboot', usage: 'reboot NAME|#ID|FILTERS [OPTIONS] [because REASON]' };

export const rebootCommand = defineWriteCommand<TargetInput>({
  ...HEAD,
  summary: 'Request a reboot of devices. Needs approval.',
  examples: [
    'reboot web-01 because kernel update',
    'reboot group:"Linux servers" is:needs-reboot waves:1,25% because kernel update',
  ],
  input: targetInput,
  form,
  targets: 'filters',
  parse: parseTargets,
  plan: (target, ports) => planSameCommand({ kind: 'reboot' }, HEAD, target, ports),
});
