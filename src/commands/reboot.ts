/** `reboot`: restarts a device, after approval. */
import { planSameCommand } from './changes/same-command.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { sameCommandForm } from './forms/same-command-form.ts';
import { parseTargets, type TargetInput, targetInput } from './targets/target-line.ts';

const HEAD = { name: 'reboot', usage: 'reboot NAME|#ID|FILTERS [OPTIONS] [because REASON]' };

export const rebootCommand = defineWriteCommand<TargetInput>({
  ...HEAD,
  summary: 'Request a reboot of devices. Needs approval.',
  examples: [
    'reboot web-01 because kernel update',
    'reboot group:"Linux servers" is:needs-reboot waves:1,25% because kernel update',
  ],
  input: targetInput,
  form: sameCommandForm({
    command: HEAD.name,
    title: 'Reboot a device',
    several: 'Reboot devices',
    submit: 'Request approval',
    reason: 'Approvers see it with the request.',
  }),
  targets: 'filters',
  parse: parseTargets,
  plan: (target, ports) => planSameCommand({ kind: 'reboot' }, HEAD, target, ports),
});
