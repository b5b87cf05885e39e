/** What changed between the card of a removal and now: pure. Whatever more would go with it returns the request. */
import type { NamedPolicy } from '../../fleet/facts/named-policy.ts';
import { isPolicyFacts } from '../../fleet/facts/policy-edit-facts.ts';
import type { GroupRemovalFacts } from '../../fleet/facts/removal-facts.ts';
import type { GroupFacts, TargetFacts } from '../../store/port/records.ts';
import { type DeviceComparison, type DriftList, deviceDrift } from './device-drift.ts';
import { newPoliciesDrift } from './policy-drift.ts';

/** Names that one change lists. */
const MAX_NAMES = 20;

/** A device that came online or is used again may not be the one that nobody needs any more. */
function deviceRemovalDrift(comparison: DeviceComparison): DriftList {
  const { sealed, current } = comparison;
  const known = new Set(sealed.removal?.queued.map(({ id }) => id));
  const more = (current.removal?.queued ?? []).filter(({ id }) => !known.has(id));
  if (more.length === 0) return deviceDrift(comparison);
  const commands = more.slice(0, MAX_NAMES).map(({ type }) => type);
  return [...deviceDrift(comparison), { kind: 'more-queued', name: sealed.displayName, commands }];
}

function groupRemovalDrift(sealed: GroupFacts, current: GroupFacts): DriftList {
  const name = sealed.displayName;
  const renamed =
    name === current.displayName ? [] : [{ kind: 'renamed', name, now: current.displayName } as const];
  const [before, after] = [sealed.removal, current.removal];
  if (before === undefined || after === undefined) return renamed;
  return [
    ...renamed,
    ...deviceCountDrift(name, before.devices, after.devices),
    ...subgroupDrift(name, before.subgroups, after.subgroups),
    ...policyDrift(name, sealed.group?.policies ?? [], current.group?.policies ?? []),
    ...policyDrift('Default Group', before.policiesAfter, after.policiesAfter),
    ...newPoliciesDrift(before.policiesAfter, after.policiesAfter, () => []),
  ];
}

/** Facts of another kind of request have no drift. */
export function removalDrift(sealed: TargetFacts, current: TargetFacts): DriftList {
  if (isPolicyFacts(sealed) || isPolicyFacts(current)) return [];
  if (sealed.deviceId === null) return current.deviceId === null ? groupRemovalDrift(sealed, current) : [];
  return current.deviceId === null ? [] : deviceRemovalDrift({ sealed, current });
}

type Devices = GroupRemovalFacts['devices'];

/** Other devices than those that were approved; where they are too many to be listed, more of them. */
function deviceCountDrift(name: string, before: Devices, after: Devices): DriftList {
  const isListed = [before, after].every(({ count, listed }) => listed.length === count);
  const known = new Set(before.listed.map(({ id }) => id));
  const more = isListed ? after.listed.filter(({ id }) => !known.has(id)) : [];
  if (more.length === 0 && after.count <= before.count) return [];
  const devices = more.slice(0, MAX_NAMES).map((device) => device.name);
  return [{ kind: 'more-devices', name, devices, was: before.count, now: after.count }];
}

function subgroupDrift(
  name: string,
  before: GroupRemovalFacts['subgroups'],
  after: GroupRemovalFacts['subgroups'],
): DriftList {
  const known = new Set(before.map(({ id }) => id));
  const more = after.filter(({ id }) => !known.has(id));
  if (more.length === 0) return [];
  return [{ kind: 'more-subgroups', name, groups: more.slice(0, MAX_NAMES).map((group) => group.name) }];
}

function policyDrift(name: string, before: readonly NamedPolicy[], after: readonly NamedPolicy[]): DriftList {
  const [was, now] = [policiesText(before), policiesText(after)];
  return was === now ? [] : [{ kind: 'field', name, field: 'policyIds', was, now }];
}

function policiesText(policies: readonly NamedPolicy[]): string {
  const named = policies.map(({ id, name }) =>
    name === null || name === '' ? `#${id}` : `${name} (#${id})`,
  );
  return named.length === 0 ? 'none' : named.toSorted().join(', ');
}
