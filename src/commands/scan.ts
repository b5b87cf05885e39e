/** `scan`: asks a device to report its software and state anew. */
import { planSameCommand } from './changes/same-command.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { sameCommandForm } from './forms/same-command-form.ts';
import { parseTargets, type TargetInput, targetInput } from './targets/target-line.ts';

const HEAD = { name: 'scan', usage: 'scan NAME|#ID|FILTERS [OPTIONS] [because REASON]' };

export const scanCommand = defineWriteCommand<TargetInput>({
  ...HEAD,
  summary: 'Have devices report their current software and state.',
  examples: ['scan web-01', 'scan web-01, web-02', 'scan group:"Linux servers" offline:skip'],
  input: targetInput,
  form: sameCommandForm({
    command: HEAD.name,
    title: 'Scan a device',
    several: 'Scan devices',
    submit: 'Scan',
    reason: 'Shown with the request.',
  }),
  targets: 'filters',
  parse: parseTargets,
  plan: (target, ports) => planSameCommand({ kind: 'scan' }, HEAD, target, ports),
});
