/**
 * Which devices a question means: words and filters against a snapshot. A space means and; `or` means either of the two
 * it stands between, and a comma in a value any of these values. Pure.
 */

import { groupLabel, SEVERITIES, systemName } from '../../fleet/model/derived-fields.ts';
import { displayName } from '../../fleet/model/resources.ts';
import { isNot } from '../../inventory/device-counts.ts';
import { lastSeenAtOf } from '../../inventory/device-index/indexed-device.ts';
import { type IndexedDevice, memoizePerSnapshot, type Snapshot } from '../../inventory/inventory.ts';
import type { MissingPatchFacts } from '../../inventory/missing-patches/missing-patch-index.ts';
import { nearestNames, nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import {
  addressesOf,
  hasAddress,
  isNamed,
  normalizeField,
  serialContains,
  userContains,
} from '../../inventory/search/search-text.ts';
import { DAY, type Instant } from '../../lib/clock.ts';
import type { DeviceId, PolicyId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import { type MissingTarget, packageMatcher, readMissingTarget } from '../parser/missing-target.ts';
import {
  alternatives,
  CONDITION_NAMES,
  DEVICE_CONDITIONS,
  type DeviceFilter,
  type DeviceMatcher,
  type DeviceSort,
  type Matcher,
  STALE_CONDITION,
  sortDevices,
} from './device-query.ts';
import { numberOf } from './name-lookup.ts';
import { groupsMatching } from './resolve-group-or-policy.ts';

export type DeviceSelection = {
  /** `or` among them stands between two. */
  readonly words: readonly string[];
  readonly filters: readonly DeviceFilter[];
  readonly sort?: DeviceSort | undefined;
};

export type SelectedDevices =
  | {
      readonly kind: 'devices';
      /** As asked for; else the best first, and without words by name. */
      readonly devices: readonly IndexedDevice[];
      /** Whether these fit is unknown: the service does not state what a filter asks. */
      readonly unstated: readonly IndexedDevice[];
      /** No device has all the words as they were typed: these come near. */
      readonly isCloseMatch: boolean;
    }
  | { readonly kind: 'unknown'; readonly unknown: UnknownValue };

export function selectDevices(
  snapshot: Snapshot,
  { words, filters, sort }: DeviceSelection,
  now: Instant,
  readings: FilterReadings = {},
): SelectedDevices {
  const passes = filterMatcher(filters, (filter) => deviceMatcher(filter, snapshot, now, readings));
  if (typeof passes !== 'function') return { kind: 'unknown', unknown: passes };
  const clauses = alternatives(words);
  const found = snapshot.search(
    clauses === null ? words : clauses.map((clause) => (clause.length > 1 ? clause : clause.join(''))),
  );
  const fitting = filters.length === 0 ? null : Map.groupBy(found.devices, passes);
  const devices = fitting === null ? found.devices : (fitting.get(true) ?? []);
  return {
    kind: 'devices',
    devices: sort === undefined ? devices : sortDevices(devices, sort, snapshot),
    unstated: fitting?.get(null) ?? [],
    isCloseMatch: found.isApproximate && devices.length > 0,
  };
}

/** A device has one group and one system, so several of these mean any of them. */
const NO_ALTERNATIVES: readonly string[] = ['group', 'os'];

/** What these ask is not in the device index. */
const TAKES_READING: readonly string[] = ['missing', 'powershell'];

/** The first value that nothing in the fleet has; null: each stands for something. */
export function unknownFilterValue(
  filters: readonly DeviceFilter[],
  snapshot: Snapshot,
  now: Instant,
): UnknownValue | null {
  for (const filter of filters.filter(({ key }) => !TAKES_READING.includes(key))) {
    const matcher = deviceMatcher(filter, snapshot, now);
    if (typeof matcher !== 'function') return matcher;
  }
  return null;
}

/** `Unknown`: what a value that stands for nothing is answered with. */
export function filterMatcher<Device, Unknown extends object>(
  filters: readonly DeviceFilter[],
  matcherOf: (filter: DeviceFilter) => Matcher<Device> | Unknown,
): Matcher<Device> | Unknown {
  const clauses: { readonly either: Matcher<Device>[]; readonly key: string | null }[] = [];
  for (const [at, filter] of filters.entries()) {
    const matcher = matcherOf(filter);
    if (typeof matcher !== 'function') return matcher;
    const passes = filter.negated ? not(matcher) : matcher;
    const isAlone = filter.or !== true && filters[at + 1]?.or !== true && !filter.negated;
    const key = isAlone && NO_ALTERNATIVES.includes(filter.key) ? filter.key : null;
    const clause =
      filter.or === true ? clauses.at(-1) : clauses.find((one) => key !== null && one.key === key);
    if (clause === undefined) clauses.push({ either: [passes], key });
    else clause.either.push(passes);
  }
  return not(anyOf(clauses.map(({ either }) => not(anyOf(either)))));
}

function not<Device>(matcher: Matcher<Device>): Matcher<Device> {
  return (device) => isNot(matcher(device));
}

/** Unknown where none passes and one may. */
function anyOf<Device>(matchers: readonly Matcher<Device>[]): Matcher<Device> {
  return (device) => {
    let fits: boolean | null = false;
    for (const matcher of matchers) {
      const one = matcher(device);
      if (one === true) return true;
      if (one === null) fits = null;
    }
    return fits;
  };
}

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
type FilterReadings = {
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
    case 'device':
      return nameMatcher(value, snapshot);
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

/** By number or whole name. */
function nameMatcher(value: string, { devices }: Snapshot): DeviceMatcher | UnknownValue {
  const name = normalizeField(value);
  const fits: DeviceMatcher = ({ id, searchText }) => `#${id}` === name || isNamed(searchText, name);
  if (devices.some(fits)) return fits;
  const names = devices.slice(0, MAX_COMPARED).map(displayName);
  return { kind: 'word', key: 'device', value, nearest: nearestNames(value, names) };
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

/** `of`: the version of each device that was listed with one. `others`: whether others fit; null: unknown. */
export type ShellVersions = { readonly of: ReadonlyMap<DeviceId, string>; readonly others: false | null };

/** Whether it is this version or one that starts with it: `5.1` finds 5.1.22621, and not 5.10. */
function hasShellVersion(version: string | undefined, value: string): boolean | undefined {
  return version === value || version?.startsWith(`${value}.`);
}

/** What devices miss, as far as it is known. */
export type MissingPackages = {
  readonly of: ReadonlyMap<DeviceId, readonly MissingPatchFacts[]>;
  /** Nothing that matters is left to be read. */
  readonly isWhole: boolean;
  /** Whether a device is known to have a package of this name, installed or missing. */
  readonly hasName: (name: string) => boolean;
};

/** The name of a package that no device misses, which may be mistyped. */
type UnknownPackage = {
  readonly kind: 'package';
  readonly key: 'missing';
  readonly value: string;
  readonly nearest: readonly string[];
  /** Devices whose packages were looked at. */
  readonly devices: number;
};

export function asksForMissing(filters: readonly Pick<DeviceFilter, 'key'>[]): boolean {
  return filters.some(({ key }) => key === 'missing');
}

/** The filters that leave at least the same devices without knowing what is missing. */
export function withoutMissing(filters: readonly DeviceFilter[]): readonly DeviceFilter[] {
  const clauses: DeviceFilter[][] = [];
  for (const filter of filters) {
    const last = clauses.at(-1);
    if (filter.or === true && last !== undefined) last.push(filter);
    else clauses.push([filter]);
  }
  return clauses.filter((clause) => !asksForMissing(clause)).flat();
}

export function soughtBy(filters: readonly DeviceFilter[]): readonly MissingTarget[] {
  return filters.flatMap(({ key, value, negated }) =>
    key === 'missing' && !negated ? readMissingTarget(value) : [],
  );
}

/** By severity, CVE, or either name of a package; the whole name, as `missing` takes it. */
function missingMatcher(value: string, missing: MissingPackages): DeviceMatcher | UnknownPackage {
  const target = readMissingTarget(value);
  const fits = packageMatcher(target);
  if (target.kind === 'package' && missing.isWhole && missing.of.size > 0 && !missing.hasName(target.name)) {
    const all = [...missing.of.values()].flat();
    if (!all.some(fits)) return unknownPackage(target.name, all, missing.of.size);
  }
  return ({ id }) => missing.of.get(id)?.some(fits) === true;
}

/** Comparing this many takes about 50 ms, which blocks other answers. */
const MAX_COMPARED = 10_000;

function unknownPackage(value: string, all: readonly MissingPatchFacts[], devices: number): UnknownPackage {
  const names = new Set([...SEVERITIES, ...all.flatMap(({ name, displayName }) => [name, displayName])]);
  const nearest = nearestNames(value, [...names].slice(0, MAX_COMPARED));
  return { kind: 'package', key: 'missing', value, nearest, devices };
}
