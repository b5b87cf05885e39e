/** Buttons that show or edit a policy, or run it by hand on one device, for the kinds that allow it (§4.3). */
import { type PolicyAction, RUNNABLE_POLICY_TYPES } from '../../fleet/model/policy-status.ts';
import type { DeviceId, PolicyId } from '../../lib/ids.ts';
import { actions, type Button } from '../kit/blocks.ts';
import { formButton, runButton } from '../kit/command-buttons.ts';
import type { Block } from '../models/rendered-model.ts';

/** Shows the policy with this ID or name. */
export function policyButton(policy: PolicyId | string): Button | null {
  return runButton({ action: 'policy', label: 'Policy', command: 'policy', input: { policy } });
}

/** Opens the form that edits the policy. */
export function editPolicyButton(policy: PolicyId): Button | null {
  return formButton({ label: 'Edit', command: 'policy-edit', input: { policy } });
}

export type RunnablePolicy = {
  readonly id: PolicyId;
  readonly type: string | null;
};

/** Test and Remediate, as far as the type of the policy allows them; empty for policies that run only on their schedule. */
export function policyButtons(policy: RunnablePolicy, device: DeviceId): readonly Block[] {
  return actions(runPolicyButton('test', policy, device), runPolicyButton('remediate', policy, device));
}

function runPolicyButton(
  action: PolicyAction,
  { id, type }: RunnablePolicy,
  device: DeviceId,
): Button | null {
  if (type === null || !RUNNABLE_POLICY_TYPES[action].includes(type)) return null;
  const command = `policy-${action}`;
  const shared = { action: `${command}:${id}`, command, input: { device, policy: id, reason: null } };
  return action === 'test'
    ? runButton({ ...shared, label: 'Test' })
    : runButton({ ...shared, label: 'Remediate', style: 'danger' });
}
