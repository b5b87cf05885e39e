/** `policy-test`: has a device judge anew whether it complies with a Worklet, which changes nothing on it. */

import { type PolicyRunInput, parsePolicyRun, planPolicyRun, policyRunInput } from './changes/policy-run.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { policyRunForm } from './forms/policy-run-form.ts';

const HEAD = {
  name: 'policy-test',
  usage: 'policy-test NAME|#ID|FILTERS policy:NAME|#ID [OPTIONS] [because REASON]',
};

export const policyTestCommand = defineWriteCommand<PolicyRunInput>({
  ...HEAD,
  summary: 'Have devices check whether they comply with a Worklet.',
  examples: ['policy-test win-ts-01 policy:"Disable SMBv1"'],
  input: policyRunInput,
  form: policyRunForm({
    command: 'policy-test',
    action: 'test',
    title: 'Test a policy',
    submit: 'Test',
    reason: 'Shown with the request.',
  }),
  targets: 'filters',
  parse: parsePolicyRun,
  plan: (input, ports) => planPolicyRun({ ...input, command: HEAD, action: 'test' }, ports),
});
