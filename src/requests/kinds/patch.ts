/** Installing packages: those that are named, or all that are missing. Proven by the packages, or by patch events. */

import { type FleetCommand, isMissing, type Package } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { DeviceComparison, DriftList } from '../drift/device-drift.ts';
import { installEffect } from '../proof/install-effect.ts';
import { deviceCommand } from './device-command.ts';

type PatchCommand = Extract<FleetCommand, { kind: 'patch' }>;

export const patchKind = deviceCommand<PatchCommand>({
  missing: ({ packages }, all, now) => missingNames(all, now).filter((name) => packages.includes(name)),
  drift: (_, comparison) => missingDrift(comparison, true),
  effect:
    ({ packages }) =>
    (observation) =>
      installEffect(observation, packages),
});

export const patchAllKind = deviceCommand<Extract<FleetCommand, { kind: 'patch-all' }>>({
  missing: (_, all, now) => missingNames(all, now),
  drift: (_, comparison) => missingDrift(comparison, false),
  effect: () => (observation) => installEffect(observation, observation.target.before.missing),
});

/** Machine names of what is missing, each once, in order. */
function missingNames(packages: readonly Package[], now: Instant): readonly string[] {
  const names = packages.filter((item) => isMissing(item, now)).map((item) => item.name);
  return [...new Set(names)].toSorted();
}

function missingDrift({ sealed, current }: DeviceComparison, requested: boolean): DriftList {
  const name = sealed.displayName;
  const gained = namesNotIn(current.missing, sealed.missing);
  const lost = namesNotIn(sealed.missing, current.missing);
  return [
    ...(gained.length === 0 ? [] : [{ kind: 'more-missing', name, packages: gained, requested } as const]),
    ...(lost.length === 0 ? [] : [{ kind: 'fewer-missing', name, packages: lost, requested } as const]),
  ];
}

function namesNotIn(names: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return [...new Set(names)].filter((name) => !known.has(name)).toSorted();
}
