/** Installing packages: those that are named, or all that are missing. Proven by the packages, or by patch events. */

import type { PackageFacts } from '../../fleet/facts/package-facts.ts';
import type { FleetCommand } from '../../fleet/model/resources.ts';
import type { DeviceComparison, DriftList } from '../drift/device-drift.ts';
import { installEffect } from '../proof/install-effect.ts';
import { deviceCommand } from './device-command.ts';

type PatchCommand = Extract<FleetCommand, { kind: 'patch' }>;

export const patchKind = deviceCommand<PatchCommand>({
  installs: ({ packages }, { name }) => packages.includes(name),
  drift: (_, comparison) => missingDrift(comparison, true),
  effect:
    ({ packages }) =>
    (observation) =>
      installEffect(observation, packages),
});

export const patchAllKind = deviceCommand<Extract<FleetCommand, { kind: 'patch-all' }>>({
  installs: () => true,
  drift: (_, comparison) => missingDrift(comparison, false),
  effect: () => (observation) => installEffect(observation, observation.target.before.missing),
});

function missingDrift({ sealed, current }: DeviceComparison, requested: boolean): DriftList {
  const name = sealed.displayName;
  const gained = namesNotIn(current.missing, sealed.missing);
  const lost = namesNotIn(sealed.missing, current.missing);
  return [
    ...(gained.length === 0 ? [] : [{ kind: 'more-missing', name, packages: gained, requested } as const]),
    ...(lost.length === 0 ? [] : [{ kind: 'fewer-missing', name, packages: lost, requested } as const]),
    ...changedPackages({ sealed, current }),
  ];
}

/** What is known of a package that still is missing: another version of it may be offered by now. */
function changedPackages({ sealed, current }: DeviceComparison): DriftList {
  const name = sealed.displayName;
  const [before, after] = [sealed, current].map(({ packages = [] }) =>
    Map.groupBy(packages, (item) => item.name),
  );
  return [...(before ?? [])].flatMap(([item, was]) => {
    const is = after?.get(item);
    return is === undefined
      ? []
      : PACKAGE_FACTS.flatMap((fact) => {
          const [old, now] = [was, is].map((items) => textOf(items, fact));
          return old === now
            ? []
            : [
                {
                  kind: 'package-changed',
                  name,
                  package: item,
                  fact,
                  was: old ?? '',
                  now: now ?? '',
                } as const,
              ];
        });
  });
}

const PACKAGE_FACTS = ['version', 'severity', 'cves', 'requiresReboot'] as const;

/** Of all that have the name, each value once; empty: nothing is stated. */
function textOf(items: readonly PackageFacts[], fact: (typeof PACKAGE_FACTS)[number]): string {
  const values = items.flatMap((item) => [item[fact] ?? ''].flat().map(String));
  return [...new Set(values)].toSorted().join(', ');
}

function namesNotIn(names: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return [...new Set(names)].filter((name) => !known.has(name)).toSorted();
}
