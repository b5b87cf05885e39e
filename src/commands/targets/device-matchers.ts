/** The predicates of the filters of `devices`. Pure. */
import { groupLabel, systemName } from '../../fleet/model/derived-fields.ts';
import { lastSeenAtOf } from '../../inventory/device-index/indexed-device.ts';
import { type IndexedDevice, memoizePerSnapshot, type Snapshot } from '../../inventory/inventory.ts';
import { nearestNames, nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import { addressesOf, hasAddress, serialContains, userContains } from '../../inventory/search/search-text.ts';
import { DAY, type Instant } from '../../lib/clock.ts';
import type { PolicyId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import {
  CONDITION_NAMES,
  DEVICE_CONDITIONS,
  type DeviceFilter,
  type DeviceMatcher,
  STALE_CONDITION,
} from './device-filters.ts';
import { type MissingPackages, missingMatcher, type UnknownPackage } from './missing-filter.ts';
import { numberOf } from './name-lookup.ts';
import { hasShellVersion, type ShellVersions } from './powershell-filter.ts';
import { groupsMatching } from './resolve-group.ts';

/** A value that no device has: reported, because an empty list would hide a typo. */
export type UnknownValue =
  | UnknownPackage
  | {
      readonly kind: 'group' | 'policy' | 'word';
      readonly key: DeviceFilter['key'];
      readonly value: string;
      /** Close known values. For conditions, all of them if none is close. */
      readonly nearest: readonly string[];
    };

/**
 * Not seen for so long: the service's own report counts devices as disconnected from then on ("management API in
 * practice" 5.1).
 */
const STALE_DAYS = 30;

/** What was read for the filters that the device index does not answer; absent: none of them asks for it. */
export type FilterReadings = {
  readonly missing?: MissingPackages;
  readonly shells?: ShellVersions;
};

/** The predicate of a filter, ignoring its `-`; or the value that no device has. */
export function deviceMatcher(
  { key, value }: Pick<DeviceFilter, 'key' | 'value'>,
  snapshot: Snapshot,
  now: Instant,
  { missing, shells }: FilterReadings = {},
): DeviceMatcher | UnknownValue {
  const foldedValue = fold(value);
  switch (key) {
    case 'is':
      return conditionMatcher(value, now);
    case 'group':
      return groupMatcher(value, snapshot);
    case 'tag':
      return knownValues(snapshot, { key, value, fits: (tag) => tag === foldedValue });
    case 'os':
      return knownValues(snapshot, { key, value, fits: (system) => system.includes(foldedValue) });
    case 'version':
      return knownValues(snapshot, { key, value, fits: (version) => version.startsWith(foldedValue) });
    case 'policy':
      return policyMatcher(key, value, snapshot, (device) => policiesOf(device, snapshot));
    case 'fails':
      return policyMatcher(key, value, snapshot, ({ policyIds, failingIds }) => policyIds && failingIds);
    case 'ip': {
      const fits = hasAddress(value) ?? (() => false);
      return (device) => fits(device) || (addressesOf(device).length === 0 ? null : false);
    }
    case 'user':
      return userContains(value);
    case 'serial':
      return serialContains(value);
    case 'missing':
      if (missing === undefined) throw new Error('what devices are missing was not read');
      return missingMatcher(value, missing);
    case 'powershell':
      if (shells === undefined) throw new Error('the PowerShell versions of devices were not read');
      return shellMatcher(value, shells);
  }
}

function conditionMatcher(value: string, now: Instant): DeviceMatcher | UnknownValue {
  const name = fold(value);
  if (name === STALE_CONDITION)
    return (device) => {
      const seen = lastSeenAtOf(device);
      if (seen === null) return device.connected === true ? false : null;
      return now - seen >= STALE_DAYS * DAY;
    };
  const nearest = nearestNames(value, CONDITION_NAMES);
  return DEVICE_CONDITIONS.get(name) ?? { kind: 'word', key: 'is', value, nearest };
}

function groupMatcher(value: string, { groups }: Snapshot): DeviceMatcher | UnknownValue {
  const members = groupsMatching(value, groups.values());
  // Whether a group that is not listed lies below another is not known.
  if (members.size > 0)
    return ({ groupId }) => (groupId === null || !groups.has(groupId) ? null : members.has(groupId));
  const names = [...groups.values()].map(groupLabel);
  return { kind: 'group', key: 'group', value, nearest: nearestNames(value, names) };
}

/**
 * Assumption (§2.1, §2.5): a device whose row names no policies, as before its first scan, has those of its group.
 */
function policiesOf({ policyIds, groupId }: IndexedDevice, { groups }: Snapshot): readonly PolicyId[] | null {
  return policyIds ?? (groupId === null ? undefined : groups.get(groupId)?.policyIds) ?? null;
}

/** By name, else by ID. An ID is not checked, because the key may not be allowed to list policies. */
function policyMatcher(
  key: 'policy' | 'fails',
  value: string,
  { policies }: Snapshot,
  of: (device: IndexedDevice) => readonly PolicyId[] | null,
): DeviceMatcher | UnknownValue {
  const foldedValue = fold(value);
  const named = policies.filter(({ name }) => fold(name) === foldedValue).map(({ id }): number => id);
  const id = numberOf(foldedValue);
  const ids = new Set(named.length === 0 && id !== null ? [id] : named);
  if (ids.size > 0) return (device) => of(device)?.some((one) => ids.has(one)) ?? null;
  const names = policies.map(({ name }) => name);
  return { kind: 'policy', key, value, nearest: nearestNames(value, names) };
}

function shellMatcher(value: string, shells: ShellVersions): DeviceMatcher | UnknownValue {
  const versions = new Set(shells.of.values());
  if ([...versions].some((version) => hasShellVersion(version, value)))
    return ({ id }) => hasShellVersion(shells.of.get(id), value) ?? shells.others;
  return { kind: 'word', key: 'powershell', value, nearest: nearestNamesOrAll(value, versions) };
}

type DeviceFact = {
  readonly key: 'tag' | 'os' | 'version';
  readonly value: string;
  /** Tests a device value in its normalized form. */
  readonly fits: (folded: string) => boolean;
};

/** One that is null or blank is not stated: what fits none of the others may still fit. */
type StatedValues = readonly (string | null)[];

const DEVICE_FACTS = {
  // Assumption (§2.2): only an empty list of tags says that a device has none.
  tag: ({ tags }) => tags ?? [null],
  // The last is the form shown on screen, so that people can type what they read.
  os: (device) => [device.osFamily, device.osName, systemName(device)],
  version: ({ agentVersion, osVersion }) => [agentVersion, osVersion],
} as const satisfies Record<string, (device: IndexedDevice) => StatedValues>;

/** The distinct values of devices with their normalized form: many devices share few values. */
const VALUES = {
  tag: valuesOf(DEVICE_FACTS.tag),
  os: valuesOf(DEVICE_FACTS.os),
  version: valuesOf(DEVICE_FACTS.version),
} as const;

const FAMILIES = valuesOf(({ osFamily }) => [osFamily]);

function valuesOf(of: (device: IndexedDevice) => StatedValues) {
  return memoizePerSnapshot(({ devices }): ReadonlyMap<string, string> => {
    const values = new Map<string, string>();
    for (const device of devices) {
      for (const value of of(device)) if (value && !values.has(value)) values.set(value, fold(value));
    }
    return values;
  });
}

function knownValues(snapshot: Snapshot, { key, value, fits }: DeviceFact): DeviceMatcher | UnknownValue {
  const values = VALUES[key](snapshot);
  const fitting = new Set<string | null>();
  for (const [one, folded] of values) if (fits(folded)) fitting.add(one);
  const of = DEVICE_FACTS[key];
  if (fitting.size > 0)
    return (device) => {
      const stated = of(device);
      if (stated.some((one) => fitting.has(one))) return true;
      return stated.every(Boolean) ? false : null;
    };
  const near = nearestNamesOrAll(value, values.keys());
  // A fleet has many names of systems and few families.
  const few = near.length > 0 || key !== 'os' ? near : [...FAMILIES(snapshot).keys()];
  return { kind: 'word', key, value, nearest: few };
}
