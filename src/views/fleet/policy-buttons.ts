/** Buttons that show or edit a policy, or run it by hand on one device, for the kinds that allow it (§4.3). */
import { type PolicyAction, RUNNABLE_POLICY_TYPES } from '../../fleet/model/policy-status.ts';
import type { DeviceId, PolicyId } from '../../lib/ids.ts';
import { actions, type Button } from '../kit/blocks.ts';
import { formButton, runButton } from '../kit/command-buttons.ts';
import { plainName } from '../kit/escape.ts';
import type { Block } from '../models/rendered-model.ts';

/** Shows the policy with this ID or name. */
export function policyButton(policy: PolicyId | string): Button | null {
  return runButton({ action: 'policy', label: 'Show policy', command: 'policy', input: { policy } });
}

/** Opens the form that edits the policy. */
export function editPolicyButton(policy: PolicyId): Button | null {
  return formButton({ label: 'Edit', command: 'policy-edit', input: { policy } });
}

export type RunnablePolicy = {
  readonly id: PolicyId;
  readonly name: string | null;
  readonly type: string | null;
};

/** Test and Remediate, as far as the type of the policy allows them; empty for policies that run only on their schedule. */
export function policyButtons(
  policy: RunnablePolicy,
  device: DeviceId,
  deviceName: string,
): readonly Block[] {
  const run = (action: PolicyAction) => runPolicyButton(action, policy, { device, deviceName });
  return actions(run('test'), run('remediate'));
}

type ButtonTarget = { readonly device: DeviceId; readonly deviceName: string };

function runPolicyButton(
  action: PolicyAction,
  { id, name, type }: RunnablePolicy,
  { device, deviceName }: ButtonTarget,
): Button | null {
  if (type === null || !RUNNABLE_POLICY_TYPES[action].includes(type)) return null;
  const what = name === null || name === '' ? `policy ${id}` : plainName(name);
  const command = `policy-${action}`;
  const shared = { action: `${command}:${id}`, command, input: { device, policy: id, reason: null } };
  return action === 'test'
    ? runButton({
        ...shared,
        label: 'Test',
        confirm: {
          title: 'Test this policy?',
          text: `${plainName(deviceName)} will check again whether it complies with ${what}.`,
          confirm: 'Test',
        },
      })
    : runButton({
        ...shared,
        label: 'Remediate',
        style: 'danger',
        confirm: {
          title: 'Request a remediation?',
          text: `This requests approval to remediate ${what} on ${plainName(deviceName)}.`,
          confirm: 'Request approval',
          danger: true,
        },
      });
}
