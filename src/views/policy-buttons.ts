/** Buttons that run a policy by hand on one device, for the kinds of policies that allow it (§4.3). */
import { type PolicyAction, RUN_BY_HAND } from '../fleet/standing.ts';
import type { DeviceId, PolicyId } from '../ids.ts';
import { actions, type Button } from './kit/blocks.ts';
import { cut, oneLine } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { runButton } from './kit/run-button.ts';
import type { Block } from './model.ts';

export type RunnablePolicy = {
  readonly id: PolicyId;
  readonly name: string | null;
  readonly type: string | null;
};

/** A row of buttons, or nothing for a policy that only its schedule runs. */
export function policyButtons(
  policy: RunnablePolicy,
  device: DeviceId,
  deviceName: string,
): readonly Block[] {
  const run = (action: PolicyAction) => runPolicyButton(action, policy, { device, deviceName });
  return actions(run('test'), run('remediate'));
}

type On = { readonly device: DeviceId; readonly deviceName: string };

function runPolicyButton(
  action: PolicyAction,
  { id, name, type }: RunnablePolicy,
  { device, deviceName }: On,
): Button | null {
  if (type === null || !RUN_BY_HAND[action].includes(type)) return null;
  const what = name === null || name === '' ? `policy ${id}` : short(name);
  const command = `policy-${action}`;
  const shared = { action: `${command}:${id}`, command, input: { device, policy: id, reason: null } };
  return action === 'test'
    ? runButton({
        ...shared,
        label: 'Test',
        confirm: {
          title: 'Test this policy?',
          text: `${short(deviceName)} will check again whether it complies with ${what}.`,
          confirm: 'Test',
        },
      })
    : runButton({
        ...shared,
        label: 'Remediate',
        style: 'danger',
        confirm: {
          title: 'Request a remediation?',
          text: `This requests approval to remediate ${what} on ${short(deviceName)}.`,
          confirm: 'Request approval',
          danger: true,
        },
      });
}

/** Short enough to leave room for the sentence around it. */
function short(name: string): string {
  return cut(oneLine(name), SHOWN.label);
}
