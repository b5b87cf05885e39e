/** Installing packages: those that are named, or all that are missing. Proven by the packages, or by patch events. */

import type { FleetCommand } from '../../fleet/model/actions.ts';
import { installEffect } from '../proof/install-effect.ts';
import { deviceCommand } from './device-command.ts';

export const patchKind = deviceCommand<Extract<FleetCommand, { kind: 'patch' }>>({
  installs: ({ packages }, { name }) => packages.includes(name),
  effect:
    ({ packages }) =>
    (observation) =>
      installEffect(observation, packages),
});

export const patchAllKind = deviceCommand<Extract<FleetCommand, { kind: 'patch-all' }>>({
  installs: () => true,
  effect: () => (observation) => installEffect(observation, observation.target.before.missing),
});
