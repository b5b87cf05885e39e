/** `policy-test`: has a device judge anew whether it complies with a Worklet, which changes nothing on it. */
import { defineWrite } from './define.ts';
import { policyRunForm } from './forms/policy-run-form.ts';
import { type PolicyRunInput, parsePolicyRun, planPolicyRun, policyRunInput } from './policy-run.ts';

export const policyTest = defineWrite<PolicyRunInput>({
  name: 'policy-test',
  usage: 'policy-test NAME|#ID policy:NAME|#ID [because REASON]',
  summary: 'Have a device check whether it complies with a Worklet.',
  examples: ['policy-test win-ts-01 policy:"Disable SMBv1"'],
  input: policyRunInput,
  form: policyRunForm({
    command: 'policy-test',
    action: 'test',
    title: 'Test a policy',
    submit: 'Test',
    reason: 'Shown on the card.',
  }),
  parse: parsePolicyRun,
  plan: (asked, ports) => planPolicyRun({ ...asked, command: 'policy-test', action: 'test' }, ports),
});
