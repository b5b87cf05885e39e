/** The devices that a filter matches (§2.9). Clauses are joined by "and", the values of one by "or". */

import type { DeviceFilterClause, DeviceFilterField, WorldDevice, WorldPolicy } from '../model.ts';
import { organizationalUnit } from '../state/device-facts.ts';
import { policiesOf, type WithPolicies } from '../state/policy-status.ts';

export const EXACT_FIELDS = ['os_family', 'os_version_id'] as const satisfies readonly DeviceFilterField[];
export const TEXT_FIELDS = [
  'ip_addr',
  'tag',
  'hostname',
  'organizational_unit',
  'serial_number',
] as const satisfies readonly DeviceFilterField[];

/** Whether the policy, linked to the device's group, is for this device. */
export function covers({ deviceFilters }: WorldPolicy, device: WorldDevice): boolean {
  return deviceFilters === undefined || matchesAll(device, deviceFilters);
}

/** The policies of the device's group that are for this device. */
export function policiesFor(world: WithPolicies, device: WorldDevice): readonly WorldPolicy[] {
  return policiesOf(world, device).filter((policy) => covers(policy, device));
}

export function matchesAll(device: WorldDevice, filters: readonly DeviceFilterClause[]): boolean {
  return filters.every((filter) => matchesClause(device, filter));
}

function matchesClause(device: WorldDevice, { field, test, turned, values }: DeviceFilterClause): boolean {
  const own = valuesOf(device, field);
  const found =
    test === 'is'
      ? own.some((value) => values.includes(value))
      : own.some((value) => values.some((part) => value.toLowerCase().includes(part.toLowerCase())));
  return found !== turned;
}

/**
 * Assumption (§2.9): `ip_addr` looks at public and private addresses, `hostname` at the name that the device gives
 * itself and not at its custom name; upper and lower case are the same.
 */
function valuesOf(device: WorldDevice, field: DeviceFilterField): readonly string[] {
  switch (field) {
    case 'os_family':
      return [device.platform.family];
    case 'os_version_id':
      return [String(device.platform.osVersionId)];
    case 'ip_addr':
      return [...device.addresses, ...device.privateAddresses];
    case 'tag':
      return device.tags;
    case 'hostname':
      return [device.name];
    case 'organizational_unit':
      return [organizationalUnit(device)];
    case 'serial_number':
      return [device.serial];
    default:
      return field satisfies never;
  }
}
