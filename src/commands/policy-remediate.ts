/** `policy-remediate`: has a device do what a Worklet or required software says, after approval. */
import { defineWrite } from './define.ts';
import { policyRunForm } from './forms/policy-run-form.ts';
import { type PolicyRunInput, parsePolicyRun, planPolicyRun, policyRunInput } from './policy-run.ts';

export const policyRemediate = defineWrite<PolicyRunInput>({
  name: 'policy-remediate',
  usage: 'policy-remediate NAME|#ID policy:NAME|#ID [because REASON]',
  summary: 'Ask to have a device do what a Worklet or required software says; an approver decides.',
  examples: ['policy-remediate win-ts-01 policy:"Require VPN client" because audit'],
  input: policyRunInput,
  form: policyRunForm({
    command: 'policy-remediate',
    action: 'remediate',
    title: 'Remediate by a policy',
    submit: 'Ask',
    reason: 'The approver sees it on the card.',
  }),
  parse: parsePolicyRun,
  plan: (asked, ports) =>
    planPolicyRun({ ...asked, command: 'policy-remediate', action: 'remediate' }, ports),
});
