/** The kinds of commands to a device, and what proves each of them. */

import type { ActionOf } from '../../fleet/model/actions.ts';
import { laterThanBaseline } from '../proof/baseline.ts';
import { type DeviceObservation, type Effect, open, proven } from '../proof/effect.ts';
import { installEffect } from '../proof/install-effect.ts';
import { policyRemediationEffect, policyTestEffect } from '../proof/policy-effect.ts';
import { rebootEffect } from '../proof/reboot-effect.ts';
import { deviceCommand } from './device-command.ts';

/** By a refresh of the device's data after the command. */
export const scanKind = deviceCommand<ActionOf<'scan'>>({ effect: () => scanEffect });

export function scanEffect(seen: Pick<DeviceObservation, 'target' | 'device' | 'now'>): Effect {
  const { before } = seen.target;
  const refreshed = laterThanBaseline(seen, before.lastRefreshTime, seen.device.lastRefreshTime);
  return refreshed === null
    ? open({ kind: 'not-refreshed', last: before.lastRefreshTime })
    : proven({ kind: 'refreshed', at: refreshed });
}

/** By a disconnect and the return from it, or by a dropped uptime. */
export const rebootKind = deviceCommand<ActionOf<'reboot'>>({ effect: () => rebootEffect });

/** The packages that are named: by the packages, or by patch events. */
export const patchKind = deviceCommand<ActionOf<'patch'>>({
  installs: ({ packages }, { name }) => packages.includes(name),
  effect:
    ({ packages }) =>
    (observation) =>
      installEffect(observation, packages),
});

/** All packages that are missing: by the same. */
export const patchAllKind = deviceCommand<ActionOf<'patch-all'>>({
  installs: () => true,
  effect: () => (observation) => installEffect(observation, observation.target.before.missing),
});

/** By the policy's events or by the device's result, as the remediation. */
export const policyTestKind = deviceCommand<ActionOf<'policy-test'>>({
  effect:
    ({ policyId }) =>
    (observation) =>
      policyTestEffect(observation, policyId),
});

export const policyRemediateKind = deviceCommand<ActionOf<'policy-remediate'>>({
  effect:
    ({ policyId }) =>
    (observation) =>
      policyRemediationEffect(observation, policyId),
});
