/** Testing a policy on a device, and remediating it: proven by the policy's events or by the device's result. */

import type { FleetCommand } from '../../fleet/model/actions.ts';
import { policyRemediationEffect, policyTestEffect } from '../proof/policy-effect.ts';
import { deviceCommand } from './device-command.ts';

export const policyTestKind = deviceCommand<Extract<FleetCommand, { kind: 'policy-test' }>>({
  effect:
    ({ policyId }) =>
    (observation) =>
      policyTestEffect(observation, policyId),
});

export const policyRemediateKind = deviceCommand<Extract<FleetCommand, { kind: 'policy-remediate' }>>({
  effect:
    ({ policyId }) =>
    (observation) =>
      policyRemediationEffect(observation, policyId),
});
