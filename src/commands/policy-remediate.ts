/** `policy-remediate`: has a device do what a Worklet or required software says, after approval. */

import { type PolicyRunInput, parsePolicyRun, planPolicyRun, policyRunInput } from './changes/policy-run.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { policyRunForm } from './forms/policy-run-form.ts';

const HEAD = {
  name: 'policy-remediate',
  usage: 'policy-remediate NAME|#ID|FILTERS policy:NAME|#ID [OPTIONS] [because REASON]',
};

export const policyRemediateCommand = defineWriteCommand<PolicyRunInput>({
  ...HEAD,
  summary: 'Request that devices run a Worklet or install required software. Needs approval.',
  examples: ['policy-remediate win-ts-01 policy:"Require VPN client" because audit'],
  input: policyRunInput,
  form: policyRunForm({
    command: 'policy-remediate',
    action: 'remediate',
    title: 'Remediate a policy',
    submit: 'Request approval',
    reason: 'Approvers see it with the request.',
  }),
  targets: 'filters',
  parse: parsePolicyRun,
  plan: (input, ports) => planPolicyRun({ ...input, command: HEAD, action: 'remediate' }, ports),
});
